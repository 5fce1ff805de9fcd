import type { ErrorCode } from './errors.ts'
import type { Json } from './openapi-examples.ts'
import type { Route } from './route.ts'

/* Response headers in the API description. */

const requestId = {
  schema: { type: 'string' },
  description: 'Identifies this request in the log.',
}
const etag = {
  schema: { type: 'string' },
  description: 'The version of the record in quotes, for `If-Match`.',
}
const replayed = {
  schema: { type: 'string', const: 'true' },
  description:
    'Present if this request repeats an earlier one with the same `Idempotency-Key`: it changed nothing, and returns the same payment or reply.',
}
const retryAfter = {
  schema: { type: 'integer', minimum: 1 },
  description: 'Seconds to wait before the next attempt.',
}

export const headersOfReply = ({ record, refusals }: Route): Json => ({
  'X-Request-Id': requestId,
  ...(record !== undefined && { ETag: etag }),
  ...(refusals?.includes('IDEMPOTENCY_MISMATCH') && { 'Idempotent-Replayed': replayed }),
})

/** Returns the response headers of errors with these codes. */
export const headersOfError = (codes: readonly ErrorCode[]): Json => ({
  'X-Request-Id': requestId,
  ...(codes.some(code => RETRY_AFTER_CODES.includes(code)) && { 'Retry-After': retryAfter }),
})

/** Codes whose responses have a `Retry-After` header. */
const RETRY_AFTER_CODES: readonly ErrorCode[] = [
  'RATE_LIMITED',
  'IDEMPOTENCY_IN_PROGRESS',
  'DATABASE_UNAVAILABLE',
]
