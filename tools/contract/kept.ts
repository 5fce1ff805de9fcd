import { existsSync } from 'node:fs'
import path from 'node:path'
import { readJson } from '../../scripts/shipping/folder.mjs'
import { DAYS, inventory, KEEP, past } from '../../scripts/shipping/inventory.mjs'
import { isByCommand } from '../../scripts/shipping/log.mjs'
import { placeOf } from '../../scripts/shipping/publish.mjs'
import { type Break, breaksOf } from './compare.ts'
import type { Description } from './description.ts'

/** A release that somebody shipped and that may be live, be gone back to, or run in pages that are still open. */
export interface Kept {
  /** `mfe-admin 3f2a9c`. */
  readonly name: string
  /** The calls it makes, as they were when it was built. */
  readonly calls: Description
}

/**
 * The releases in a folder that count: shipped by somebody's command, and not old enough to be deleted. What `npm start`
 * made of sources on their way does not.
 */
export async function keptReleases(folder: string, now = Date.now()): Promise<Kept[]> {
  if (!existsSync(folder)) return []
  const known = await inventory(folder)
  const gone = new Set(past(known, { now, days: DAYS, keep: KEEP }))
  const counted = known.filter(each => !gone.has(each) && each.shipped && isByCommand(each.shipped))
  const read = counted.map(async ({ app, release }) => {
    const calls: Description | undefined = await readJson(
      path.join(placeOf(folder, app, release), 'calls.json'),
    )
    return calls ? [{ name: `${app} ${release}`, calls }] : []
  })
  return (await Promise.all(read)).flat()
}

/** What these releases would meet in an API, each break once, and who makes the call. */
export function breaksOfKept(kept: readonly Kept[], present: Description): Break[] {
  const breaks = kept.flatMap(({ calls }) => breaksOf(calls, present))
  return breaks.filter(({ line }, at) => breaks.findIndex(each => each.line === line) === at)
}

/** Names of the releases that make a call. */
export const callersOf = (kept: readonly Kept[], call: string): string[] =>
  kept.filter(({ calls }) => calls.calls[call] !== undefined).map(({ name }) => name)
