/** Entry point of the service, on Deno or Node: reads the environment, opens the database, and serves until it is stopped. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { listen, PortTakenError } from '../listener/listen.ts'
import { createPaymentService } from './app.ts'
import { readSettings, type Settings, SettingsError } from './config.ts'
import { openDatabase } from './schema.ts'
import type { Log } from './service.ts'

const schedulerIntervalMs = 1000
/** Longest wait for responses when the service stops, in milliseconds. */
const maxResponseWaitMs = 5000
/** Longest wait for webhooks that are being sent when the service stops, in milliseconds. */
const maxDeliveryWaitMs = 2000
const levels = ['debug', 'info', 'warn', 'error', 'silent']

try {
  await start(readSettings(process.env))
} catch (cause) {
  if (!(cause instanceof SettingsError || cause instanceof PortTakenError)) throw cause
  process.stderr.write(`The payment service did not start.\n${cause.message}\n`)
  process.exit(1)
}

async function start(settings: Settings): Promise<void> {
  const { databaseUrl, host, port } = settings
  if (databaseUrl.startsWith('file:')) await mkdir(dirname(pathOfFileUrl(databaseUrl)), { recursive: true })
  const { db, close } = await openDatabase(databaseUrl, settings.databaseAuthToken)
  // If the pipe for the log is closed, the service must keep running.
  process.stdout.on('error', () => {})
  const log = createLog(settings.logLevel)
  const clock = { now: () => new Date(Date.now() + settings.clockOffsetSeconds * 1000) }
  const service = createPaymentService({ db, clock, fetch, config: settings, log })
  const server = await listen({ hostname: host, port, fetch: request => service.app.fetch(request) }).catch(
    cause => {
      close()
      if (!(cause instanceof PortTakenError)) throw cause
      throw new PortTakenError(
        `PAYMENT_PORT ${port} on ${host} is already in use. Stop what uses it or choose another: PAYMENT_PORT=${port + 10}`,
      )
    },
  )
  log({ level: 'info', event: 'listening', url: settings.paymentUrl, host, port: server.port })

  let scheduledRun = Promise.resolve()
  const timer = setInterval(() => {
    scheduledRun = service.runScheduledJobs().catch(cause => {
      log({ level: 'error', event: 'scheduler', message: cause instanceof Error ? cause.name : 'unknown' })
    })
  }, schedulerIntervalMs)

  let isStopping = false
  async function stop() {
    if (isStopping) return
    isStopping = true
    clearInterval(timer)
    await server.stop(maxResponseWaitMs)
    // Webhooks that are not finished by then are delivered after the next start.
    const timeout = new Promise(resolve => setTimeout(resolve, maxDeliveryWaitMs))
    await Promise.race([Promise.all([scheduledRun, service.idle()]), timeout])
    close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (settings.stopWithParent) process.stdin.resume().on('end', stop).on('error', stop)
}

/** Returns the path in a file URL, in both forms: `file:.data/payments.db` and `file:///srv/payments.db`. */
function pathOfFileUrl(url: string): string {
  const path = url.slice('file:'.length).split('?')[0] ?? ''
  return path.startsWith('//') ? decodeURIComponent(new URL(url).pathname) : path
}

/** Returns a log that writes one line of JSON per entry to standard output. */
function createLog(minLevel: Settings['logLevel']): Log {
  return entry => {
    if (levels.indexOf(String(entry.level)) < levels.indexOf(minLevel)) return
    process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
  }
}
