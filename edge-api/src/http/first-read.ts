import type { Database } from '../db/database.ts'
import { fileOf } from '../db/prepared.ts'
import type { Ports } from '../ports.ts'

/*
 * A call's session and its first reads share one request to a database server. The reads begin once the token's
 * signature was verified; their results are dropped unless the session and the access are valid.
 */

const started = new WeakMap<object, Promise<unknown>>()

/** The reads that were begun for a call. */
export const firstReadFor = (call: object): Promise<unknown> | undefined => started.get(call)

/** The first reads of a handler, if they can share a request. With a database file they would gain nothing. */
export function firstReadOf(handler: object, db: Database, ports: Ports) {
  if (!('firstRead' in handler) || fileOf(db.read)) return undefined
  const read = handler.firstRead as (call: object) => Promise<unknown>
  return {
    /** @param early the input; the call reports its error after those of access */
    async for(early: Promise<object> | undefined) {
      const input = await early?.catch(() => undefined)
      let found: Promise<unknown> | undefined
      return {
        begin(id: string): void {
          if (input) found = read({ ...input, db, ports, user: { id } })
          found?.catch(() => undefined)
        },
        attachTo(call: object): void {
          if (found) started.set(call, found)
        },
      }
    },
  }
}
