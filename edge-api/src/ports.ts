import type { PreviewPointer } from '@portal/contract/remote'
import type { Database } from './db/database.ts'
import type { Environment } from './environment.ts'
import type { Encoding } from './http/accept-encoding.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { PaymentGateway } from './payment-gateway.ts'

/*
 * Everything the product needs from outside, as interfaces. A composition root in `runtimes/` supplies them; the product itself
 * never uses a global clock, random source, file or environment variable.
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

/** A mail being sent. If the process dies between sending and recording it, it is sent again, under the same `id`. */
export interface OutgoingMail extends Mail {
  id: string
}

export interface Mailer {
  /** Passes one mail to the transport; `signal` aborts it. Throws if it was not accepted; the outbox retries. */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<void>
  /** Throws if the transport cannot be reached. */
  check(): Promise<void>
}

/** Mail that was captured instead of sent, for `/mailbox`. Only if `MAIL_URL` is not set. */
export interface Mailbox {
  /** Lists captured mail, newest first, at most `limit`. */
  list(limit: number): Promise<(OutgoingMail & { at: number })[]>
}

/** A micro-frontend that this browser gets from a developer's server. */
export interface Override {
  name: string
  /** Origin of the development server. */
  origin: string
  /** End, in milliseconds since 1970. */
  until: number
}

/** Built front ends by path, e.g. `/index.html`, `/r/mfe-user/…`, `/config/remotes.json`. */
export interface Assets {
  /** The file as a response (type, ETag, precompressed body), or undefined if there is none. */
  get(path: string, request: Request): Promise<Response | undefined>
  /** Compresses a page that is created for each request; absent where the platform compresses. */
  encode?(text: string, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>>
  /** The reason why `remotes.json` is invalid and the last valid one is served; undefined if that is not checked. */
  damage?(): Promise<string | undefined>
  /** The preview of a front end that this browser has opened or, with `token`, can open; absent where there are none. */
  preview?(request: Request, token?: string): Promise<PreviewPointer | undefined>
  /** The override of this browser; absent where the installation allows none. */
  override?(request: Request): Promise<Override | undefined>
}

/** One line of the log. Never personal data: IDs, route patterns, codes and durations only. */
export type LogLine = { level: 'debug' | 'info' | 'warn' | 'error'; event: string } & Record<string, unknown>

/**
 * Obtains a timestamp from a service, which confirms that data with this SHA-256 exists now (RFC 3161).
 * @returns the verified token in DER; undefined if none can be obtained now
 */
export type Timestamp = (data: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer> | undefined>

/** A request to an address that a customer chose. */
export interface OutgoingRequest {
  url: URL
  /** IP address to connect to, one of those that `resolve` returned; undefined for the runtime's own choice. */
  address: string | undefined
  headers: Readonly<Record<string, string>>
  body: string
  /** Maximum bytes of the response that are read; the rest is cut off. */
  limit: number
  signal: AbortSignal
}

export interface OutgoingResponse {
  status: number
  retryAfter: string | undefined
  body: Uint8Array
}

/** Requests to addresses on the internet that customers chose. */
export interface Outgoing {
  /** Every IP address of a host. Undefined if the runtime cannot connect to a chosen address. @throws if it has none */
  resolve: ((host: string) => Promise<string[]>) | undefined
  /** Posts a body without following redirects. @throws if there is no response, or `signal` aborts */
  post(request: OutgoingRequest): Promise<OutgoingResponse>
}

/** Space on a disk, in bytes. */
export interface Disk {
  free: number
  total: number
}

export interface Ports {
  environment: Environment
  /** A database handle for one request; long-lived runtimes return the same one each time. */
  openDatabase(): Database
  clock: Clock
  mailer: Mailer
  mailbox: Mailbox | undefined
  /**
   * Gateways by provider name. New payments use `environment.PAYMENT_PROVIDER`, older ones the provider that they were
   * started with.
   */
  gateways: Readonly<Record<string, PaymentGateway>>
  /** The timestamp service; undefined if none is configured. */
  timestamp?: Timestamp
  outgoing: Outgoing
  assets: Assets
  /** The current log of front-end releases; undefined without a disk. */
  shipments?: () => Promise<string | undefined>
  /** Measures the disk of the database; undefined without one, as on workers. */
  disk?: () => Promise<Disk>
  /** Counters of this process since its start. */
  metrics: Metrics
  /** Largest file that may be uploaded, in bytes; a runtime's own limit may be lower. */
  uploadLimit: number
  /** Aborted when the process is about to end: work that runs in slices stops after the current one. */
  stopping: AbortSignal
  /** Aborted a little later, when slices that a client waits for must stop too. */
  finalStop: AbortSignal
  /** Continues after the response is sent; awaited by a graceful stop (`waitUntil` on workers). */
  background(work: Promise<unknown>): void
  /** Starts `work` after a delay, unless the process ends first; absent where only the scheduler waits, as on workers. */
  later?(milliseconds: number, work: () => void): void
  log(line: LogLine): void
}
