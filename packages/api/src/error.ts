import { UNEXPECTED_ERROR, UNKNOWN_ERROR } from '@portal/contract/errors'
import { isRecord } from '@portal/contract/is-record'

export interface ApiErrorDetails {
  /** HTTP status; 0 if there was no response. */
  status: number
  code?: string | undefined
  fields?: Record<string, string> | undefined
  suggestion?: string | undefined
  requestId?: string | undefined
  /** Seconds to wait, from `Retry-After`. */
  retryAfter?: number | undefined
  /** Response body, for routes whose errors have additional fields. */
  body?: unknown
  cause?: unknown
}

/** A failed call. `message` can be shown to the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  /** Error messages by input field; empty if the server sent none. */
  readonly fields: Readonly<Record<string, string>>
  /** The suggested certificate number. */
  readonly suggestion: string | undefined
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  readonly body: unknown

  constructor(message: string, details: ApiErrorDetails) {
    super(message, { cause: details.cause })
    this.status = details.status
    this.code = details.code || UNKNOWN_ERROR
    this.fields = details.fields ?? {}
    this.suggestion = details.suggestion
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
    this.body = details.body
  }
}

const nonEmpty = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/**
 * Returns the message to show: the first non-empty of the body's `error`, its `message`, the fallback error's message and the
 * default.
 */
export function errorText(body: unknown, fallback?: unknown): string {
  const fromBody = isRecord(body) ? (nonEmpty(body.error) ?? nonEmpty(body.message)) : undefined
  return fromBody ?? (fallback instanceof Error ? nonEmpty(fallback.message) : undefined) ?? UNEXPECTED_ERROR
}

function fieldsOf(body: unknown): Record<string, string> | undefined {
  if (!isRecord(body) || !isRecord(body.fields)) return undefined
  const entries = Object.entries(body.fields).flatMap(([name, message]) =>
    typeof message === 'string' ? [[name, message] as const] : [],
  )
  return Object.fromEntries(entries)
}

/**
 * Returns how many seconds to wait from `now`, according to `Retry-After`, which is a number or a date (RFC 9110, section
 * 10.2.3).
 */
export function retryAfterOf(header: string | null, now: number = Date.now()): number | undefined {
  if (!header) return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

/** Creates the error for a response that is not 2xx; `body` is the parsed JSON, if any. */
export function errorOf(response: Pick<Response, 'status' | 'headers'>, body: unknown): ApiError {
  const record = isRecord(body) ? body : {}
  return new ApiError(errorText(body), {
    status: response.status,
    code: nonEmpty(record.code),
    fields: fieldsOf(body),
    suggestion: nonEmpty(record.suggestion),
    requestId: nonEmpty(record.request_id) ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterOf(response.headers.get('retry-after')),
    body,
  })
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError
export const isServerError = (error: unknown) => isApiError(error) && error.status >= 500
export const isClientError = (error: unknown) =>
  isApiError(error) && error.status >= 400 && error.status < 500
/** True for a call without a response: no connection, or a timeout. */
export const isNetworkError = (error: unknown) => isApiError(error) && error.status === 0
/** Returns the reference for support; undefined for failures that the caller caused. */
export const referenceOf = (error: unknown) =>
  isApiError(error) && (error.status >= 500 || error.status === 0) ? error.requestId : undefined
/** Returns the message to show for anything thrown. */
export const messageOf = (error: unknown) => errorText(undefined, error)
/** Like `messageOf`, but includes the reference; for browser dialogs, which can show only plain text. */
export function alertText(error: unknown): string {
  const reference = referenceOf(error)
  return reference ? `${messageOf(error)}\n\nReference: ${reference}` : messageOf(error)
}
