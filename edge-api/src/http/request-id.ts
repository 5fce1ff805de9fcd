import { AsyncLocalStorage } from 'node:async_hooks'

/*
 * The ID that connects everything that one request causes. The browser creates it; it is passed on to the log, the activity log
 * and gateways, and returned in the response. Work that runs after the response has the same ID.
 */

const current = new AsyncLocalStorage<string>()

/** Runs `work`, and everything that it starts, under a request ID. */
export const withRequestId = <T>(id: string, work: () => T): T => current.run(id, work)

/** Returns the current request ID, or undefined outside a request. */
export const currentRequestId = (): string | undefined => current.getStore()
