import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Database, Tx } from '../db/database.ts'
import { record } from '../logs/store.ts'
import type { Ports } from '../ports.ts'
import { activityOf, readShipments, type Shipment } from './rules.ts'
import { findRecordedIds, importedUntil, writeImported } from './store.ts'

/**
 * Copies new releases from the release log into the activity log. They are not written there directly, because releasing
 * requires access only to the releases folder and not to the database. Several imports can run at the same time, even in
 * portals that share a database: each release is written once.
 * @returns the number of entries written
 */
export async function importShipments(ports: Ports, database: Database): Promise<number> {
  const text = await ports.releaseLog?.()
  const read = text === undefined ? undefined : readShipments(text)
  if (!read) return 0
  const { log, shipments } = read
  const newest = shipments.at(-1)
  const now = ports.clock.now()
  const isDone = (from: number) =>
    newest === undefined || (newest.at <= from && from <= now + MAX_CLOCK_SKEW_MS)
  const before = await importedUntil(database.read, { log })
  if (!newest || newest.at === before || isDone(before)) return 0
  return await database.write(async tx => {
    const from = await importedUntil(tx, { log })
    const dueActivities = (await findDueShipments(tx, shipments, { from, now })).flatMap(
      shipment => activityOf(shipment) ?? [],
    )
    // A release that was made while the clock was ahead gets the current time.
    for (const activity of dueActivities) await record(tx, { ...activity, at: Math.min(activity.at, now) })
    if (newest.at !== from && !isDone(from)) await writeImported(tx, { log, at: newest.at })
    return dueActivities.length
  })
}

/**
 * Returns the releases that have not been imported yet: those after the last imported line. If the release log does not contain
 * that line, for example after a restore, returns the releases with a later time. If the line's time is in the future because
 * the clock was ahead, returns the releases that the activity log does not contain.
 */
async function findDueShipments(
  tx: Tx,
  shipments: readonly Shipment[],
  { from, now }: { from: number; now: number },
): Promise<readonly Shipment[]> {
  const last = shipments.findIndex(({ at }) => at === from)
  if (last >= 0) return shipments.slice(last + 1)
  if (from <= now + MAX_CLOCK_SKEW_MS) return shipments.filter(({ at }) => at > from)
  const recordedShipments = await findRecordedIds(tx, { ids: shipments.map(({ id }) => id) })
  return shipments.filter(({ id }) => !recordedShipments.has(id))
}
