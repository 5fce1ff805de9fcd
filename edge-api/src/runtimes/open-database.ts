import type { Client } from '@libsql/client/web'
import { connectServer } from '../db/connect-server.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { ReplicaHealth } from '../db/replica.ts'
import { tracedClient } from '../db/traced-client.ts'
import type { Environment } from '../environment.ts'

/** How long startup waits for another process that has locked the file, in milliseconds. */
const START_TIMEOUT_MS = 5000
/**
 * How long a statement waits for such a lock, in milliseconds. The wait is short, because it blocks all requests; `write` then
 * retries.
 */
const LOCK_TIMEOUT_MS = 20
/** Time limit of one statement of a migration on a server, in milliseconds. */
const MIGRATION_TIMEOUT_MS = 60_000

/** Returns the path of a file database; undefined for a server. */
export const fileOf = (url: string) => /^file:(.+)$/.exec(url)?.[1]

/**
 * Opens the database of a long-lived runtime, and migrates it. The native driver is loaded only for a file: a process that uses
 * a database server needs no permission for it.
 */
export async function openAndMigrate({
  DATABASE_URL: url,
  DATABASE_REPLICA_URL: replicaUrl,
  DATABASE_AUTH_TOKEN: authToken,
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
}: Environment): Promise<Database> {
  const withTracing = (client: Client) => (collector ? tracedClient(client) : client)
  const file = fileOf(url)
  if (file !== undefined) {
    const { openFile } = await import('../db/file-client.ts')
    const migrationClient = openFile(file, { timeout: START_TIMEOUT_MS })
    // Has an effect only on a new file: it lets the scheduler return free pages to the file system.
    await migrationClient.execute('pragma auto_vacuum = incremental')
    await migrationClient.execute('pragma journal_mode = wal')
    await migrate(migrationClient)
    migrationClient.close()
    return openDatabase(withTracing(openFile(file, { timeout: LOCK_TIMEOUT_MS })), { serialiseWrites: true })
  }
  const open = (address: string, timeoutMs?: number) =>
    withTracing(connectServer(address, authToken, timeoutMs))
  const client = open(url)
  // Fails fast if there is no server, instead of after the time that a migration may take.
  await client.execute('select 1')
  const migrationClient = open(url, MIGRATION_TIMEOUT_MS)
  await migrate(migrationClient)
  migrationClient.close()
  const replica = replicaUrl ? { client: open(replicaUrl), health: new ReplicaHealth() } : undefined
  return openDatabase(client, { serialiseWrites: false, replica })
}
