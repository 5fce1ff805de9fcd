// Which releases there are, which are in use, and which nobody needs any more.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { previousOf, readLog, storyOf } from './log.mjs'
import { readPointer } from './pointer.mjs'
import { isThere } from './publish.mjs'

const DAY = 86_400_000

/** How long a release is kept after its last use, in days, and how many are whatever their age. */
export const DAYS = 30
export const KEEP = 3

/**
 * @typedef {object} Known
 * @property {string} app
 * @property {string} release
 * @property {'live' | 'canary' | 'before'} state `before`: neither any more, or never
 * @property {number | undefined} percent of the canary
 * @property {number | undefined} accounts named for the canary
 * @property {boolean} previous the one that `rollback` goes back to
 * @property {import('./log.mjs').Shipment | undefined} shipped the line of the log that put it where it is
 * @property {number} usedUntil when it was last known to be live or a canary, else when it was published
 */

/**
 * Names of the releases of a micro-frontend; drafts of them begin with a dot.
 * @param {string} folder of releases
 * @param {string} app
 */
const releasesOf = (folder, app) =>
  readdirSync(path.join(folder, app)).filter(name => !name.startsWith('.') && isThere(folder, app, name))

/**
 * Every release in the folder, newest use first within its micro-frontend.
 * @param {string} folder of releases
 * @returns {Promise<Known[]>}
 */
export async function inventory(folder) {
  const [log, remotes] = [await readLog(folder), await readPointer(folder)]
  const apps = readdirSync(folder).filter(name => name.startsWith('mfe-'))
  return apps.sort().flatMap(app => {
    const live = remotes.find(({ name }) => name === app)
    const previous = live?.release && previousOf(log, app, live.release)
    const known = releasesOf(folder, app).map(release => {
      const { shipped, usedUntil } = storyOf(log, app, release)
      const isCanary = live?.canary?.release === release
      return {
        app,
        release,
        state: stateOf(live, release),
        percent: isCanary ? live.canary?.percent : undefined,
        accounts: isCanary ? live.canary?.accounts.length : undefined,
        previous: previous === release,
        shipped,
        usedUntil: usedUntil ?? statSync(path.join(folder, app, release)).mtimeMs,
      }
    })
    const rank = { live: 0, canary: 1, before: 2 }
    return known.sort((a, b) => rank[a.state] - rank[b.state] || b.usedUntil - a.usedUntil)
  })
}

/**
 * @param {import('./publish.mjs').Pointer | undefined} pointer
 * @param {string} release
 * @returns {Known['state']}
 */
function stateOf(pointer, release) {
  if (pointer?.release === release) return 'live'
  return pointer?.canary?.release === release ? 'canary' : 'before'
}

/**
 * What may be deleted: neither live nor a canary, nor what a rollback goes back to, nor used in the last days, nor among
 * the newest of its micro-frontend.
 * @param {readonly Known[]} known
 * @param {{ now: number, days: number, keep: number }} rule
 */
export function past(known, { now, days, keep }) {
  const idle = known.filter(({ state }) => state === 'before')
  return idle.filter(each => {
    const rank = idle.filter(({ app }) => app === each.app).indexOf(each)
    return !each.previous && rank >= keep && each.usedUntil < now - days * DAY
  })
}
