import { createClient } from '@libsql/client/web'
import { gatewaysFor } from '../adapters/gateways.ts'
import { jsonLog } from '../adapters/log-json.ts'
import { mailboxMemory } from '../adapters/mailbox-memory.ts'
import { captureMailer } from '../adapters/mailer-capture.ts'
import { smtpMailer } from '../adapters/mailer-smtp.ts'
import { createApp } from '../app.ts'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { seed } from '../db/seed.ts'
import { readEnvironment } from '../environment.ts'
import { tick } from '../payments/tick.ts'
import type { Ports } from '../ports.ts'

/** Bindings: the environment's variables as text, and optionally the built front ends. */
type Bindings = Record<string, string> & { ASSETS?: { fetch(request: Request): Promise<Response> } }

/** Largest file that may be uploaded, in bytes: what a worker accepts as a body. */
const UPLOAD_LIMIT = 100 * 1024 * 1024

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void
}

// One mailbox an isolate: only a worker run by hand has no MAIL_URL.
const mailbox = mailboxMemory()
let prepared: Promise<void> | undefined

/** A client lives as long as its request: workers forbid sharing sockets between requests. */
function portsFor(bindings: Bindings, context: ExecutionContext): Ports {
  const { ASSETS: files, ...variables } = bindings
  const environment = readEnvironment(variables)
  const log = jsonLog(environment.LOG_LEVEL, line => console.log(line))
  const offset = environment.CLOCK_OFFSET_SECONDS * 1000
  const clock = { now: () => Date.now() + offset }
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken } = environment
  return {
    environment,
    openDatabase: () =>
      openDatabase(createClient({ url, ...(authToken && { authToken }) }), { serialiseWrites: false }),
    clock,
    mailer: environment.MAIL_URL
      ? smtpMailer({ url: environment.MAIL_URL, from: environment.MAIL_FROM })
      : captureMailer(mailbox, clock),
    mailbox: environment.MAIL_URL ? undefined : mailbox,
    gateways: gatewaysFor(environment, (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init)),
    assets: {
      async get(path, request) {
        const answer = await files?.fetch(new Request(new URL(path, request.url), request))
        return answer?.ok ? new Response(answer.body, answer) : undefined
      },
    },
    uploadLimit: UPLOAD_LIMIT,
    background: work =>
      context.waitUntil(
        work.catch(cause => log({ level: 'error', event: 'background', cause: String(cause) })),
      ),
    log,
  }
}

/** Migrates and seeds once an isolate; both are safe when many isolates start at the same time. */
async function prepare(ports: Ports): Promise<void> {
  const database = ports.openDatabase()
  try {
    await migrate(database.client)
    await seed(ports, database)
  } finally {
    database.close()
  }
}

async function ready(ports: Ports): Promise<void> {
  prepared ??= prepare(ports).catch(error => {
    prepared = undefined
    throw error
  })
  await prepared
}

export default {
  async fetch(request: Request, bindings: Bindings, context: ExecutionContext): Promise<Response> {
    const ports = portsFor(bindings, context)
    await ready(ports)
    return createApp(ports).fetch(request, {
      peerAddress: request.headers.get('cf-connecting-ip') ?? undefined,
    })
  },

  async scheduled(_event: unknown, bindings: Bindings, context: ExecutionContext): Promise<void> {
    const ports = portsFor(bindings, context)
    await ready(ports)
    const database = ports.openDatabase()
    try {
      await tick(ports, database)
    } finally {
      database.close()
    }
  },
}
