// The release log, `shipments.jsonl` in the releases folder, with one line per action of a command or of `npm start`. A
// background job copies people's actions to the activity log; the commands rollback and clean also read the release log.
import { randomUUID } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import path from 'node:path'

/** The actions of commands. The remaining one, `built`, means that `npm start` published the release. */
const commandActions = [
  'released',
  'canary',
  'promoted',
  'rolled back',
  'canary withdrawn',
  'followed',
  'preview',
  'preview ended',
  'deleted',
]

/** Actions that change neither which release is live nor who manages it. */
const neutralActions = new Set(['preview', 'preview ended', 'deleted'])

/** Actions that change the live release. */
const ACTIONS_THAT_MAKE_LIVE = new Set(['built', 'released', 'promoted', 'rolled back'])

/**
 * @typedef {object} Shipment
 * @property {string} id random
 * @property {number} at Unix timestamp in milliseconds, increasing
 * @property {string} by the author of the command
 * @property {'built' | 'released' | 'canary' | 'promoted' | 'rolled back' | 'canary withdrawn' | 'followed' | 'preview' |
 *   'preview ended' | 'deleted'} action
 * @property {string} app
 * @property {string} release
 * @property {string | null} before the release that was live before, or is live during a canary
 * @property {import('./publish.mjs').Pointer} [entry] the pointer's entry of the release
 * @property {number} [percent] of a canary
 * @property {number} [accounts] named for a canary
 * @property {string} [preview] name of a preview
 */

/** @param {string} folder */
const logFile = folder => path.join(folder, 'shipments.jsonl')

/**
 * Returns all lines, oldest first. A line that was cut off by a crash is ignored.
 * @param {string} folder of releases
 */
export const readLog = async folder => parseLines(await readFile(logFile(folder), 'utf8').catch(() => ''))

/**
 * @param {string} text
 * @returns {Shipment[]}
 */
function parseLines(text) {
  return text.split('\n').flatMap(line => {
    try {
      const entry = JSON.parse(line)
      return typeof entry.action === 'string' ? [entry] : []
    } catch {
      return []
    }
  })
}

/**
 * Appends a line to the log and flushes it. The first line of the file identifies the log, so that a database can store up to
 * which position it has read it. The lock of the pointer must be held.
 * @param {string} folder of releases
 * @param {Omit<Shipment, 'id' | 'at'>} shipment
 */
export async function appendLog(folder, shipment) {
  const before = await readFile(logFile(folder), 'utf8').catch(() => '')
  const at = Math.max(Date.now(), (parseLines(before).at(-1)?.at ?? 0) + 1)
  const lines = [...(before === '' ? [{ log: randomUUID() }] : []), { id: randomUUID(), at, ...shipment }]
  // If the last line was cut off, this separates the new line from it.
  const separator = before === '' || before.endsWith('\n') ? '' : '\n'
  const file = await open(logFile(folder), 'a')
  try {
    await file.appendFile(separator + lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Returns the lines that changed the live release.
 * @param {readonly Shipment[]} log
 * @param {string} app
 */
const liveLines = (log, app) =>
  log.filter(line => line.app === app && ACTIONS_THAT_MAKE_LIVE.has(line.action))

/**
 * Returns whether `npm start` manages the app: no command has released it since `follow`.
 * @param {readonly Shipment[]} log
 * @param {string} app
 */
export function isManagedByNpmStart(log, app) {
  const last = log.findLast(line => line.app === app && !neutralActions.has(line.action))
  return last === undefined || last.action === 'built' || last.action === 'followed'
}

/**
 * Returns the release that was live before this one, or undefined. Rolling back twice goes back two releases, instead of
 * returning to the first one.
 * @param {readonly Shipment[]} log
 * @param {string} app
 * @param {string} release the live one
 * @returns {string | undefined}
 */
export function findPreviousRelease(log, app, release) {
  const shipped = liveLines(log, app).findLast(
    line => line.release === release && line.action !== 'rolled back' && line.before !== release,
  )
  return shipped?.before ?? undefined
}

/**
 * Returns the history of one release: the log line of its current state, and the time until which it was in use.
 * @param {readonly Shipment[]} log
 * @param {string} app
 * @param {string} release
 */
export function releaseHistory(log, app, release) {
  const lines = log.filter(line => line.app === app && line.action !== 'deleted')
  const shipped = lines.findLast(line => line.release === release && line.action !== 'followed')
  const last = lines.findLastIndex(line => line.release === release || line.before === release)
  return { shipped, usedUntil: lines[last]?.at }
}

/**
 * Returns the entry with which a release became live or a canary. The entry of a preview does not count, because its team only
 * signed it for people who have the link.
 * @param {readonly Shipment[]} log
 * @param {string} app
 * @param {string | undefined} release
 */
export const releasedEntry = (log, app, release) =>
  log.findLast(
    line => line.app === app && line.release === release && line.entry && line.action !== 'preview',
  )?.entry

/**
 * Returns whether a release was only ever a preview, so that nothing else needs it once the preview has ended.
 * @param {readonly Shipment[]} log
 * @param {string} app
 * @param {string} release
 */
export function wasOnlyPreviewed(log, app, release) {
  const lines = log.filter(line => line.app === app && (line.release === release || line.before === release))
  return lines.length > 0 && lines.every(({ action }) => neutralActions.has(action))
}

/**
 * Returns whether a command wrote this line.
 * @param {Shipment} line
 */
export const isByCommand = line => commandActions.includes(line.action)
