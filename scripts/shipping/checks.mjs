// The checks before a release goes live: it is compatible with the shell that is served, the running API has all calls that it
// makes, and its files are unchanged.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { incompatibilities } from '../../packages/contract/src/compatibility.ts'
import { requiresSignatures } from '../../packages/contract/src/teams.ts'
import { findBreakingChanges } from '../../tools/contract/compare.ts'
import { describe } from '../../tools/contract/description.ts'
import { filesOf } from './folder.mjs'
import { readLog } from './log.mjs'
import { pointerTo, shellOf } from './publish.mjs'
import { Refusal } from './refusal.mjs'
import { sri } from './sri.mjs'

/** How long to wait for a response of another server, in milliseconds. */
const TIMEOUT_MS = 5000

/**
 * Checks that the shell that is served can run a release.
 * @param {string} folder of releases
 * @param {{ app: string, release: string, needs?: import('@portal/contract/compatibility').Compatibility | undefined }} shipped
 * @throws {Refusal} listing all incompatibilities
 */
export async function requireShellFit(folder, { app, release, needs }) {
  const shell = await shellOf(folder)
  if (!shell?.has) throw new Refusal('There is no shell yet: `npm start` builds it.')
  if (!needs)
    throw new Refusal(`${app} ${release} does not record its requirements (stamp.json): build it again.`)
  const problems = incompatibilities(needs, shell.has)
  if (problems.length === 0) return
  throw new Refusal(
    [
      `${app} ${release} cannot run in the shell that is served (${shell.release}). It`,
      ...problems.map(problem => `  ${problem}`),
      'Nothing was published. Release the shell first (docs/shipping.md, "Compatibility"), or build against its versions.',
    ].join('\n'),
  )
}

/**
 * Requests an address.
 * @param {string} address
 */
async function get(address) {
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return response
}

/**
 * Checks that the running API has the calls that a release makes.
 * @param {import('../../tools/contract/description.ts').Description} calls of the release
 * @param {{ app: string, release: string, portal: string, mustAnswer: boolean }} options
 * @returns {Promise<string>} a message about the comparison
 * @throws {Refusal} listing the calls that the API lacks
 */
export async function requireApiFit(calls, { app, release, portal, mustAnswer }) {
  let runningApi
  try {
    runningApi = describe(await (await get(`${portal}/api/openapi.json`)).json())
  } catch (error) {
    const why = `The API of ${portal} could not be read (${error instanceof Error ? error.message : error})`
    if (mustAnswer) throw new Refusal(`${why}. Nothing was published.`)
    return `${why}: its calls were not checked. Use --portal <address>.`
  }
  const breakingChanges = findBreakingChanges(calls, runningApi)
  if (breakingChanges.length === 0) return `${portal} has every call that ${app} makes`
  throw new Refusal(
    [
      `${app} ${release} needs more than the API at ${portal} has:`,
      ...breakingChanges.map(({ line }) => `  ${line}`),
      'Nothing was published. Deploy the API first, then release again.',
    ].join('\n'),
  )
}

/** The maximum size of a style sheet or script, in bytes. */
const MAX_BYTES = 4_000_000

/**
 * Refuses a build with links, or with scripts or style sheets that are too large. Published files are public, and a link
 * could expose other files of this machine.
 * @param {string} build
 * @throws {Refusal}
 */
export function requireFiles(build) {
  const entries = readdirSync(build, { recursive: true, withFileTypes: true })
  const link = entries.find(entry => !entry.isFile() && !entry.isDirectory())
  if (link) throw new Refusal(`${link.name} is a link, not a file of the build. Nothing was published.`)
  const oversizedFile = filesOf(build).find(
    file => /\.(?:js|css)$/.test(file) && statSync(file).size > MAX_BYTES,
  )
  if (oversizedFile)
    throw new Refusal(
      `${path.relative(build, oversizedFile)} is larger than ${MAX_BYTES / 1e6} MB. Nothing was published.`,
    )
}

/**
 * Checks that a published release is present and unchanged.
 * @param {string} folder of releases
 * @param {import('./publish.mjs').Pointer} entry as published
 * @throws {Refusal}
 */
export async function requireUnchanged(folder, { name, release = '', integrity, pages }) {
  if (!integrity) throw new Refusal(`${name} ${release} was published without hashes. Release it again.`)
  const current = await pointerTo(folder, name, release).catch(() => undefined)
  if (!current) throw new Refusal(`${name} ${release} no longer exists. Nothing was changed.`)
  if (JSON.stringify([current.integrity, current.pages]) !== JSON.stringify([integrity, pages]))
    throw new Refusal(`${name} ${release} has been changed since it was published. Nothing was changed.`)
}

/**
 * Returns whether a published release can be reused. Where signatures are required, the release log must contain a validly
 * signed entry for it: otherwise, someone else could write a release with this name, and the team's next command would sign it.
 * @param {{ folder: string, signing: import('./signing.mjs').Signing }} context
 * @param {string} app
 * @param {string} release
 */
export async function isTrusted({ folder, signing }, app, release) {
  if (!requiresSignatures(signing.trust)) return true
  const line = (await readLog(folder)).findLast(
    item => item.app === app && item.release === release && item.entry,
  )
  if (!line?.entry) return false
  const {
    signed: _,
    signature: __,
    preview: ___,
    ...entry
  } = /** @type {import('./publish.mjs').Pointer & { preview?: object }} */ (line.entry)
  const origin = entry.manifest.startsWith('/') ? '' : new URL(entry.manifest).origin
  const current = await pointerTo(folder, app, release, origin).catch(() => undefined)
  if (JSON.stringify(current) !== JSON.stringify(entry)) return false
  return await signing.require(line.entry).then(
    () => true,
    () => false,
  )
}

/**
 * Checks that a release on another origin is complete, and that the portal's pages can read it.
 * @param {import('./publish.mjs').Pointer} entry
 * @param {string} entryFile address of its entry
 * @param {string} portal the origin of the pages
 * @throws {Refusal}
 */
export async function requireServed({ manifest, integrity }, entryFile, portal) {
  for (const [address, hash] of [
    [manifest, integrity?.manifest],
    [entryFile, integrity?.entry],
  ]) {
    const response = await get(String(address)).catch(() => undefined)
    if (!response)
      throw new Refusal(`${address} is not served yet. Copy the release there, and release again.`)
    if (sri(new Uint8Array(await response.arrayBuffer())) !== hash)
      throw new Refusal(`${address} is not the file that was built. Nothing was published.`)
    if (!['*', portal].includes(response.headers.get('access-control-allow-origin') ?? ''))
      throw new Refusal(
        `${address} must be served with "Access-Control-Allow-Origin: *". Nothing was published.`,
      )
  }
}
