// `npm run assemble -- cloudflare` or `-- deno-deploy`: everything that this host needs, in `dist/<host>/`, made from the
// sources as they are now. docs/deploy.md says what comes next.
import { cp, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { nodeBinary, root, run, setUp } from './lib/setup.mjs'

const next = {
  cloudflare: 'npx wrangler deploy --config deploy/cloudflare/wrangler.toml',
  'deno-deploy': 'deno deploy --prod dist/deno-deploy',
}
const host = process.argv[2] ?? ''
if (!(host in next)) {
  console.error(
    `Which host? One of: ${Object.keys(next).join(', ')}. Example: npm run assemble -- cloudflare`,
  )
  process.exit(1)
}

await setUp()
const target = path.join(root, 'dist', host)
// Pieces of an older bundle have other names, and would travel along.
for (const folder of [target, path.join(root, 'edge-api/dist/deno-deploy')])
  await rm(folder, { recursive: true, force: true })
for (const step of [['scripts/build.mjs'], ['edge-api/bundle.mjs', host]]) {
  const code = await run(nodeBinary(), step, { stdio: ['ignore', 2, 2] })
  if (code !== 0) process.exit(code)
}
await mkdir(target, { recursive: true })

const from = (...parts) => path.join(root, ...parts)
const to = (...parts) => path.join(target, ...parts)
/** The host compresses by itself. */
const uncompressed = { recursive: true, filter: source => !/\.(br|gz)$/.test(source) }

if (host === 'cloudflare') {
  const { microFrontends } = await import('./lib/apps.mjs')
  await cp(from('edge-api/dist/worker.js'), to('worker/worker.js'))
  // Files lie at the paths that they are asked for.
  await cp(from('releases/shell'), to('assets'), uncompressed)
  for (const { name } of microFrontends())
    await cp(from('releases', name), to('assets/r', name), uncompressed)
  await cp(from('releases/remotes.json'), to('assets/config/remotes.json'))
  await cp(from('deploy/cloudflare/_headers'), to('assets/_headers'))
} else {
  await cp(from('edge-api/dist/deno-deploy'), target, { recursive: true })
  await cp(from('releases'), to('releases'), { recursive: true })
  await cp(from('deploy/deno-deploy/deno.json'), to('deno.json'))
}
console.log(`${path.relative(root, target)} is ready: ${next[host]}`)
