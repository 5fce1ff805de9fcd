import { statfsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Client, InArgs, InStatement, ResultSet, TransactionMode } from '@libsql/client'
import { type Database, openDatabase } from '../src/db/database.ts'
import { openFile } from '../src/db/file-client.ts'
import { migrate } from '../src/db/migrate.ts'
import { type Environment, readEnvironment } from '../src/environment.ts'
import { Metrics } from '../src/metrics/metrics.ts'
import type { LogLine, OutgoingMail, OutgoingRequest, OutgoingResponse, Ports } from '../src/ports.ts'
import { LETTER_KEY } from './letter-keys.ts'

export interface TemporaryDatabase {
  database: Database
  /** Closes the database and removes its files. */
  remove(): Promise<void>
}

/** A file system in memory, its type according to statfs(2), and the bytes that must be free in it. */
const MEMORY_FOLDER = '/dev/shm'
const TMPFS = 0x01021994
const MIN_FREE_BYTES = 1024 ** 3

/**
 * Returns the folder for a test's database: in memory if there is room, because commits to disk took most of the time of a
 * test. Benchmarks use the disk, because they measure it too.
 */
function chooseDatabaseFolder(): string {
  if (!process.env.VITEST) return tmpdir()
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return type === TMPFS && bavail * bsize > MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir()
  } catch {
    return tmpdir()
  }
}

let template: Promise<Buffer> | undefined

/**
 * Returns the bytes of an empty database with every migration, created once per process: writing them to a file takes a
 * fraction of the time of migrating.
 */
async function makeTemplate(): Promise<Buffer> {
  const folder = await mkdtemp(path.join(chooseDatabaseFolder(), 'portal-template-'))
  const file = path.join(folder, 'portal.db')
  const client = openFile(file, { timeout: 5000 })
  try {
    await client.execute('pragma journal_mode = wal')
    await migrate(client)
    await client.execute('pragma wal_checkpoint(truncate)')
    return await readFile(file)
  } finally {
    client.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Makes statements that tests run outside a transaction wait for an open transaction. Background work of the product may hold
 * the lock, and a synchronous wait for it in the same process would never end.
 */
function waitForTransactions(client: Client): void {
  const openTransactions = new Set<Promise<void>>()
  const transaction = client.transaction.bind(client)
  client.transaction = async (mode?: TransactionMode) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const markEnded = () => {
      openTransactions.delete(promise)
      resolve()
    }
    // Before the transaction begins, because it already has the lock while its caller waits for it.
    openTransactions.add(promise)
    const opened = await transaction(mode).catch(error => {
      markEnded()
      throw error
    })
    for (const end of ['commit', 'rollback', 'close'] as const) {
      const originalEnd = opened[end].bind(opened)
      opened[end] = async () => {
        try {
          await originalEnd()
        } finally {
          markEnded()
        }
      }
    }
    return opened
  }
  const execute = client.execute.bind(client) as (statement: InStatement, args?: InArgs) => Promise<ResultSet>
  client.execute = async (statement: InStatement, args?: InArgs) => {
    const text = typeof statement === 'string' ? statement : statement.sql
    if (!/^\s*(?:select|with|pragma|explain)\b/i.test(text))
      while (openTransactions.size > 0) await Promise.all(openTransactions)
    return await execute(statement, args)
  }
}

/**
 * Creates a migrated file database for one test.
 * @param parentFolder the folder in which the database's own folder is created
 */
export async function createTemporaryDatabase(
  parentFolder = chooseDatabaseFolder(),
): Promise<TemporaryDatabase> {
  template ??= makeTemplate()
  const folder = await mkdtemp(path.join(parentFolder, 'portal-unit-'))
  const file = path.join(folder, 'portal.db')
  await writeFile(file, await template)
  const client = openFile(file, { timeout: 5000 })
  waitForTransactions(client)
  return {
    database: openDatabase(client, { serialiseWrites: true }),
    async remove() {
      client.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Ports with a stopped clock that a test can advance, and that record what was sent and logged. */
export interface TestPorts
  extends Pick<
    Ports,
    'clock' | 'environment' | 'mailer' | 'outgoing' | 'metrics' | 'stopping' | 'finalStop' | 'log'
  > {
  /** Abort this to signal that the process is about to end. */
  end: AbortController
  /** The time of the clock, in milliseconds since 1970. */
  time: number
  sent: OutgoingMail[]
  /** Webhook requests that were sent to customers' servers. */
  posted: OutgoingRequest[]
  /** Responds to a webhook request as the customer's server would. */
  receive(request: OutgoingRequest): Promise<Partial<OutgoingResponse>>
  /** Returns the IP addresses of a customer's host. */
  resolve(host: string): Promise<string[]>
  lines: LogLine[]
}

/** Creates the ports. @param variables environment variables that differ from the defaults */
export function createTestPorts(variables: Record<string, string> = {}): TestPorts {
  const environment: Environment = readEnvironment({
    JWT_SECRET: 'secret-of-the-unit-tests-0123456789',
    PAYMENT_WEBHOOK_SECRET: 'webhook-secret-of-the-unit-tests',
    LETTER_SIGNING_KEY: LETTER_KEY,
    PASSWORD_COST: '6',
    ...variables,
  })
  const end = new AbortController()
  const ports: TestPorts = {
    environment,
    end,
    metrics: new Metrics(),
    stopping: end.signal,
    finalStop: end.signal,
    time: Date.UTC(2026, 0, 15, 12),
    sent: [],
    posted: [],
    receive: async () => ({}),
    resolve: async () => ['198.41.0.4'],
    outgoing: {
      resolve: host => ports.resolve(host),
      async post(request) {
        ports.posted.push(request)
        const response = await ports.receive(request)
        return { status: 200, retryAfter: undefined, body: new Uint8Array(), ...response }
      },
    },
    lines: [],
    clock: { now: () => ports.time },
    mailer: {
      async send(mail) {
        ports.sent.push(mail)
      },
      async check() {},
    },
    log: line => {
      ports.lines.push(line)
    },
  }
  return ports
}
