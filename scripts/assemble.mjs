// `npm run assemble -- cloudflare` or `-- deno-deploy`: everything that this host needs, in `dist/<host>/` or where
// `--out <folder>` says, made from the sources as they are now. docs/deploy.md says what comes next.
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { argumentsOf, misused } from './lib/arguments.mjs'
import { billOfMaterials } from './lib/bill-of-materials.mjs'
import { nodeBinary, root, run, setUp } from './lib/setup.mjs'

/** What comes next, by host. */
const next = {
  cloudflare: () => 'npx wrangler deploy --config deploy/cloudflare/wrangler.toml',
  'deno-deploy': folder => `deno deploy --prod ${folder}`,
}
const USAGE = `npm run assemble -- ${Object.keys(next).join('|')} [--out <folder>]`
const { values, positionals } = argumentsOf(USAGE, { options: { out: { type: 'string' } }, most: 1 })
const [host = ''] = positionals
const advice = next[host]
if (!advice) misused('Which host?', USAGE)

await setUp()
const target = values.out ? path.resolve(values.out) : path.join(root, 'dist', host)
if (values.out && existsSync(target) && readdirSync(target).length > 0) {
  console.error(`${target} holds something: choose a new folder, --out <folder>.`)
  process.exit(1)
}
// Pieces of an older bundle have other names, and would travel along.
for (const folder of [target, path.join(root, 'edge-api/dist/deno-deploy')])
  await rm(folder, { recursive: true, force: true })
for (const step of [['scripts/build.mjs'], ['edge-api/bundle.mjs', host]]) {
  const code = await run(nodeBinary(), step, { stdio: ['ignore', 2, 2] })
  if (code !== 0) process.exit(code)
}
await mkdir(target, { recursive: true })

const { releasesFolder } = await import('./shipping/folder.mjs')
const from = (...parts) => path.join(root, ...parts)
const built = (...parts) => path.join(releasesFolder(), ...parts)
const to = (...parts) => path.join(target, ...parts)
/** The host compresses by itself. */
const uncompressed = { recursive: true, filter: source => !/\.(br|gz)$/.test(source) }

if (host === 'cloudflare') {
  const { microFrontends } = await import('./lib/apps.mjs')
  await cp(from('edge-api/dist/worker.js'), to('worker/worker.js'))
  // Files lie at the paths that they are asked for.
  await cp(built('shell'), to('assets'), uncompressed)
  for (const { name } of microFrontends()) await cp(built(name), to('assets/r', name), uncompressed)
  await cp(built('remotes.json'), to('assets/config/remotes.json'))
  await cp(from('deploy/cloudflare/_headers'), to('assets/_headers'))
} else {
  await cp(from('edge-api/dist/deno-deploy'), target, { recursive: true })
  await cp(built(), to('releases'), { recursive: true })
  await cp(from('deploy/deno-deploy/deno.json'), to('deno.json'))
}
// Beside what is asked for by its path: nobody is served it.
await writeFile(to('sbom.json'), (await billOfMaterials()).text)
const folder = path.relative(process.cwd(), target)
console.log(`${folder} is ready: ${advice(folder)}`)
