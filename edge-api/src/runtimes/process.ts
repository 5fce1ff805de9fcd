import { statfs } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { fileAssets } from '../adapters/assets-files.ts'
import { gatewayFetch } from '../adapters/gateway-fetch.ts'
import { gatewaysFor } from '../adapters/gateways.ts'
import { jsonLog } from '../adapters/log-json.ts'
import { batchedLines } from '../adapters/log-lines.ts'
import { mailboxFiles } from '../adapters/mailbox-files.ts'
import { mailboxMemory } from '../adapters/mailbox-memory.ts'
import { captureMailer } from '../adapters/mailer-capture.ts'
import { smtpMailer } from '../adapters/mailer-smtp.ts'
import { nodeOutgoing } from '../adapters/outgoing-node.ts'
import { releasesFetch } from '../adapters/releases-fetch.ts'
import { releasesFile } from '../adapters/releases-file.ts'
import { OriginMemory, withReleasesOrigin } from '../adapters/releases-origin.ts'
import { timestampService } from '../adapters/timestamp-service.ts'
import { createApp } from '../app.ts'
import { causeOf } from '../cause.ts'
import type { Database } from '../db/database.ts'
import { WrongDatabaseVersion } from '../db/migrate.ts'
import { type Environment, EnvironmentError, readEnvironment, variableNames } from '../environment.ts'
import { makeFolder } from '../folder.ts'
import { withGoodPointer } from '../front-ends/good-pointer.ts'
import { withOverrides } from '../front-ends/overrides.ts'
import { withPreviews } from '../front-ends/previews.ts'
import { trustOf, warnInProduction } from '../front-ends/trust.ts'
import { gaugesNow } from '../health/gauges.ts'
import { underRequestId } from '../http/request-id.ts'
import type { App } from '../http/serve.ts'
import { scheduler } from '../jobs/scheduled-jobs.ts'
import { collectGauges } from '../metrics/families.ts'
import { Metrics } from '../metrics/metrics.ts'
import type { Disk, Ports } from '../ports.ts'
import { seed } from '../seed/seed.ts'
import { inSpan } from '../telemetry.ts'
import { fileOf, openAndMigrate } from './open-database.ts'

/** Interval of the scheduler, in milliseconds. */
const TICK_EVERY = 5000

/** How long after the stop signal work that a client waits for may continue, in milliseconds. */
const LAST_CALL = 4000

/** The parts of the portal that a long-lived runtime (Deno, Node) runs. */
export interface Portal {
  app: App
  host: string
  port: number
  log: Ports['log']
  /** One run of the background queues; a queue whose previous run has not ended is left out. */
  tick(): Promise<unknown>
  /** Starts no more scheduled work; work in slices ends with the current one. */
  beginToStop(): void
  /** Waits for scheduled and background work, and closes the database. */
  stop(): Promise<void>
}

/**
 * Builds the portal from the process's environment. Prints the problems and exits if it cannot start.
 * @param host `ephemeral`: the host stops the process between requests and keeps no files; scheduled work then only starts by
 * `scheduler`
 */
export async function startPortal({ ephemeral = false } = {}): Promise<Portal> {
  const environment = environmentOrExit({ disk: !ephemeral })
  // Must run before the first metric is created; only loaded if there is a collector.
  const endTelemetry = environment.OTEL_EXPORTER_OTLP_ENDPOINT
    ? (await import('./telemetry.ts')).startTelemetry()
    : undefined
  // A closed log pipe, or a full disk, must not end the portal.
  process.stdout.on('error', () => undefined)
  const lines = batchedLines(text => process.stdout.write(text))
  process.on('exit', lines.flush)
  const log = jsonLog(environment.LOG_LEVEL, lines.write)
  const file = fileOf(environment.DATABASE_URL)
  const dataFolder = file ? path.dirname(file) : '.data'

  const database = await openOrExit(environment)
  // Shared by all requests, so the end of a request must not close it.
  const shared: Database = { ...database, close: () => undefined }

  const mailbox = ephemeral
    ? mailboxMemory()
    : mailboxFiles(environment.MAIL_FOLDER ?? path.join(dataFolder, 'mailbox'))
  const offset = environment.CLOCK_OFFSET_SECONDS * 1000
  const clock = { now: () => Date.now() + offset }
  const metrics = new Metrics()
  const trust = trustOf(environment)
  const pending = new Set<Promise<unknown>>()
  const stopping = new AbortController()
  const lastCall = new AbortController()
  const background: Ports['background'] = work => {
    const settled = work
      .catch((cause: unknown) => log({ level: 'error', event: 'background', cause: causeOf(cause) }))
      .finally(() => pending.delete(settled))
    pending.add(settled)
  }
  const ports: Ports = {
    environment,
    openDatabase: () => shared,
    clock,
    mailer: environment.MAIL_URL
      ? smtpMailer({ url: environment.MAIL_URL, from: environment.MAIL_FROM })
      : captureMailer(mailbox, clock),
    mailbox: environment.MAIL_URL ? undefined : mailbox,
    gateways: gatewaysFor(environment, gatewayFetch(fetch, { log, metrics })),
    ...timestampService(environment, { fetch, log, metrics }),
    outgoing: nodeOutgoing(),
    assets: withOverrides(
      withPreviews(
        withGoodPointer(releasedFiles(environment, { clock, log }), {
          clock,
          log,
          database: shared,
          background,
          trust,
        }),
        { clock, log, trust, read: releasesFile(environment.RELEASES_FOLDER, 'previews.json') },
      ),
      { clock, environment },
    ),
    shipments: releasesFile(environment.RELEASES_FOLDER, 'shipments.jsonl'),
    ...(file && { disk: () => roomOf(dataFolder) }),
    metrics,
    uploadLimit: environment.UPLOAD_MAX_BYTES,
    stopping: stopping.signal,
    lastCall: lastCall.signal,
    background,
    log,
  }
  await seed(ports, shared)
  warnInProduction(ports)
  if (environment.OTEL_EXPORTER_OTLP_ENDPOINT) await collectGauges(() => gaugesNow(ports, shared))
  // Read once before the first request, so that a valid one is stored and a damaged one is logged.
  await ports.assets.damage?.()

  // Only loaded for a file, because it includes the native driver; a database server is backed up where it
  // runs.
  const backup = file ? (await import('./scheduled-backup.ts')).scheduledBackup(ports, shared) : undefined
  const runJobs = scheduler(ports, shared)
  const rounds = new Set<Promise<unknown>>()
  const tickNow = () => {
    // Log lines and gateway calls of a run share an ID, like those of a request.
    const round: Promise<unknown> = underRequestId(crypto.randomUUID(), () =>
      inSpan('scheduler run', {}, runJobs),
    )
      .catch((cause: unknown) => log({ level: 'error', event: 'scheduler', cause: causeOf(cause) }))
      .finally(() => rounds.delete(round))
    rounds.add(round)
    return round
  }
  const timer = ephemeral
    ? undefined
    : setInterval(() => {
        backup?.whenDue()
        tickNow()
      }, TICK_EVERY)

  return {
    app: createApp(ports),
    host: environment.HOST,
    port: environment.PORT,
    log,
    tick: tickNow,
    beginToStop() {
      clearInterval(timer)
      stopping.abort()
      setTimeout(() => lastCall.abort(), LAST_CALL)
    },
    async stop() {
      await backup?.stop()
      await Promise.all(rounds)
      while (pending.size > 0) await Promise.all(pending)
      database.close()
      await endTelemetry?.()
    },
  }
}

/** The releases folder, and front ends that teams released elsewhere. */
function releasedFiles(environment: Environment, ports: Pick<Ports, 'clock' | 'log'>) {
  const files = fileAssets(environment.RELEASES_FOLDER)
  return environment.RELEASES_URL
    ? withReleasesOrigin(files, {
        ...ports,
        origin: environment.RELEASES_URL,
        fetch: releasesFetch(environment, fetch),
        memory: new OriginMemory(),
        compressed: true,
      })
    : files
}

/** The disk of a folder, as far as this process may fill it. */
async function roomOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

function environmentOrExit(runtime: { disk: boolean }) {
  try {
    return readEnvironment(Object.fromEntries(variableNames.map(name => [name, process.env[name]])), runtime)
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error
    exit(error.message)
  }
}

async function openOrExit(environment: Environment): Promise<Database> {
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

/** Prints why the start stops on standard error, and stops it. */
export function exit(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
