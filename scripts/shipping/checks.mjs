// What must hold before a release is pointed at: it fits the shell that is served, the API that runs has what it calls,
// and its files are the ones that were shipped.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { misfits } from '../../packages/contract/src/fit.ts'
import { breaksOf } from '../../tools/contract/compare.ts'
import { describe } from '../../tools/contract/description.ts'
import { filesOf, sri } from './folder.mjs'
import { pointerTo, shellOf } from './publish.mjs'
import { Refusal } from './refusal.mjs'

/** How long another server may take to answer, in milliseconds. */
const PATIENCE = 5000

/**
 * @param {string} folder of releases
 * @param {{ app: string, release: string, needs?: import('@portal/contract/fit').Fit | undefined }} shipped
 * @throws {Refusal} naming everything that does not fit
 */
export async function mustFitShell(folder, { app, release, needs }) {
  const shell = await shellOf(folder)
  if (!shell?.has) throw new Refusal('There is no shell to ship to yet: `npm start` builds it.')
  if (!needs)
    throw new Refusal(
      `${app} ${release} does not say what it needs of the shell (stamp.json): build it anew.`,
    )
  const found = misfits(needs, shell.has)
  if (found.length === 0) return
  throw new Refusal(
    [
      `${app} ${release} cannot run in the shell that is served (${shell.release}). It`,
      ...found.map(misfit => `  ${misfit}`),
      'Nothing was published. Release the shell first (docs/shipping.md, "Compatibility"), or build against its versions.',
    ].join('\n'),
  )
}

/** @param {string} address */
async function get(address) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) })
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  return answer
}

/**
 * Compares what the release calls with the API that runs.
 * @param {import('../../tools/contract/description.ts').Description} calls of the release
 * @param {{ app: string, release: string, portal: string, mustAnswer: boolean }} of
 * @returns {Promise<string>} a sentence on what was compared
 * @throws {Refusal} naming what the API does not give
 */
export async function mustFitApi(calls, { app, release, portal, mustAnswer }) {
  let running
  try {
    running = describe(await (await get(`${portal}/api/openapi.json`)).json())
  } catch (error) {
    const why = `${portal} could not be asked for its API (${error instanceof Error ? error.message : error})`
    if (mustAnswer) throw new Refusal(`${why}. Nothing was published.`)
    return `${why}: not compared with it. --portal <address> says where it is.`
  }
  const breaks = breaksOf(calls, running)
  if (breaks.length === 0) return `${portal} has every call that ${app} makes`
  throw new Refusal(
    [
      `${app} ${release} needs more than the API at ${portal} has:`,
      ...breaks.map(({ line }) => `  ${line}`),
      'Nothing was published. The API ships first: start it from these sources, then release again.',
    ].join('\n'),
  )
}

/** Largest style sheet or script of a release, in bytes. */
const LARGEST = 4_000_000

/**
 * What is published is served to anyone: a link in it would lead to other files of this machine.
 * @param {string} build
 * @throws {Refusal}
 */
export function mustBeFiles(build) {
  const entries = readdirSync(build, { recursive: true, withFileTypes: true })
  const link = entries.find(entry => !entry.isFile() && !entry.isDirectory())
  if (link) throw new Refusal(`${link.name} is a link, not a file of the build. Nothing was published.`)
  const large = filesOf(build).find(file => /\.(?:js|css)$/.test(file) && statSync(file).size > LARGEST)
  if (large)
    throw new Refusal(
      `${path.relative(build, large)} is larger than ${LARGEST / 1e6} MB. Nothing was published.`,
    )
}

/**
 * A release that was shipped once must still be there as it was.
 * @param {string} folder of releases
 * @param {import('./publish.mjs').Pointer} entry as it was shipped
 * @throws {Refusal}
 */
export async function mustBeUnchanged(folder, { name, release = '', integrity }) {
  if (!integrity) throw new Refusal(`${name} ${release} was shipped without its hashes. Release it again.`)
  const now = await pointerTo(folder, name, release).catch(() => undefined)
  if (!now) throw new Refusal(`${name} ${release} is not there any more. Nothing was changed.`)
  if (JSON.stringify(now.integrity) !== JSON.stringify(integrity))
    throw new Refusal(
      `${name} ${release} is not as it was shipped: its files have changed. Nothing was changed.`,
    )
}

/**
 * A release that another origin serves must be there, whole, and readable for the portal's pages.
 * @param {import('./publish.mjs').Pointer} entry
 * @param {string} entryFile address of its entry
 * @param {string} portal the origin of the pages
 * @throws {Refusal}
 */
export async function mustBeServed({ manifest, integrity }, entryFile, portal) {
  for (const [address, pin] of [
    [manifest, integrity?.manifest],
    [entryFile, integrity?.entry],
  ]) {
    const answer = await get(String(address)).catch(() => undefined)
    if (!answer) throw new Refusal(`${address} is not served yet. Copy the release there, and release again.`)
    if (sri(new Uint8Array(await answer.arrayBuffer())) !== pin)
      throw new Refusal(`${address} is not the file that was built. Nothing was published.`)
    if (!['*', portal].includes(answer.headers.get('access-control-allow-origin') ?? ''))
      throw new Refusal(
        `${address} must be answered with "Access-Control-Allow-Origin: *", or no browser takes it. Nothing was published.`,
      )
  }
}
