// `npm run assemble -- cloudflare`, `-- deno-deploy` or `-- server` builds everything that a host needs in `dist/<host>/` or
// in `--out <folder>`. docs/deploy.md describes the next steps.
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { argumentsOf, exitWithUsage } from '../scripts/lib/arguments.mjs'
import { nodeBinary, root, run, setUp } from '../scripts/lib/setup.mjs'
import { billOfMaterials } from './lib/bill-of-materials.mjs'

/** The next steps for each host. */
const nextSteps = {
  cloudflare: () => 'npx wrangler deploy --config deploy/cloudflare/wrangler.toml',
  'deno-deploy': folder => `deno deploy --prod ${folder}`,
  server: folder => `${folder}/portal start`,
}
const USAGE = `npm run assemble -- ${Object.keys(nextSteps).join('|')} [--out <folder>]`
const { values, positionals } = argumentsOf(USAGE, {
  options: { out: { type: 'string' } },
  maxPositionals: 1,
})
const [host = ''] = positionals
const nextStepOf = nextSteps[host]
if (!nextStepOf) exitWithUsage('Which host?', USAGE)

await setUp()
const target = values.out ? path.resolve(values.out) : path.join(root, 'dist', host)
if (values.out && existsSync(target) && readdirSync(target).length > 0) {
  console.error(`${target} is not empty: choose a new folder with --out <folder>.`)
  process.exit(1)
}
// An older bundle may have left files with other names.
for (const folder of [target, path.join(root, 'edge-api/dist', host)])
  await rm(folder, { recursive: true, force: true })
for (const step of [
  ['scripts/build.mjs', '--for-production'],
  ['edge-api/bundle.mjs', host],
]) {
  const code = await run(nodeBinary(), step, { stdio: ['ignore', 2, 2] })
  if (code !== 0) process.exit(code)
}
await mkdir(target, { recursive: true })

const { filesOf, releasesFolder } = await import('../scripts/shipping/folder.mjs')
const { findPointerDamage } = await import('../scripts/shipping/pointer.mjs')
const { isPublicFile } = await import('../edge-api/src/adapters/assets-public.ts')
// On Cloudflare, the pointer is served without the worker, so a damaged pointer could not be replaced with the last valid one.
const damage = await findPointerDamage(releasesFolder())
if (damage !== undefined) {
  console.error(`remotes.json is damaged (${damage}): docs/shipping.md, "A damaged pointer".`)
  process.exit(1)
}
// The releases that a host serves are checked as in production, where a development key does not count.
const { signingOf } = await import('../scripts/shipping/signing.mjs')
const { readPointer } = await import('../scripts/shipping/pointer.mjs')
const { requiresSignatures } = await import('../packages/contract/src/teams.ts')
const signing = signingOf({ ...process.env, NODE_ENV: 'production' })
try {
  for (const entry of await readPointer(releasesFolder())) await signing.require(entry)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
if (!requiresSignatures(signing.trust))
  console.error(
    'teams.json has no keys: anyone who can write to the releases folder can release (docs/shipping.md, "Signatures").',
  )
const inCheckout = (...parts) => path.join(root, ...parts)
const inReleases = (...parts) => path.join(releasesFolder(), ...parts)
const inTarget = (...parts) => path.join(target, ...parts)
/**
 * Copies files of the releases folder to the bundle.
 * @param {(file: string) => string | undefined} folderOf target of a file by its path in the folder; undefined: skip it
 */
async function copyReleases(folderOf) {
  for (const file of filesOf(inReleases())) {
    const targetPath = folderOf(path.relative(inReleases(), file).replaceAll(path.sep, '/'))
    if (targetPath !== undefined) await cp(file, inTarget(targetPath))
  }
}

if (host === 'cloudflare') {
  const { microFrontends } = await import('../scripts/lib/apps.mjs')
  await cp(inCheckout('edge-api/dist/worker.js'), inTarget('worker/worker.js'))
  const folders = ['shell', ...microFrontends().map(({ name }) => name)]
  // The host compresses files itself and serves every file that is uploaded, so only public files without compressed copies are
  // uploaded.
  await copyReleases(file => {
    if (!isPublicFile(file)) return undefined
    if (file === 'remotes.json') return 'assets/config/remotes.json'
    const [folder = ''] = file.split('/')
    if (!folders.includes(folder)) return undefined
    return folder === 'shell' ? file.replace('shell', 'assets') : `assets/r/${file}`
  })
  await cp(inCheckout('deploy/cloudflare/_headers'), inTarget('assets/_headers'))
} else {
  // The activity log reads the release log from disk. The host does not serve this file
  // (edge-api/src/adapters/assets-public.ts).
  await copyReleases(file =>
    file === 'shipments.jsonl' || isPublicFile(file.replace(/\.(br|gz)$/, ''))
      ? `releases/${file}`
      : undefined,
  )
}
if (host === 'deno-deploy') {
  await cp(inCheckout('edge-api/dist/deno-deploy'), target, { recursive: true })
  await cp(inCheckout('deploy/deno-deploy/deno.json'), inTarget('deno.json'))
}
if (host === 'server') await (await import('./lib/server-folder.mjs')).fillServerFolder(target)
// The bill of materials is stored outside of the files that are served.
await writeFile(inTarget('sbom.json'), (await billOfMaterials()).text)
const folder = path.relative(process.cwd(), target)
console.log(`${folder} is ready: ${nextStepOf(folder)}`)
