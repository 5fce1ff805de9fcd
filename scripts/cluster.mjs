// `npm run cluster`: the portal as many processes on this machine (scripts/lib/cluster.mjs), with its data in
// `.data/cluster`. Prints which process is which, and one line when the portal answers.
import path from 'node:path'
import { nodeBinary, root, run, setUp } from './lib/setup.mjs'

await setUp()
for (const step of ['scripts/build.mjs', 'edge-api/bundle.mjs']) {
  const code = await run(nodeBinary(), [step], { stdio: ['ignore', 2, 2] })
  if (code !== 0) process.exit(code)
}

const { startCluster } = await import('./lib/cluster.mjs')
const folder = path.join(root, '.data/cluster')
const cluster = startCluster(process.env, { folder, say: console.log })
for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, () => cluster.stop().then(() => process.exit(0)))
try {
  await cluster.ready
  for (const [name, { url, about, child }] of cluster.parts)
    console.log(`${name.padEnd(10)} ${url.padEnd(23)} ${about}, process ${child.pid}`)
  console.log(`ready ${cluster.url}`)
} catch (error) {
  // A part that ended by itself has already said why.
  if (error instanceof Error && !/ended before/.test(error.message)) console.error(error.message)
  process.exit(1)
}
