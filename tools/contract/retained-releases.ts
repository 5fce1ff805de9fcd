import { existsSync } from 'node:fs'
import path from 'node:path'
import { readJson } from '../../scripts/shipping/folder.mjs'
import {
  deletableReleases,
  listReleaseInventory,
  MIN_KEPT_RELEASES,
  RETENTION_DAYS,
} from '../../scripts/shipping/inventory.mjs'
import { isByCommand } from '../../scripts/shipping/log.mjs'
import { releaseFolder } from '../../scripts/shipping/publish.mjs'
import { type BreakingChange, findBreakingChanges } from './compare.ts'
import type { Description } from './description.ts'

/** A published release that is live, can be rolled back to, or may still run in pages that are open. */
export interface RetainedRelease {
  /** The micro-frontend and the release, such as `mfe-admin 3f2a9c`. */
  readonly name: string
  /** The API calls that it makes, as they were described when it was built. */
  readonly calls: Description
}

/**
 * Returns the releases in a folder that were published by a command and are not due for deletion. Those that only `npm start`
 * published are left out.
 */
export async function listRetainedReleases(folder: string, now = Date.now()): Promise<RetainedRelease[]> {
  if (!existsSync(folder)) return []
  const releases = await listReleaseInventory(folder)
  const deletable = new Set(
    deletableReleases(releases, { now, days: RETENTION_DAYS, keep: MIN_KEPT_RELEASES }),
  )
  const retained = releases.filter(item => !deletable.has(item) && item.shipped && isByCommand(item.shipped))
  const reads = retained.map(async ({ app, release }) => {
    const calls: Description | undefined = await readJson(
      path.join(releaseFolder(folder, app, release), 'calls.json'),
    )
    return calls ? [{ name: `${app} ${release}`, calls }] : []
  })
  return (await Promise.all(reads)).flat()
}

/** Returns the breaking changes of an API for these releases, without duplicates. */
export function findBreakingChangesOfReleases(
  releases: readonly RetainedRelease[],
  current: Description,
): BreakingChange[] {
  const breakingChanges = releases.flatMap(({ calls }) => findBreakingChanges(calls, current))
  return breakingChanges.filter(
    ({ line }, index) => breakingChanges.findIndex(item => item.line === line) === index,
  )
}

/** Returns the names of the releases that make a call. */
export const callersOf = (releases: readonly RetainedRelease[], call: string): string[] =>
  releases.filter(({ calls }) => calls.calls[call] !== undefined).map(({ name }) => name)
