import { AsyncLocalStorage } from 'node:async_hooks'

/*
 * The ID that connects everything one request causes: the browser creates it, and it is passed on to the log, to the activity
 * log, to gateways, and back with the response. Work after the response keeps it.
 */

const current = new AsyncLocalStorage<string>()

/** Runs `work`, and everything that follows from it, under an ID. */
export const withRequestId = <T>(id: string, work: () => T): T => current.run(id, work)

/** The current ID; undefined outside a request. */
export const currentRequestId = (): string | undefined => current.getStore()
