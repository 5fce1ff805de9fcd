import type { Database } from '../db/database.ts'
import { fileOf } from '../db/prepared-queries.ts'
import type { Ports } from '../ports.ts'

/*
 * Lets the lookup of a call's session and the first reads of its handler share one request to a database server. The reads
 * begin as soon as the token's signature is verified. Their results are discarded if the session turns out to be invalid or has
 * no access.
 */

const startedReads = new WeakMap<object, Promise<unknown>>()

/** Returns the result of the first reads of a call, if they were started early. */
export const findStartedRead = (call: object): Promise<unknown> | undefined => startedReads.get(call)

/**
 * Prepares the first reads of a handler; undefined if it has none, or for a database file, where this would save no time.
 */
export function prepareFirstRead(handler: object, db: Database, ports: Ports) {
  if (!('firstRead' in handler) || fileOf(db.read)) return undefined
  const read = handler.firstRead as (call: object) => Promise<unknown>
  return {
    /**
     * Starts preparing the reads of one call.
     * @param earlyInput the parsed input; if parsing fails, the call reports that later, after its access has been checked
     */
    async forCall(earlyInput: Promise<object> | undefined) {
      const input = await earlyInput?.catch(() => undefined)
      let pendingRead: Promise<unknown> | undefined
      return {
        begin(id: string): void {
          if (input) pendingRead = read({ ...input, db, ports, user: { id } })
          pendingRead?.catch(() => undefined)
        },
        attachTo(call: object): void {
          if (pendingRead) startedReads.set(call, pendingRead)
        },
      }
    },
  }
}
