import { type Client, createClient } from '@libsql/client/web'
import { limitedClient } from './limited-client.ts'
import { RESPONSE_TIMEOUT_MS, ServerHealth, serverFetch } from './server-fetch.ts'
import { pooledStreams } from './stream-pool.ts'

/**
 * Creates a client for a database server.
 * @param limit maximum time for one response, in milliseconds
 * @throws ServerUnreachable from a statement that is not answered in time
 */
export function connectServer(url: string, authToken?: string, limit = RESPONSE_TIMEOUT_MS): Client {
  const health = new ServerHealth()
  const client = createClient({
    url,
    fetch: pooledStreams(serverFetch(health, limit)),
    ...(authToken && { authToken }),
  })
  return /^wss?:/.test(url) ? limitedClient(client, health, limit) : client
}
