// `npm run cluster` runs the portal as several processes on this machine (tools/lib/cluster.mjs). Its data is in
// `.data/cluster`, or in another folder with `-- --data <folder>`. Prints the processes, and a line when the portal responds.
import path from 'node:path'
import { argumentsOf } from '../scripts/lib/arguments.mjs'
import { endWithParent, nodeBinary, root, run, setUp } from '../scripts/lib/setup.mjs'

const { values } = argumentsOf('npm run cluster [-- --data <folder>]', {
  options: { data: { type: 'string', default: path.join(root, '.data/cluster') } },
})

await setUp()
for (const step of ['scripts/build.mjs', 'edge-api/bundle.mjs']) {
  const code = await run(nodeBinary(), [step], { stdio: ['ignore', 2, 2] })
  if (code !== 0) process.exit(code)
}

const { startCluster } = await import('./lib/cluster.mjs')
const cluster = startCluster(process.env, { folder: path.resolve(values.data), log: console.log })
/** @type {Promise<never> | undefined} */
let ending
// Ctrl+C can arrive twice, because an impatient user pressed it again or because npm forwards it; in either case, the processes
// must end.
const end = () => {
  ending ??= cluster.stop().then(() => process.exit(0))
}
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, end)
endWithParent(end)

try {
  await cluster.ready
  for (const [name, { url, description, child }] of cluster.parts)
    console.log(`${name.padEnd(10)} ${url.padEnd(23)} ${description}, process ${child.pid}`)
  console.log(`ready ${cluster.url}`)
} catch (error) {
  await ending
  // If a process has ended, it has already printed the reason.
  if (error instanceof Error && !/ended before/.test(error.message)) console.error(error.message)
  process.exit(1)
}
