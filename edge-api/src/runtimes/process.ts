import path from 'node:path'
import process from 'node:process'
import { jsonLog } from '../adapters/log-json.ts'
import { createLineBatcher } from '../adapters/log-lines.ts'
import { createApp } from '../app.ts'
import { describeCause } from '../cause.ts'
import type { Database } from '../db/database.ts'
import { WrongDatabaseVersion } from '../db/migrate.ts'
import { type Environment, EnvironmentError, readEnvironment, variableNames } from '../environment.ts'
import { makeFolder } from '../folder.ts'
import { warnOfUnsignedFrontEnds } from '../front-ends/trust.ts'
import { readGauges } from '../health/gauges.ts'
import { withRequestId } from '../http/request-id.ts'
import type { App } from '../http/serve.ts'
import { createScheduler } from '../jobs/scheduled-jobs.ts'
import { registerGauges } from '../metrics/families.ts'
import type { Ports } from '../ports.ts'
import { seed } from '../seed/seed.ts'
import { inSpan } from '../telemetry.ts'
import { fileOf, openAndMigrate } from './open-database.ts'
import { createProcessPorts } from './process-ports.ts'

/** Time between two runs of the scheduler, in milliseconds. */
const SCHEDULER_INTERVAL_MS = 5000

/** How long work may continue after the stop signal if a client is waiting for it, in milliseconds. */
const FINAL_STOP_DELAY_MS = 4000

/** The parts of the portal that a long-lived runtime (Deno, Node) runs. */
export interface Portal {
  app: App
  host: string
  port: number
  log: Ports['log']
  /** Runs every background queue once, except those that are still busy with the previous run. */
  runScheduledJobs(): Promise<unknown>
  /** Starts no more scheduled work. Work that runs in slices ends after the current slice. */
  beginToStop(): void
  /** Waits for scheduled and background work, and closes the database. */
  stop(): Promise<void>
}

/**
 * Creates the portal from the process's environment variables. If it cannot start, prints the problems and exits.
 * @param options `isEphemeral`: the host stops the process between requests and keeps no files, so scheduled work runs only when
 * `runScheduledJobs` is called
 */
export async function startPortal({ isEphemeral = false } = {}): Promise<Portal> {
  const environment = readEnvironmentOrExit({ hasDisk: !isEphemeral })
  const hasCollector = Boolean(environment.OTEL_EXPORTER_OTLP_ENDPOINT)
  // Must run before the first metric is created; loaded only if an OpenTelemetry collector is configured.
  const endTelemetry = hasCollector ? (await import('./telemetry.ts')).startTelemetry() : undefined
  const log = createStandardLog(environment)
  const database = await openDatabaseOrExit(environment)
  // All requests share this handle, so the end of a request must not close it.
  const sharedDatabase: Database = { ...database, close: () => undefined }
  const background = new PendingWork('background', log)
  const stopping = new AbortController()
  const finalStop = new AbortController()
  const ports = createProcessPorts(environment, {
    isEphemeral,
    log,
    database: sharedDatabase,
    background: work => {
      background.add(work)
    },
    stopping: stopping.signal,
    finalStop: finalStop.signal,
  })
  await seed(ports, sharedDatabase)
  warnOfUnsignedFrontEnds(ports)
  if (hasCollector) await registerGauges(() => readGauges(ports, sharedDatabase))
  // Called only because it reads and checks `remotes.json`: before the first request, a valid file is stored, and the problem
  // of an invalid one is logged.
  await ports.assets.remotesError?.()

  // Loaded only if the database is a file, because the module includes the native driver. A database server must be backed up
  // where it runs.
  const backup = fileOf(environment.DATABASE_URL)
    ? (await import('./scheduled-backup.ts')).createScheduledBackup(ports, sharedDatabase)
    : undefined
  const runJobs = createScheduler(ports, sharedDatabase)
  const scheduledRuns = new PendingWork('scheduler', log)
  // Each run has an ID like that of a request, which its log lines and gateway calls share.
  const runScheduledJobs = () =>
    scheduledRuns.add(withRequestId(crypto.randomUUID(), () => inSpan('scheduler run', {}, runJobs)))
  const timer = isEphemeral
    ? undefined
    : setInterval(() => {
        backup?.runIfDue()
        runScheduledJobs()
      }, SCHEDULER_INTERVAL_MS)

  return {
    app: createApp(ports),
    host: environment.HOST,
    port: environment.PORT,
    log,
    runScheduledJobs,
    beginToStop() {
      clearInterval(timer)
      stopping.abort()
      setTimeout(() => finalStop.abort(), FINAL_STOP_DELAY_MS)
    },
    async stop() {
      await backup?.stop()
      await scheduledRuns.waitForAll()
      await background.waitForAll()
      database.close()
      await endTelemetry?.()
    },
  }
}

/** Work that has not ended yet. Failures are logged under `event`. */
class PendingWork {
  readonly #pending = new Set<Promise<unknown>>()
  readonly #event: string
  readonly #log: Ports['log']

  constructor(event: string, log: Ports['log']) {
    this.#event = event
    this.#log = log
  }

  add(work: Promise<unknown>): Promise<unknown> {
    const tracked: Promise<unknown> = work
      .catch((cause: unknown) =>
        this.#log({ level: 'error', event: this.#event, cause: describeCause(cause) }),
      )
      .finally(() => this.#pending.delete(tracked))
    this.#pending.add(tracked)
    return tracked
  }

  async waitForAll(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending)
  }
}

/** Returns a log that writes to standard output, including the last lines before the process exits. */
function createStandardLog({ LOG_LEVEL }: Environment): Ports['log'] {
  // A closed pipe for the log, or a full disk, must not bring the portal down.
  process.stdout.on('error', () => undefined)
  const lines = createLineBatcher(text => process.stdout.write(text))
  process.on('exit', lines.flush)
  return jsonLog(LOG_LEVEL, lines.write)
}

function readEnvironmentOrExit(options: { hasDisk: boolean }) {
  try {
    return readEnvironment(Object.fromEntries(variableNames.map(name => [name, process.env[name]])), options)
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error
    exit(error.message)
  }
}

async function openDatabaseOrExit(environment: Environment): Promise<Database> {
  const file = fileOf(environment.DATABASE_URL)
  try {
    if (file) makeFolder(path.dirname(file))
    return await openAndMigrate(environment)
  } catch (error) {
    if (error instanceof WrongDatabaseVersion) exit(`DATABASE_URL: ${error.message}.`)
    const reason = error instanceof Error ? error.message : String(error)
    const address = environment.DATABASE_URL.replace(/\/\/[^@/]*@/, '//')
    exit(`DATABASE_URL: ${address} cannot be opened (${reason}). Example: DATABASE_URL=file:.data/portal.db`)
  }
}

/** Prints to standard error why startup failed, and exits. */
export function exit(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
