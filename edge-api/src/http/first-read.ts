import type { Database } from '../db/database.ts'
import { fileOf } from '../db/prepared.ts'
import type { Ports } from '../ports.ts'

/*
 * Lets the lookup of a call's session and its first reads share one request to a database server. The reads begin once
 * the token's signature is verified. Their results are discarded if the session or its access turns out to be invalid.
 */

const started = new WeakMap<object, Promise<unknown>>()

/** Returns the reads that were begun for a call. */
export const firstReadFor = (call: object): Promise<unknown> | undefined => started.get(call)

/** Returns the first reads of a handler, if they can share a request. For a database file, there would be no gain. */
export function firstReadOf(handler: object, db: Database, ports: Ports) {
  if (!('firstRead' in handler) || fileOf(db.read)) return undefined
  const read = handler.firstRead as (call: object) => Promise<unknown>
  return {
    /** @param early the parsed input; if it is invalid, the call reports that only after its access was checked */
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
