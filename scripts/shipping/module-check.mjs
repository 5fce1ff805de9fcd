// Executes a release before it is published: in a separate process with a time limit and without write permission, and with the
// shell's parser (packages/contract/src/remote-module.ts).
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { foreignRules } from '../lib/style-rules.mjs'
import { bundleRunner, runConfined } from './confined-runner.mjs'
import { filesOf } from './folder.mjs'
import { moduleReasons } from './module-reasons.mjs'
import { releaseFolder } from './publish.mjs'
import { Refusal } from './refusal.mjs'
import { sri } from './sri.mjs'

/**
 * The time limit in milliseconds, including the start of the process. It is long, so that a release is not refused because the
 * machine is busy.
 */
const TIME_LIMIT_MS = 60_000

/**
 * Returns the verdict of a runner on a build.
 * @param {string} runner
 * @param {string} build
 * @param {string[]} args
 * @param {number} limit in milliseconds
 * @returns {Promise<import('./module-runner.tsx').Verdict>}
 */
function verdictOf(runner, build, args, limit) {
  return new Promise(resolve => {
    runConfined(runner, build, args, limit, (error, stdout, stderr) => {
      if (stdout.trim() !== '') return resolve(JSON.parse(stdout.trim()))
      if (error?.killed) return resolve({ reason: 'never-loads', message: `not within ${limit / 1000} s` })
      if (!error || error.code === 13)
        return resolve({ reason: 'never-loads', message: 'it waits for something that never completes' })
      return resolve({ reason: 'does-not-load', message: stderr.trim().split('\n').at(-1) ?? '' })
    })
  })
}

/**
 * Returns the first integrity hash in the entry that matches no file of the build; browsers would refuse the file that has it.
 * @param {string} build
 */
async function findAlteredPin(build) {
  const { metaData } = JSON.parse(await readFile(path.join(build, 'mf-manifest.json'), 'utf8'))
  const entry = path.join(build, metaData.remoteEntry.path, metaData.remoteEntry.name)
  const pins = (await readFile(entry, 'utf8')).match(/sha384-[\w+/]{64}/g) ?? []
  const codeFiles = filesOf(build).filter(file => /\.(?:js|css)$/.test(file))
  const hashes = new Set(await Promise.all(codeFiles.map(async file => sri(await readFile(file)))))
  return pins.find(pin => !hashes.has(pin))
}

/**
 * Looks for styles that affect elements outside the micro-frontend.
 * @param {string} build @param {string} app @returns {Promise<string | undefined>} the first such rule
 */
async function findForeignStyle(build, app) {
  for (const file of filesOf(build).filter(item => item.endsWith('.css'))) {
    const name = path.relative(build, file)
    const [rule] = foreignRules(await readFile(file, 'utf8'), { app, file: name })
    if (rule) return `${name} ${rule}`
  }
  return undefined
}

/**
 * Loads a build as the shell does, and checks its hashes and styles first.
 * @param {string} build
 * @param {{ app: string, release: string, contract: number, limit?: number | undefined }} options
 * @returns {Promise<import('./module-runner.tsx').Verdict>}
 */
export async function checkModule(build, { app, release, contract, limit = TIME_LIMIT_MS }) {
  const pin = await findAlteredPin(build).catch(error => `a file (${error.message})`)
  if (pin)
    return { reason: 'does-not-load', message: `the entry pins ${pin}, which is not a file of the release` }
  const rule = await findForeignStyle(build, app)
  if (rule) return { reason: 'global-style', message: rule }
  return await verdictOf(await bundleRunner('module-runner'), build, [app, release, String(contract)], limit)
}

/**
 * Checks that a release loads, and that the dashboard can use and render what it exposes.
 * @param {string} build
 * @param {{ app: string, release: string, contract: number, limit?: number | undefined }} options
 * @returns {Promise<readonly string[]>} the paths of its pages, relative to its mount point
 * @throws {Refusal} with a code of `module-reasons.mjs` and the item
 */
export async function assertRuns(build, options) {
  const { reason, message, paths = [] } = await checkModule(build, options)
  if (reason) throw refusalFor(options, reason, message ?? '')
  return paths
}

/**
 * Returns the error for a release that cannot be used.
 * @param {{ app: string, release: string }} options @param {string} reason @param {string} message
 */
const refusalFor = ({ app, release }, reason, message) =>
  new Refusal(
    [
      `${app} ${release} cannot be used in the portal (${reason}): ${moduleReasons[reason]}.`,
      `  ${message}`,
      'Nothing was published. docs/shipping.md, "Refusal codes", explains the code.',
    ].join('\n'),
  )

/** The first path segments that belong to the shell or the server. */
const shellPaths = new Set(['api', 'config', 'dashboard', 'mailbox', 'r'])

/** The micro-frontends without an area, whose pages are directly below `/dashboard`. */
const dashboards = ['mfe-user', 'mfe-admin']

/**
 * Refuses a release whose paths belong to others. An area, for example, would cover the pages of a dashboard, because the shell
 * matches areas first.
 * @param {string} folder of releases
 * @param {{ app: string, release: string, contract: number, area?: string | undefined, paths: readonly string[] }} options
 * @param {readonly import('./publish.mjs').Pointer[]} live
 * @throws {Refusal}
 */
export async function requireOwnPaths(folder, { app, release, contract, area, paths }, live) {
  const others = live.filter(({ name }) => name !== app)
  const areas = others.flatMap(({ name, area: other }) => (other ? [{ name, path: other.path }] : []))
  const overlaps = (path, other) =>
    path === other || path.startsWith(`${other}/`) || other.startsWith(`${path}/`)
  if (app === 'mfe-public') {
    const takenPath = paths.find(item => shellPaths.has(item.split('/')[0] ?? ''))
    if (takenPath !== undefined)
      throw refusalFor({ app, release }, 'address-taken', `/${takenPath} belongs to the shell`)
  }
  const clashRefusal = (path, name) =>
    refusalFor({ app, release }, 'address-taken', `/dashboard/${path} belongs to ${name}`)
  const ownPaths = area === undefined ? (dashboards.includes(app) ? paths : []) : [area]
  for (const ownPath of ownPaths.filter(Boolean)) {
    const other = areas.find(item => overlaps(ownPath, item.path))
    if (other) throw clashRefusal(ownPath, other.name)
  }
  if (area === undefined) return
  for (const { name, release: id = '' } of others.filter(entry => dashboards.includes(entry.name))) {
    // A live release that does not load has no pages, so none can be covered.
    const { paths: pages = [] } = await checkModule(releaseFolder(folder, name, id), {
      app: name,
      release: id,
      contract,
    })
    const page = pages.find(pagePath => pagePath !== '' && overlaps(area, pagePath))
    if (page !== undefined) throw clashRefusal(page, name)
  }
}
