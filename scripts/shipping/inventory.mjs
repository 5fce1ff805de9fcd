// Lists the releases, where they are used, and those that can be deleted.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { findPreviousRelease, readLog, releaseHistory, wasOnlyPreviewed } from './log.mjs'
import { readPointer } from './pointer.mjs'
import { isRunning, readPreviews } from './previews.mjs'
import { isPublishedRelease } from './publish.mjs'

const DAY_MS = 86_400_000

/** How many days a release is kept after its last use, and how many releases are kept regardless of their age. */
export const RETENTION_DAYS = 30
export const MIN_KEPT_RELEASES = 3

/**
 * @typedef {object} ListedRelease
 * @property {string} app
 * @property {string} release
 * @property {'live' | 'canary' | 'preview' | 'before'} state `before`: no longer one of the others, or never was
 * @property {number | undefined} percent of the canary
 * @property {number | undefined} accounts named for the canary
 * @property {import('@portal/contract/remote').PreviewPointer['preview'][]} previews that show it
 * @property {boolean} onlyPreviewed it was never anything else
 * @property {boolean} previous the target of `rollback`
 * @property {import('./log.mjs').Shipment | undefined} shipped the log line of its current state
 * @property {number} usedUntil when it was last live or a canary, else when it was published
 */

/**
 * Returns the IDs of the releases of a micro-frontend. Drafts are not among them; their names begin with a dot.
 * @param {string} folder of releases
 * @param {string} app
 */
const listReleases = (folder, app) =>
  readdirSync(path.join(folder, app)).filter(
    name => !name.startsWith('.') && isPublishedRelease(folder, app, name),
  )

/**
 * Returns every release in the folder, most recently used first within its micro-frontend.
 * @param {string} folder of releases
 * @returns {Promise<ListedRelease[]>}
 */
export async function listReleaseInventory(folder) {
  const [log, remotes] = [await readLog(folder), await readPointer(folder)]
  const runningPreviews = (await readPreviews(folder)).filter(item => isRunning(item))
  const apps = readdirSync(folder).filter(name => name.startsWith('mfe-'))
  return apps.sort().flatMap(app => {
    const liveEntry = remotes.find(({ name }) => name === app)
    const previous = liveEntry?.release && findPreviousRelease(log, app, liveEntry.release)
    const releases = listReleases(folder, app).map(release => {
      const { shipped, usedUntil } = releaseHistory(log, app, release)
      const isCanary = liveEntry?.canary?.release === release
      const previews = runningPreviews
        .filter(item => item.name === app && item.release === release)
        .map(({ preview }) => preview)
      const state = stateOf(liveEntry, release)
      return {
        app,
        release,
        state: state === 'before' && previews.length > 0 ? /** @type {const} */ ('preview') : state,
        previews,
        onlyPreviewed: wasOnlyPreviewed(log, app, release),
        percent: isCanary ? liveEntry.canary?.percent : undefined,
        accounts: isCanary ? liveEntry.canary?.accounts.length : undefined,
        previous: previous === release,
        shipped,
        usedUntil: usedUntil ?? statSync(path.join(folder, app, release)).mtimeMs,
      }
    })
    const rank = { live: 0, canary: 1, preview: 2, before: 3 }
    return releases.sort((a, b) => rank[a.state] - rank[b.state] || b.usedUntil - a.usedUntil)
  })
}

/**
 * Returns whether a release is live or a canary according to the pointer.
 * @param {import('./publish.mjs').Pointer | undefined} pointer
 * @param {string} release
 * @returns {'live' | 'canary' | 'before'}
 */
function stateOf(pointer, release) {
  if (pointer?.release === release) return 'live'
  return pointer?.canary?.release === release ? 'canary' : 'before'
}

/**
 * Returns the releases that can be deleted. These are releases that are not live, a canary, a running preview or the rollback
 * target, were not used recently and are not among the newest of their micro-frontend; and ended previews that were never
 * anything else.
 * @param {readonly ListedRelease[]} releases
 * @param {{ now: number, days: number, keep: number }} rule
 */
export function deletableReleases(releases, { now, days, keep }) {
  const unused = releases.filter(({ state }) => state === 'before')
  const idle = unused.filter(({ onlyPreviewed }) => !onlyPreviewed)
  return unused.filter(item => {
    if (item.onlyPreviewed) return true
    const rank = idle.filter(({ app }) => app === item.app).indexOf(item)
    return !item.previous && rank >= keep && item.usedUntil < now - days * DAY_MS
  })
}
