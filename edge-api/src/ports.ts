import type { PreviewPointer } from '@portal/contract/remote'
import type { Database } from './db/database.ts'
import type { Environment } from './environment.ts'
import type { Encoding } from './http/accept-encoding.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { PaymentGateway } from './payment-gateway.ts'

/*
 * Everything that the product needs from outside, as interfaces. The entry points in `runtimes/` provide the implementations;
 * the product itself never uses a global clock, random source, file or environment variable.
 */

/** The current time in milliseconds since 1970, shifted by `CLOCK_OFFSET_SECONDS`. */
export interface Clock {
  now(): number
}

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

/** An email to be sent. If the process dies after sending it but before recording that, it is sent again with the same `id`. */
export interface OutgoingMail extends Mail {
  id: string
}

export interface Mailer {
  /** Passes one email to the transport; `signal` aborts this. @throws if the email was not accepted; the outbox then retries */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<void>
  /** Checks that the transport can be reached. @throws if it cannot */
  check(): Promise<void>
}

/** Emails that were captured instead of being sent, for `/mailbox`. Exists only if `MAIL_URL` is not set. */
export interface Mailbox {
  /** Lists captured emails, newest first: at most `limit`. */
  list(limit: number): Promise<(OutgoingMail & { at: number })[]>
}

/** A micro-frontend that one browser gets from a developer's server. */
export interface Override {
  name: string
  /** Origin of the development server. */
  origin: string
  /** When the override expires, in milliseconds since 1970. */
  until: number
}

/** Built front ends by path, e.g. `/index.html`, `/r/mfe-user/…`, `/config/remotes.json`. */
export interface Assets {
  /** Returns a file as a response (with type, ETag, and compressed if possible), or undefined if there is no such file. */
  get(path: string, request: Request): Promise<Response | undefined>
  /** Compresses a page that is created for a request; missing on platforms that compress responses themselves. */
  encode?(text: string, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>>
  /**
   * If `remotes.json` is invalid, returns why; the last valid version is served meanwhile. Missing if this is not checked.
   */
  remotesError?(): Promise<string | undefined>
  /**
   * Returns the front-end preview that this browser has open, or the one that `token` lets it open. Missing where previews are
   * unsupported.
   */
  preview?(request: Request, token?: string): Promise<PreviewPointer | undefined>
  /** Returns the override of this browser; missing if the installation allows no overrides. */
  override?(request: Request): Promise<Override | undefined>
}

/** One line of the log. It must not contain personal data: only IDs, route patterns, codes and durations. */
export type LogLine = { level: 'debug' | 'info' | 'warn' | 'error'; event: string } & Record<string, unknown>

/**
 * Requests a timestamp (RFC 3161), which certifies that the data existed at that time. Only its SHA-256 is sent.
 * @returns the verified token in DER; undefined if none can be obtained now
 */
export type Timestamp = (data: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer> | undefined>

/** A request to a URL that a customer chose. */
export interface OutgoingRequest {
  url: URL
  /** IP address to connect to, one of those that `resolve` returned; undefined lets the runtime choose. */
  address: string | undefined
  headers: Readonly<Record<string, string>>
  body: string
  /** Maximum number of bytes of the response that are read; the rest is discarded. */
  limit: number
  signal: AbortSignal
}

export interface OutgoingResponse {
  status: number
  retryAfter: string | undefined
  body: Uint8Array
}

/** Sends requests to URLs on the internet that customers chose. */
export interface Outgoing {
  /**
   * Returns all IP addresses of a host. Undefined on runtimes that cannot connect to a given IP address.
   * @throws if the host has none
   */
  resolve: ((host: string) => Promise<string[]>) | undefined
  /** Posts a body without following redirects. @throws if there is no response, or `signal` aborts */
  post(request: OutgoingRequest): Promise<OutgoingResponse>
}

/** Total and free space of a disk, in bytes. */
export interface Disk {
  free: number
  total: number
}

export interface Ports {
  environment: Environment
  /** Returns a database handle for one request; on long-lived runtimes, it is always the same one. */
  openDatabase(): Database
  clock: Clock
  mailer: Mailer
  mailbox: Mailbox | undefined
  /**
   * Gateways by provider name. New payments use `environment.PAYMENT_PROVIDER`, and earlier ones the provider that they were
   * started with.
   */
  gateways: Readonly<Record<string, PaymentGateway>>
  /** The timestamp service; undefined if none is configured. */
  timestamp?: Timestamp
  outgoing: Outgoing
  assets: Assets
  /** Reads the log of front-end releases; missing without a disk. */
  releaseLog?: () => Promise<string | undefined>
  /** Measures the database's disk; missing if there is none, as on workers. */
  disk?: () => Promise<Disk>
  /** Counters of this process since its start. */
  metrics: Metrics
  /** Maximum size of an uploaded file, in bytes. The limit of the runtime itself may be lower. */
  uploadLimit: number
  /** Aborted when the process is about to end. Work that runs in slices then stops after the current slice. */
  stopping: AbortSignal
  /** Aborted a little later than `stopping`, when work that a client is waiting for must stop too. */
  finalStop: AbortSignal
  /** Lets work continue after the response has been sent. A graceful shutdown waits for it (`waitUntil` on workers). */
  background(work: Promise<unknown>): void
  /**
   * Starts `work` after a delay, unless the process ends first; missing where delayed work is left to the scheduler, as on
   * workers.
   */
  runLater?(milliseconds: number, work: () => void): void
  log(line: LogLine): void
}
