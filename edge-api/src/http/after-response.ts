import type { Database } from '../db/database.ts'
import type { Ports } from '../ports.ts'

type ResponsePorts = Pick<Ports, 'background' | 'log' | 'openDatabase'>

/**
 * Runs `work` after the response has been sent, with its own database handle, because that of the request may be closed by
 * then. Use it for work that must not affect the response time. Failures are logged and not thrown.
 * @param event event name of the log line for a failure
 */
export function afterResponse(
  ports: ResponsePorts,
  event: string,
  work: (db: Database) => Promise<void>,
): void {
  ports.background(run(ports, event, work))
}

async function run(
  ports: ResponsePorts,
  event: string,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  // Yields to the event loop first, because the native database driver is synchronous and would delay the response.
  await new Promise(resolve => setTimeout(resolve, 1))
  const database = ports.openDatabase()
  try {
    await work(database)
  } catch (error) {
    ports.log({ level: 'error', event, cause: error instanceof Error ? error.name : 'unknown' })
  } finally {
    database.close()
  }
}
