import { createClient } from '@libsql/client/web'
import { requestIdOf } from '@portal/contract/request-id'
import { bindingAssets, type Files } from '../adapters/assets-binding.ts'
import { gatewayFetch } from '../adapters/gateway-fetch.ts'
import { createGateways } from '../adapters/gateways.ts'
import { jsonLog } from '../adapters/log-json.ts'
import { mailboxMemory } from '../adapters/mailbox-memory.ts'
import { captureMailer } from '../adapters/mailer-capture.ts'
import { smtpMailer } from '../adapters/mailer-smtp.ts'
import { fetchOutgoing } from '../adapters/outgoing-fetch.ts'
import { releasesFetch } from '../adapters/releases-fetch.ts'
import { OriginState, withReleasesOrigin } from '../adapters/releases-origin.ts'
import { timestampService } from '../adapters/timestamp-service.ts'
import { createApp } from '../app.ts'
import { describeCause } from '../cause.ts'
import { openDatabase } from '../db/database.ts'
import { migrate, WrongDatabaseVersion } from '../db/migrate.ts'
import { ReplicaHealth } from '../db/replica.ts'
import { ServerHealth, serverFetch } from '../db/server-fetch.ts'
import { WriteHealth } from '../db/write-health.ts'
import { type Environment, readEnvironment } from '../environment.ts'
import { Fault } from '../fault.ts'
import { withOverrides } from '../front-ends/overrides.ts'
import { readTrust, withSignedPointer } from '../front-ends/trust.ts'
import { withRequestId } from '../http/request-id.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { Metrics } from '../metrics/metrics.ts'
import type { Assets, Ports } from '../ports.ts'
import { seed } from '../seed/seed.ts'

/** The worker's bindings: the environment variables as text and, optionally, the built front ends. */
type Bindings = Record<string, string> & { ASSETS?: Files }

/** Time limit of one statement of a migration, in milliseconds. */
const MIGRATION_TIMEOUT_MS = 60_000

/** Maximum size of an uploaded file, in bytes: the largest body that a worker accepts. */
const UPLOAD_LIMIT_BYTES = 100 * 1024 * 1024

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void
}

// One mailbox per isolate. Used only by workers that were started for development; all others have MAIL_URL.
const mailbox = mailboxMemory()
const replicaHealth = new ReplicaHealth()
const primaryHealth = new ServerHealth()
const replicaServerHealth = new ServerHealth()
const writes = new WriteHealth()
// Metrics of one isolate only; the next request of a collector may reach another one.
const metrics = new Metrics()
const neverAborted = new AbortController().signal
const originState = new OriginState()
const timestampPause = { until: 0 }
let preparation: Promise<void> | undefined
/** The reason why the isolate serves nothing: it would misread the database. Never cleared. */
let refusal: WrongDatabaseVersion | undefined

/** Calls `fetch` as a plain function, because workers reject calling it as a method of another object. */
const boundFetch = (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init)

/**
 * Creates the ports for one request. The database client lives only as long as the request, because workers do not allow
 * sharing sockets between requests.
 */
function createPorts(bindings: Bindings, context: ExecutionContext): Ports {
  const { ASSETS: files, ...variables } = bindings
  const environment = readEnvironment(variables, { hasDisk: false })
  const log = jsonLog(environment.LOG_LEVEL, line => console.log(line))
  const offset = environment.CLOCK_OFFSET_SECONDS * 1000
  const clock = { now: () => Date.now() + offset }
  const { DATABASE_URL: url, DATABASE_REPLICA_URL: replicaUrl, DATABASE_AUTH_TOKEN: authToken } = environment
  const open = (address: string, serverHealth: ServerHealth) =>
    createClient({ url: address, fetch: serverFetch(serverHealth), ...(authToken && { authToken }) })
  return {
    environment,
    openDatabase: () =>
      openDatabase(open(url, primaryHealth), {
        serialiseWrites: false,
        writes,
        replica: replicaUrl
          ? { client: open(replicaUrl, replicaServerHealth), health: replicaHealth }
          : undefined,
      }),
    clock,
    mailer: environment.MAIL_URL
      ? smtpMailer({ url: environment.MAIL_URL, from: environment.MAIL_FROM })
      : captureMailer(mailbox, clock),
    mailbox: environment.MAIL_URL ? undefined : mailbox,
    gateways: createGateways(environment, gatewayFetch(boundFetch, { log, metrics })),
    ...timestampService(environment, { fetch: boundFetch, log, metrics, pause: timestampPause }),
    outgoing: fetchOutgoing(boundFetch),
    assets: withOverrides(
      withSignedPointer(createReleaseAssets(environment, files, { log, clock }), {
        trust: readTrust(environment),
        log,
        clock,
      }),
      { clock, environment },
    ),
    metrics,
    uploadLimit: Math.min(UPLOAD_LIMIT_BYTES, environment.UPLOAD_MAX_BYTES),
    // Never aborted, because workers get no signal before they end.
    stopping: neverAborted,
    finalStop: neverAborted,
    background: work =>
      context.waitUntil(
        work.catch(cause => log({ level: 'error', event: 'background', cause: describeCause(cause) })),
      ),
    log,
  }
}

/** Serves front ends that were deployed with the worker, and those that teams released elsewhere. */
function createReleaseAssets(
  environment: Environment,
  files: Files | undefined,
  ports: Pick<Ports, 'clock' | 'log'>,
): Assets {
  const deployed = bindingAssets(files)
  return environment.RELEASES_URL
    ? withReleasesOrigin(deployed, {
        ...ports,
        origin: environment.RELEASES_URL,
        fetch: releasesFetch(environment, boundFetch),
        state: originState,
        servesCompressed: false,
      })
    : deployed
}

/** Migrates and seeds the database, once per isolate. Both are safe if many isolates start in parallel. */
async function prepare(ports: Ports): Promise<void> {
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken } = ports.environment
  const database = ports.openDatabase()
  const migrationClient = createClient({
    url,
    fetch: serverFetch(new ServerHealth(), MIGRATION_TIMEOUT_MS),
    ...(authToken && { authToken }),
  })
  try {
    // Fails fast if the server does not respond, instead of after the time that a migration may take.
    await database.client.execute('select 1')
    await migrate(migrationClient)
    await seed(ports, database)
  } finally {
    migrationClient.close()
    database.close()
  }
}

/** Waits for `prepare`. If the database is unreachable, the response reports that, and the next request tries again. */
async function ensurePrepared(ports: Ports): Promise<void> {
  if (!preparation) {
    preparation = prepare(ports).catch((cause: unknown) => {
      if (cause instanceof WrongDatabaseVersion) refusal = cause
      else preparation = undefined
      ports.log({ level: 'error', event: 'prepare', cause: describeCause(cause) })
    })
    // Keeps the work alive if the first caller disconnects, because others are waiting for it too.
    ports.background(preparation)
  }
  await preparation
}

function respondUnavailable(request: Request): Response {
  const fault = new Fault('DATABASE_UNAVAILABLE')
  const requestId = requestIdOf(request.headers.get('x-request-id') ?? undefined)
  return Response.json(fault.body(requestId), {
    status: fault.status,
    headers: { 'Cache-Control': 'no-store', 'X-Request-Id': requestId },
  })
}

export default {
  async fetch(request: Request, bindings: Bindings, context: ExecutionContext): Promise<Response> {
    const ports = createPorts(bindings, context)
    await ensurePrepared(ports)
    if (refusal) return respondUnavailable(request)
    return createApp(ports).fetch(request, {
      peerAddress: request.headers.get('cf-connecting-ip') ?? undefined,
    })
  },

  async scheduled(_event: unknown, bindings: Bindings, context: ExecutionContext): Promise<void> {
    const ports = createPorts(bindings, context)
    await ensurePrepared(ports)
    if (refusal) return
    const database = ports.openDatabase()
    try {
      await withRequestId(crypto.randomUUID(), () => runScheduledJobs(ports, database))
    } finally {
      database.close()
    }
  },
}
