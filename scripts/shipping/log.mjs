// The log of what was shipped, `shipments.jsonl` in the folder of releases: one line for each time a pointer moved. The
// portal's tick takes what people did over into the activity log; rolling back and clearing up read it too.
import { randomUUID } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import path from 'node:path'

/** `built`: `npm start` pointed at what the sources make. Everything else was somebody's command. */
const byCommand = ['released', 'canary', 'promoted', 'rolled back', 'canary withdrawn', 'followed', 'deleted']

/** After these another release is the live one. */
const makeLive = new Set(['built', 'released', 'promoted', 'rolled back'])

/**
 * @typedef {object} Shipment
 * @property {string} id random
 * @property {number} at milliseconds since 1970; later lines have later ones
 * @property {string} by whoever gave the command
 * @property {'built' | 'released' | 'canary' | 'promoted' | 'rolled back' | 'canary withdrawn' | 'followed' | 'deleted'} action
 * @property {string} app
 * @property {string} release
 * @property {string | null} before the release that was live until then, or is live beside a canary
 * @property {import('./publish.mjs').Pointer} [entry] what the pointer says of the release
 * @property {number} [percent] of a canary
 * @property {number} [accounts] named for a canary
 */

/** @param {string} folder */
const fileOf = folder => path.join(folder, 'shipments.jsonl')

/**
 * Everything that was shipped, oldest first. A line that was cut off by a crash counts for nothing.
 * @param {string} folder of releases
 */
export const readLog = async folder => parsed(await readFile(fileOf(folder), 'utf8').catch(() => ''))

/**
 * @param {string} text
 * @returns {Shipment[]}
 */
function parsed(text) {
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
 * Adds a line, on disk when this resolves. The first line of the file names the log, so that a database knows how far
 * it has read which. Only under the lock of the pointer.
 * @param {string} folder of releases
 * @param {Omit<Shipment, 'id' | 'at'>} shipment
 */
export async function appendLog(folder, shipment) {
  const before = await readFile(fileOf(folder), 'utf8').catch(() => '')
  const at = Math.max(Date.now(), (parsed(before).at(-1)?.at ?? 0) + 1)
  const lines = [...(before === '' ? [{ log: randomUUID() }] : []), { id: randomUUID(), at, ...shipment }]
  // A line that was cut off must not run into this one.
  const fresh = before === '' || before.endsWith('\n') ? '' : '\n'
  const file = await open(fileOf(folder), 'a')
  try {
    await file.appendFile(fresh + lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * The lines that made a release the live one.
 * @param {readonly Shipment[]} log
 * @param {string} app
 */
const liveLines = (log, app) => log.filter(line => line.app === app && makeLive.has(line.action))

/**
 * True while `npm start` may point the app at what its sources make: nobody has shipped it since it was left to that.
 * @param {readonly Shipment[]} log
 * @param {string} app
 */
export function followsSources(log, app) {
  const last = log.findLast(line => line.app === app && line.action !== 'deleted')
  return last === undefined || last.action === 'built' || last.action === 'followed'
}

/**
 * The release that was live before this one was shipped; undefined where none is known. Going back twice goes back two
 * releases, not to the one just left.
 * @param {readonly Shipment[]} log
 * @param {string} app
 * @param {string} release the live one
 * @returns {string | undefined}
 */
export function previousOf(log, app, release) {
  const shipped = liveLines(log, app).findLast(
    line => line.release === release && line.action !== 'rolled back' && line.before !== release,
  )
  return shipped?.before ?? undefined
}

/**
 * What the log knows of one release: who made it live, or gave it to some, and when; and until when it was in use.
 * @param {readonly Shipment[]} log
 * @param {string} app
 * @param {string} release
 */
export function storyOf(log, app, release) {
  const lines = log.filter(line => line.app === app && line.action !== 'deleted')
  const shipped = lines.findLast(line => line.release === release && line.action !== 'followed')
  const last = lines.findLastIndex(line => line.release === release || line.before === release)
  return { shipped, usedUntil: lines[last]?.at }
}

/** @param {Shipment} line */
export const isByCommand = line => byCommand.includes(line.action)
