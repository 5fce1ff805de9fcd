import { AsyncLocalStorage } from 'node:async_hooks'

/*
 * The id by which everything that one request causes is found again: the browser makes it, and it goes on to the log, to
 * the activity log, to gateways, and back with the answer. What goes on after the answer keeps it.
 */

const current = new AsyncLocalStorage<string>()

/** Does `work`, and all that follows from it, under an id. */
export const underRequestId = <T>(id: string, work: () => T): T => current.run(id, work)

/** The id under which this is done; undefined outside of any request. */
export const currentRequestId = (): string | undefined => current.getStore()
