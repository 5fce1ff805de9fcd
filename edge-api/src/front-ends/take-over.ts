import type { Database } from '../db/database.ts'
import { record } from '../logs/store.ts'
import type { Ports } from '../ports.ts'
import { activityOf, readShipments } from './rules.ts'
import { takenUpTo, writeTaken } from './store.ts'

/**
 * Takes over into the activity log what was shipped since: whoever ships needs the folder of releases, and no access to
 * the database. Any number of ticks may do so at once, also of portals that share a database: each entry is written once.
 * @returns how many entries were written
 */
export async function takeOverShipments(ports: Ports, database: Database): Promise<number> {
  const text = await ports.shipments?.()
  const read = text === undefined ? undefined : readShipments(text)
  if (!read) return 0
  const { log, shipments } = read
  const newest = shipments.at(-1)
  if (!newest || newest.at <= (await takenUpTo(database.read, { log }))) return 0
  return await database.write(async tx => {
    const from = await takenUpTo(tx, { log })
    const due = shipments.filter(({ at }) => at > from).flatMap(shipment => activityOf(shipment) ?? [])
    for (const activity of due) await record(tx, activity)
    await writeTaken(tx, { log, at: Math.max(from, newest.at) })
    return due.length
  })
}
