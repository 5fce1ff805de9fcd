// Turns what a build left into a release: an immutable folder with its compressed siblings, and the words that a
// pointer has for it.
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root } from '../lib/setup.mjs'
import { filesOf, readJson, sri, writeWhole } from './folder.mjs'

/**
 * What a pointer says of a release.
 * @typedef {import('@portal/contract/remote').RemotePointer} Pointer
 */

/**
 * What the build wrote into a release about itself: of a micro-frontend what it needs, of the shell what it has.
 * @typedef {import('@portal/contract/fit').Fit} Fit
 * @typedef {{ app: string, release: string, sources: string, needs: Fit, has: Fit }} Stamp
 */

const compressible = /\.(?:js|css|html|json|svg|txt|xml|webmanifest)$/

/**
 * Compressed siblings, so that no server compresses the same bytes twice. Small files are not worth a second one.
 * @param {string} file
 */
async function compress(file) {
  const bytes = await readFile(file)
  if (!compressible.test(file) || bytes.length < 512) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, { params }),
  ])
  await Promise.all([writeWhole(`${file}.gz`, zipped), writeWhole(`${file}.br`, brotli)])
}

/** Source maps and build statistics stay in `dist`; compressed siblings are made anew. */
const isShipped = file => !/(?:\.map|mf-stats\.json|\.gz|\.br)$/.test(file)

/**
 * Copies a build beside its place, compressed.
 * @param {string} from
 * @param {string} target
 */
async function draftOf(from, target) {
  const draft = path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}`)
  await rm(draft, { recursive: true, force: true })
  await cp(from, draft, { recursive: true, filter: isShipped })
  await Promise.all(filesOf(draft).map(compress))
  return draft
}

/** Where a release lies. @param {string} folder @param {string} app @param {string} release */
export const placeOf = (folder, app, release) => path.join(folder, app, release)

/** @param {string} folder @param {string} app @param {string} release */
export const isThere = (folder, app, release) =>
  existsSync(path.join(placeOf(folder, app, release), 'mf-manifest.json'))

/**
 * The calls that a build makes. One from elsewhere brings its own list: these sources may not have all of them.
 * @param {string} build
 * @returns {Promise<import('../../tools/contract/description.ts').Description>}
 */
export async function callsIn(build) {
  const { callsOf } = await import('../../tools/contract/used.ts')
  return (await readJson(path.join(build, 'calls.json'))) ?? callsOf(build)
}

/**
 * Publishes a build as a release: it appears whole or not at all, and is never written to again.
 * @param {string} folder of releases
 * @param {string} app
 * @param {string} release
 * @param {string} [from] the build
 */
export async function publishRemote(folder, app, release, from = path.join(root, app, 'dist')) {
  const target = placeOf(folder, app, release)
  const draft = await draftOf(from, target)
  await writeWhole(path.join(draft, 'calls.json'), JSON.stringify(await callsIn(draft)))
  await rm(target, { recursive: true, force: true })
  await rename(draft, target)
}

/**
 * Publishes a build of the shell. Its files carry their hash, so old ones stay for open pages; index.html, which names
 * them, comes last.
 * @param {string} folder of releases
 * @param {string} release
 */
export async function publishShell(folder, release) {
  const target = path.join(folder, 'shell')
  const draft = await draftOf(path.join(root, 'shell', 'dist'), target)
  const { has } = await readJson(path.join(draft, 'stamp.json'))
  await mkdir(target, { recursive: true })
  const isPage = file => /index\.html(?:\.gz|\.br)?$/.test(file)
  const files = filesOf(draft).sort((a, b) => Number(isPage(a)) - Number(isPage(b)))
  for (const file of files) {
    const to = path.join(target, path.relative(draft, file))
    await mkdir(path.dirname(to), { recursive: true })
    await rename(file, to)
  }
  await rm(draft, { recursive: true, force: true })
  await writeWhole(path.join(folder, 'shell.json'), `${JSON.stringify({ release, has })}\n`)
}

/** The shell that is served: its release, and what it has for remotes. @param {string} folder */
export async function shellOf(folder) {
  const shell = await readJson(path.join(folder, 'shell.json'))
  return shell && existsSync(path.join(folder, 'shell', 'index.html')) ? shell : undefined
}

/**
 * What the build says of itself.
 * @param {string} build a folder, published or not
 * @returns {Promise<Partial<Stamp>>} nothing where there is none
 */
export const stampOf = async build => (await readJson(path.join(build, 'stamp.json'))) ?? {}

/**
 * What the pointer says of a release: where it is, what it needs, and the hashes that the shell will insist on.
 * @param {string} folder of releases
 * @param {string} app
 * @param {string} release
 * @param {string} [origin] where it is served from, if not from the portal
 * @returns {Promise<Pointer>}
 */
export async function pointerTo(folder, app, release, origin = '') {
  const place = placeOf(folder, app, release)
  const manifest = await readFile(path.join(place, 'mf-manifest.json'))
  const entry = JSON.parse(manifest.toString()).metaData.remoteEntry
  const entryFile = path.posix.join(entry.path, entry.name)
  const [first, area, stamp] = await Promise.all([
    readJson(path.join(place, 'first-files.json')),
    readJson(path.join(place, 'area.json')),
    stampOf(place),
  ])
  const address = file => `${origin}/r/${app}/${release}/${file}`
  const pinned = async file => sri(await readFile(path.join(place, file)))
  return {
    name: app,
    release,
    manifest: address('mf-manifest.json'),
    integrity: { manifest: sri(manifest), entry: await pinned(entryFile) },
    ...(stamp.needs && { needs: stamp.needs }),
    ...(area && { area }),
    ...(first && {
      first: await Promise.all(
        [entryFile, ...first].map(async file => ({ path: address(file), integrity: await pinned(file) })),
      ),
    }),
  }
}
