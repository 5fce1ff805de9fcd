import type { Database } from '../db/database.ts'
import { fileOf } from '../db/prepared.ts'
import type { Ports } from '../ports.ts'

/*
 * Lets the lookup of a call's session and the first reads of its handler share one request to a database server. The reads
 * begin as soon as the token's signature is verified. Their results are discarded if the session turns out to be invalid or has
 * no access.
 */

const started = new WeakMap<object, Promise<unknown>>()

/** Returns the result of the reads that were started early for a call, if any. */
export const firstReadFor = (call: object): Promise<unknown> | undefined => started.get(call)

/**
 * Prepares the first reads of a handler; undefined if it has none, or for a database file, with which nothing would be gained.
 */
export function firstReadOf(handler: object, db: Database, ports: Ports) {
  if (!('firstRead' in handler) || fileOf(db.read)) return undefined
  const read = handler.firstRead as (call: object) => Promise<unknown>
  return {
    /**
     * Starts preparing the reads of one call.
     * @param early the parsed input; if parsing fails, the call reports that later, after its access has been checked
     */
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
