import type { Database } from './db/database.ts'
import type { Environment } from './environment.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { PaymentGateway } from './payment-gateway.ts'

/*
 * Everything the product needs from outside, as interfaces. A composition root in `runtimes/` supplies them; the
 * product itself never reaches for a global clock, random source, file or environment variable.
 */

/** Milliseconds since 1970, shifted by `CLOCK_OFFSET_SECONDS`. */
export interface Clock {
  now(): number
}

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

/** A mail on its way. Who died between sending and noting it sends it again, under the same `id`. */
export interface OutgoingMail extends Mail {
  id: string
}

export interface Mailer {
  /** Hands one mail to the transport; `signal` gives it up. Throws when it was not accepted; the outbox tries again. */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<void>
  /** Throws when the transport cannot be reached. */
  check(): Promise<void>
}

/** Mail that was captured instead of sent, for `/mailbox`. Only where `MAIL_URL` is not set. */
export interface Mailbox {
  /** Newest first, at most `limit`. */
  list(limit: number): Promise<(OutgoingMail & { at: number })[]>
}

/** Built front ends by path, e.g. `/index.html`, `/r/mfe-user/…`, `/config/remotes.json`. */
export interface Assets {
  /** The file as an answer (type, ETag, precompressed body), or undefined when there is none. */
  get(path: string, request: Request): Promise<Response | undefined>
  /** Why `remotes.json` is invalid, so that the last good one is served; absent where that is not checked. */
  damage?(): Promise<string | undefined>
}

/** One line of the log. Never personal data: ids, route patterns, codes and durations only. */
export type LogLine = { level: 'debug' | 'info' | 'warn' | 'error'; event: string } & Record<string, unknown>

/**
 * Has a service confirm that data existed by now (RFC 3161), as far as its SHA-256 shows.
 * @returns the token in DER, checked; undefined when there is none to be had now
 */
export type Timestamp = (data: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer> | undefined>

/** Room on a disk, in bytes. */
export interface Disk {
  free: number
  total: number
}

export interface Ports {
  environment: Environment
  /** A database handle for one request; long-lived runtimes hand out the same one each time. */
  openDatabase(): Database
  clock: Clock
  mailer: Mailer
  mailbox: Mailbox | undefined
  /** By provider name. New payments use `environment.PAYMENT_PROVIDER`, old ones their own. */
  gateways: Readonly<Record<string, PaymentGateway>>
  /** Left out where no timestamp service is configured. */
  timestamp?: Timestamp
  assets: Assets
  /** The current log of front-end releases; absent where they are shipped without a disk. */
  shipments?: () => Promise<string | undefined>
  /** Measures the disk that the database lies on; left out where there is none, as on workers. */
  disk?: () => Promise<Disk>
  /** What this process has counted since its start. */
  metrics: Metrics
  /** Largest file that may be uploaded, in bytes; a runtime's own limit may be lower. */
  uploadLimit: number
  /** Aborted when the process is about to end: whatever goes on in slices stops after the present one. */
  stopping: AbortSignal
  /** Aborted a little later, when slices that somebody waits for must stop too. */
  lastCall: AbortSignal
  /** Goes on after the answer has left; awaited by a graceful stop (`waitUntil` on workers). */
  background(work: Promise<unknown>): void
  log(line: LogLine): void
}
