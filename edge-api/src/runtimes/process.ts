import { mkdirSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { createClient } from '@libsql/client'
import { fileAssets } from '../adapters/assets-files.ts'
import { gatewaysFor } from '../adapters/gateways.ts'
import { jsonLog } from '../adapters/log-json.ts'
import { mailboxFiles } from '../adapters/mailbox-files.ts'
import { captureMailer } from '../adapters/mailer-capture.ts'
import { smtpMailer } from '../adapters/mailer-smtp.ts'
import { createApp } from '../app.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { openFile } from '../db/file-client.ts'
import { migrate } from '../db/migrate.ts'
import { seed } from '../db/seed.ts'
import { EnvironmentError, readEnvironment } from '../environment.ts'
import { tick } from '../payments/tick.ts'
import type { Disk, Ports } from '../ports.ts'
import type { App } from '../serve.ts'
import { scheduledBackup } from './scheduled-backup.ts'

/** How often the scheduled work looks for something to do, in milliseconds. */
const TICK_EVERY = 5000

/** Largest file that may be uploaded, in bytes. It is read as it arrives, never held. */
const UPLOAD_LIMIT = 500 * 1024 * 1024

/** What a long-lived runtime (Deno, Node) serves. */
export interface Portal {
  app: App
  host: string
  port: number
  /** Ends the scheduled work, waits for what goes on in the background, and closes the database. */
  stop(): Promise<void>
}

/** Builds the portal from the process's environment. Prints what is wrong and exits when it cannot start. */
export async function startPortal(): Promise<Portal> {
  const environment = environmentOrExit()
  const log = jsonLog(environment.LOG_LEVEL, line => process.stdout.write(`${line}\n`))
  const file = /^file:(.+)$/.exec(environment.DATABASE_URL)?.[1]
  const dataFolder = file ? path.dirname(file) : '.data'
  if (file) mkdirSync(dataFolder, { recursive: true })

  const database = await openOrExit(environment.DATABASE_URL, environment.DATABASE_AUTH_TOKEN, file)
  // Handed out for every request, so a request's end must not close it.
  const shared: Database = { ...database, close: () => undefined }

  const mailbox = environment.MAIL_URL ? undefined : mailboxFiles(path.join(dataFolder, 'mailbox'))
  const offset = environment.CLOCK_OFFSET_SECONDS * 1000
  const clock = { now: () => Date.now() + offset }
  const pending = new Set<Promise<unknown>>()
  const ports: Ports = {
    environment,
    openDatabase: () => shared,
    clock,
    mailer: environment.MAIL_URL
      ? smtpMailer({ url: environment.MAIL_URL, from: environment.MAIL_FROM })
      : captureMailer(mailbox ?? mailboxFiles(path.join(dataFolder, 'mailbox')), clock),
    mailbox,
    gateways: gatewaysFor(environment, fetch),
    assets: fileAssets('releases'),
    ...(file && { disk: () => roomOf(dataFolder) }),
    uploadLimit: UPLOAD_LIMIT,
    background(work) {
      const settled = work
        .catch((cause: unknown) => log({ level: 'error', event: 'background', cause: String(cause) }))
        .finally(() => pending.delete(settled))
      pending.add(settled)
    },
    log,
  }
  await seed(ports, shared)

  // A server's copies are made where the server runs.
  const backup = file ? scheduledBackup(ports, shared) : undefined
  let ticking: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    backup?.whenDue()
    ticking = ticking
      .then(() => tick(ports, shared))
      .catch((cause: unknown) => log({ level: 'error', event: 'tick', cause: String(cause) }))
  }, TICK_EVERY)

  return {
    app: createApp(ports),
    host: environment.HOST,
    port: environment.PORT,
    async stop() {
      clearInterval(timer)
      await backup?.stop()
      await ticking
      await Promise.all(pending)
      database.close()
    },
  }
}

/** The disk that a folder lies on, as far as this process may fill it. */
async function roomOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

function environmentOrExit() {
  try {
    return readEnvironment(process.env)
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error
    exit(error.message)
  }
}

async function openOrExit(
  url: string,
  authToken: string | undefined,
  file: string | undefined,
): Promise<Database> {
  try {
    // The busy timeout is for other processes' locks: `npm run backup`, say.
    const client = file
      ? openFile(file, { timeout: 5000 })
      : createClient({ url, ...(authToken && { authToken }) })
    if (file) await client.execute('pragma journal_mode = wal')
    await migrate(client)
    return openDatabase(client, { serialiseWrites: file !== undefined })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    exit(
      `DATABASE_URL: ${url.replace(/\/\/[^@/]*@/, '//')} cannot be opened (${reason}). Example: DATABASE_URL=file:.data/portal.db`,
    )
  }
}

/** Calls `stop` once, on SIGTERM or SIGINT, or when the process that started this one has ended. */
export function onStop(stop: () => void): void {
  let stopping = false
  const once = () => {
    if (!stopping) stop()
    stopping = true
  }
  process.on('SIGTERM', once)
  process.on('SIGINT', once)
  if (process.env.STOP_WITH_PARENT) process.stdin.resume().on('end', once).on('error', once)
}

/** Says why the start stops, on standard error, and stops it. */
export function exit(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
