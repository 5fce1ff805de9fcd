import { type Client, createClient } from '@libsql/client/web'
import { keptStreams } from './kept-streams.ts'
import { limitedClient } from './limited-client.ts'
import { ANSWER, ServerHealth, serverFetch } from './server-fetch.ts'

/**
 * A client of a database server in which no response takes longer than `limit`, in milliseconds.
 * @throws ServerUnreachable from a statement that is not answered in time
 */
export function connectServer(url: string, authToken?: string, limit = ANSWER): Client {
  const health = new ServerHealth()
  const client = createClient({
    url,
    fetch: keptStreams(serverFetch(health, limit)),
    ...(authToken && { authToken }),
  })
  return /^wss?:/.test(url) ? limitedClient(client, health, limit) : client
}
