// Builds what changed and publishes it: each micro-frontend into its own immutable release folder, the shell beside
// them, and last the pointer that makes them live. Plain Node (20 or newer), nothing to install but the workspace.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { nodeBinary, root, run, toolEnvironment } from './lib/setup.mjs'
import { releaseOf } from './release.mjs'

const releases = path.join(root, 'releases')
const remotes = ['mfe-public', 'mfe-user', 'mfe-admin']

const sri = bytes => `sha384-${createHash('sha384').update(bytes).digest('base64')}`

/** Written beside and moved into place: a reader sees the old file or the new one, never half. */
async function writeWhole(file, content) {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, file)
}

async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Runs turbo for these apps; it builds them side by side and takes from its cache what it has built before. */
async function build(apps) {
  const turbo = path.join(root, 'node_modules', 'turbo', 'bin', 'turbo')
  const filters = apps.map(app => `--filter=./${app}`)
  const env = toolEnvironment({ TURBO_NO_UPDATE_NOTIFIER: '1' })
  const code = await run(nodeBinary(), [turbo, 'run', 'build', ...filters, '--output-logs=errors-only'], {
    env,
  })
  if (code !== 0) throw new Error(`The build failed (turbo ended with ${code}); its messages are above.`)
}

const filesOf = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))

const compressible = /\.(?:js|css|html|json|svg|txt|xml|webmanifest)$/

/** Compressed siblings, so that no server compresses the same bytes twice. Small files are not worth a second one. */
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

/** Copies a build without its source maps and build statistics, which stay in `dist`. */
async function copyShipped(from, to) {
  const shipped = source => !/(?:\.map|mf-stats\.json)$/.test(source)
  await cp(from, to, { recursive: true, filter: shipped })
}

/** A release appears whole or not at all, and is never written to again. */
async function publishRemote(app, release) {
  const target = path.join(releases, app, release)
  const draft = `${target}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  await copyShipped(path.join(root, app, 'dist'), draft)
  await Promise.all(filesOf(draft).map(compress))
  await rm(target, { recursive: true, force: true })
  await rename(draft, target)
}

/** The shell's files carry their hash, so old ones stay for open pages; index.html, which names them, comes last. */
async function publishShell(release) {
  const target = path.join(releases, 'shell')
  const draft = path.join(releases, `shell.${process.pid}`)
  await rm(draft, { recursive: true, force: true })
  await copyShipped(path.join(root, 'shell', 'dist'), draft)
  await Promise.all(filesOf(draft).map(compress))
  await mkdir(target, { recursive: true })
  const isPage = file => /index\.html(?:\.gz|\.br)?$/.test(file)
  const files = filesOf(draft).sort((a, b) => Number(isPage(a)) - Number(isPage(b)))
  for (const file of files) {
    const to = path.join(target, path.relative(draft, file))
    await mkdir(path.dirname(to), { recursive: true })
    await rename(file, to)
  }
  await rm(draft, { recursive: true, force: true })
  await writeWhole(path.join(releases, 'shell.json'), `${JSON.stringify({ release })}\n`)
}

/** What the pointer says of a release: its manifest, and the hashes that the shell will insist on. */
async function pointerTo(app, release) {
  const folder = path.join(releases, app, release)
  const manifest = await readFile(path.join(folder, 'mf-manifest.json'))
  const entry = JSON.parse(manifest.toString()).metaData.remoteEntry
  const entryFile = path.posix.join(entry.path, entry.name)
  const first = await readJson(path.join(folder, 'first-files.json'))
  return {
    name: app,
    manifest: `/r/${app}/${release}/mf-manifest.json`,
    integrity: {
      manifest: sri(manifest),
      entry: sri(await readFile(path.join(folder, entryFile))),
    },
    ...(first && {
      first: await Promise.all(
        [entryFile, ...first].map(async file => ({
          path: `/r/${app}/${release}/${file}`,
          integrity: sri(await readFile(path.join(folder, file))),
        })),
      ),
    }),
  }
}

const alive = pid => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** One build at a time: two would clear each other's `dist`. A lock left by a build that was killed is taken over. */
async function locked(work) {
  await mkdir(releases, { recursive: true })
  const lock = path.join(releases, '.building')
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const holder = Number(await readFile(lock, 'utf8').catch(() => '0'))
      if (holder > 0 && !alive(holder)) await rm(lock, { force: true })
      else await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

const currentReleases = () => Object.fromEntries(['shell', ...remotes].map(app => [app, releaseOf(app)]))

async function isPublished(app, release) {
  if (app !== 'shell') return existsSync(path.join(releases, app, release, 'mf-manifest.json'))
  const shell = await readJson(path.join(releases, 'shell.json'))
  return shell?.release === release && existsSync(path.join(releases, 'shell', 'index.html'))
}

/** Builds and publishes what is due. A release is its sources: if they change meanwhile, the build counts for nothing. */
async function buildDue(forced) {
  const release = currentReleases()
  const due = []
  for (const [app, id] of Object.entries(release)) {
    if (forced || !(await isPublished(app, id))) due.push(app)
  }
  if (due.length === 0) return { release, due }
  await build(due)
  const after = currentReleases()
  if (due.some(app => after[app] !== release[app])) {
    console.error('The sources changed during the build; building again.')
    return buildDue(forced)
  }
  await Promise.all(due.filter(app => app !== 'shell').map(app => publishRemote(app, release[app])))
  if (due.includes('shell')) await publishShell(release.shell)
  return { release, due }
}

/** Makes these releases the live ones. Nothing is written when they are already. */
async function pointTo(release) {
  const pointers = await Promise.all(remotes.map(app => pointerTo(app, release[app])))
  const revision = createHash('sha256').update(JSON.stringify(pointers)).digest('hex').slice(0, 12)
  const pointer = `${JSON.stringify({ revision, api: '/api', remotes: pointers }, null, 2)}\n`
  const file = path.join(releases, 'remotes.json')
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== pointer) await writeWhole(file, pointer)
}

async function main() {
  const started = performance.now()
  const due = await locked(async () => {
    const built = await buildDue(process.argv.includes('--force'))
    await pointTo(built.release)
    return built.due
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(due.length > 0 ? `built ${due.join(', ')} in ${seconds} s` : `nothing to build (${seconds} s)`)
}

main().catch(error => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
