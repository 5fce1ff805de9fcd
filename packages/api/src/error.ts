import { UNEXPECTED_ERROR, UNKNOWN_ERROR } from '@portal/contract/errors'
import { isRecord } from '@portal/contract/is-record'

export interface ApiErrorDetails {
  /** HTTP status; 0 when no answer arrived. */
  status: number
  code?: string | undefined
  fields?: Record<string, string> | undefined
  suggestion?: string | undefined
  requestId?: string | undefined
  /** Seconds to wait, from `Retry-After`. */
  retryAfter?: number | undefined
  /** The answer's body, for a route whose contract gives an error further fields. */
  body?: unknown
  cause?: unknown
}

/** A call that did not succeed. `message` is fit to show to a person. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  /** What is wrong with each input field, by its name; empty when the server named none. */
  readonly fields: Readonly<Record<string, string>>
  /** The certificate number that was probably meant. */
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

const filled = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/** The text to show: the body's `error`, else its `message`, else the error's own, else the catalogue's last resort. */
export function errorText(body: unknown, own?: unknown): string {
  const fromBody = isRecord(body) ? (filled(body.error) ?? filled(body.message)) : undefined
  return fromBody ?? (own instanceof Error ? filled(own.message) : undefined) ?? UNEXPECTED_ERROR
}

function fieldsOf(body: unknown): Record<string, string> | undefined {
  if (!isRecord(body) || !isRecord(body.fields)) return undefined
  const entries = Object.entries(body.fields).flatMap(([name, message]) =>
    typeof message === 'string' ? [[name, message] as const] : [],
  )
  return Object.fromEntries(entries)
}

/** `Retry-After` as seconds from `now`; it may be a number or a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(header: string | null, now: number = Date.now()): number | undefined {
  if (!header) return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

/** The error of an answer that is not 2xx; `body` is its JSON, if it had any. */
export function errorOf(response: Pick<Response, 'status' | 'headers'>, body: unknown): ApiError {
  const record = isRecord(body) ? body : {}
  return new ApiError(errorText(body), {
    status: response.status,
    code: filled(record.code),
    fields: fieldsOf(body),
    suggestion: filled(record.suggestion),
    requestId: filled(record.request_id) ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterOf(response.headers.get('retry-after')),
    body,
  })
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError
export const isServerError = (error: unknown) => isApiError(error) && error.status >= 500
export const isClientError = (error: unknown) =>
  isApiError(error) && error.status >= 400 && error.status < 500
/** No answer arrived: no connection, or the time limit passed. */
export const isNetworkError = (error: unknown) => isApiError(error) && error.status === 0
/** By what support finds a failure that was not the caller's mistake; a refusal needs none. */
export const referenceOf = (error: unknown) =>
  isApiError(error) && (error.status >= 500 || error.status === 0) ? error.requestId : undefined
/** What to show for whatever was thrown. */
export const messageOf = (error: unknown) => errorText(undefined, error)
/** The same for a dialog of the browser, which takes plain text alone. */
export function alertText(error: unknown): string {
  const reference = referenceOf(error)
  return reference ? `${messageOf(error)}\n\nReference: ${reference}` : messageOf(error)
}
