import { type Client, createClient } from '@libsql/client'
import { connectServer } from './connect-server.ts'

/** How long a command waits for a lock that the running portal holds on the file, in milliseconds. */
const LOCK_TIMEOUT_MS = 5000
/**
 * How long a command waits for one response from a server, in milliseconds. Building an index of a restored table takes
 * minutes, but a limit is needed, because a replica that cannot reach its primary never responds.
 */
const SERVER_TIMEOUT_MS = 600_000

/**
 * Creates a client for commands that run alongside the portal (backup, restore, keys, audit), with generous time limits.
 * @param limit maximum time for one response from a server, in milliseconds
 * @throws ServerUnreachable from a statement that the server does not answer in time
 */
export function commandClient(url: string, authToken?: string, limit = SERVER_TIMEOUT_MS): Client {
  return url.startsWith('file:')
    ? createClient({ url, timeout: LOCK_TIMEOUT_MS })
    : connectServer(url, authToken, limit)
}
