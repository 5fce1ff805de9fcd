// Turns a build into a release: an immutable folder with compressed copies of its files, and its pointer entry.
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root } from '../lib/setup.mjs'
import { filesOf, readJson, writeAtomically } from './folder.mjs'
import { sri } from './sri.mjs'
import { buildStaticPages } from './static-pages.mjs'

/**
 * A release's entry in the pointer.
 * @typedef {import('@portal/contract/remote').RemotePointer} Pointer
 */

/**
 * The metadata that the build writes into a release: what a micro-frontend requires, or the packages that the shell provides.
 * @typedef {import('@portal/contract/compatibility').Compatibility} Compatibility
 * @typedef {{ app: string, release: string, sources: string, needs: Compatibility, has: Compatibility }} Stamp
 */

/** The file with the static pages of a release. */
const PAGES = 'pages.json'

const compressible = /\.(?:js|css|html|json|svg|txt|xml|webmanifest)$/

/**
 * Writes compressed copies of a file, so that servers do not compress the same bytes repeatedly. Small files are skipped.
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
  await Promise.all([writeAtomically(`${file}.gz`, zipped), writeAtomically(`${file}.br`, brotli)])
}

/**
 * Returns whether a file of a build becomes part of the release. Source maps and build statistics stay in `dist`; compressed
 * copies are made again.
 */
const isShipped = file => !/(?:\.map|mf-stats\.json|\.gz|\.br)$/.test(file)

/**
 * Copies a build to a draft next to its target, with compressed copies.
 * @param {string} build
 * @param {string} target
 */
async function copyToDraft(build, target) {
  const draft = path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}`)
  await rm(draft, { recursive: true, force: true })
  await cp(build, draft, { recursive: true, filter: isShipped })
  await Promise.all(filesOf(draft).map(compress))
  return draft
}

/** Returns the folder of a release. @param {string} folder @param {string} app @param {string} release */
export const releaseFolder = (folder, app, release) => path.join(folder, app, release)

/**
 * Returns whether a release is published.
 * @param {string} folder @param {string} app @param {string} release
 */
export const isPublishedRelease = (folder, app, release) =>
  existsSync(path.join(releaseFolder(folder, app, release), 'mf-manifest.json'))

/**
 * Returns the API calls of a build. A build that was made elsewhere contains their list, because some of the calls may be
 * missing from the sources here.
 * @param {string} build
 * @returns {Promise<import('../../tools/contract/description.ts').Description>}
 */
export async function callsIn(build) {
  const { callsOf } = await import('../../tools/contract/used-calls.ts')
  return (await readJson(path.join(build, 'calls.json'))) ?? callsOf(build)
}

/**
 * Publishes a build as a release, atomically. It is never changed afterwards.
 * @param {string} folder of releases
 * @param {string} app
 * @param {string} release
 * @param {string} [build] folder of the build
 */
export async function publishRemote(folder, app, release, build = path.join(root, app, 'dist')) {
  const target = releaseFolder(folder, app, release)
  const draft = await copyToDraft(build, target)
  await writeAtomically(path.join(draft, 'calls.json'), JSON.stringify(await callsIn(draft)))
  const pages = await buildStaticPages(draft, app, release)
  if (pages) await writeAtomically(path.join(draft, PAGES), JSON.stringify(pages))
  await rm(target, { recursive: true, force: true })
  await rename(draft, target)
}

/**
 * Publishes a build of the shell. Its files have hashed names, so old ones are kept for pages that are open; index.html is
 * written last.
 * @param {string} folder of releases
 * @param {string} release
 */
export async function publishShell(folder, release) {
  const target = path.join(folder, 'shell')
  const draft = await copyToDraft(path.join(root, 'shell', 'dist'), target)
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
  await writeAtomically(path.join(folder, 'shell.json'), `${JSON.stringify({ release, has })}\n`)
}

/**
 * Returns the shell that is served: its release, and the packages that it provides for remotes.
 * @param {string} folder
 */
export async function shellOf(folder) {
  const shell = await readJson(path.join(folder, 'shell.json'))
  return shell && existsSync(path.join(folder, 'shell', 'index.html')) ? shell : undefined
}

/**
 * Returns the metadata of a build.
 * @param {string} build a folder, published or not
 * @returns {Promise<Partial<Stamp>>} empty if there is none
 */
export const stampOf = async build => (await readJson(path.join(build, 'stamp.json'))) ?? {}

/**
 * Returns a release's entry for the pointer: its location, requirements and hashes.
 * @param {string} folder of releases
 * @param {string} app
 * @param {string} release
 * @param {string} [origin] that serves it, if not the portal
 * @returns {Promise<Pointer>}
 */
export async function pointerTo(folder, app, release, origin = '') {
  const releasePath = releaseFolder(folder, app, release)
  const manifest = await readFile(path.join(releasePath, 'mf-manifest.json'))
  const entry = JSON.parse(manifest.toString()).metaData.remoteEntry
  const entryFile = path.posix.join(entry.path, entry.name)
  const [first, area, stamp] = await Promise.all([
    readJson(path.join(releasePath, 'first-files.json')),
    readJson(path.join(releasePath, 'area.json')),
    stampOf(releasePath),
  ])
  const address = file => `${origin}/r/${app}/${release}/${file}`
  const hashFile = async file => sri(await readFile(path.join(releasePath, file)))
  return {
    name: app,
    release,
    manifest: address('mf-manifest.json'),
    integrity: { manifest: sri(manifest), entry: await hashFile(entryFile) },
    ...(stamp.needs && { needs: stamp.needs }),
    // The portal itself reads the static pages, from its own folder.
    ...(existsSync(path.join(releasePath, PAGES)) && {
      pages: { path: `/r/${app}/${release}/${PAGES}`, integrity: await hashFile(PAGES) },
    }),
    ...(area && { area }),
    ...(first && {
      first: await Promise.all(
        [entryFile, ...first].map(async file => ({ path: address(file), integrity: await hashFile(file) })),
      ),
    }),
  }
}
