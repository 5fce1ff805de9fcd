import { type ErrorBody, type ErrorCode, errorCatalogue } from '@portal/contract/errors'

interface FaultOptions {
  /** Replaces the catalogue's message; must be suitable for users. */
  message?: string
  /** Error messages by field name, for `VALIDATION_ERROR`. */
  fields?: Record<string, string>
  /** The certificate number that was probably meant, derived only from the format of the input. */
  suggestion?: string | undefined
  /** Seconds after which it makes sense to retry; sent as `Retry-After`. */
  retryAfter?: number
  /** Additional fields of the response, as defined by the route's contract. */
  details?: Record<string, unknown>
  /** The underlying error, for the log only. */
  cause?: unknown
}

/** An error with a code from the error catalogue. Rules and stores throw it; `onError` turns it into a response. */
export class Fault extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly suggestion: string | undefined
  readonly retryAfter: number | undefined
  readonly details: Record<string, unknown> | undefined

  constructor(code: ErrorCode, options: FaultOptions = {}) {
    super(options.message ?? errorCatalogue[code].message, { cause: options.cause })
    this.name = 'Fault'
    this.code = code
    this.fields = options.fields
    this.suggestion = options.suggestion
    this.retryAfter = options.retryAfter
    this.details = options.details
  }

  get status(): (typeof errorCatalogue)[ErrorCode]['status'] {
    return errorCatalogue[this.code].status
  }

  body(requestId: string): ErrorBody {
    return {
      ...this.details,
      error: this.message,
      code: this.code,
      request_id: requestId,
      ...(this.fields && { fields: this.fields }),
      ...(this.suggestion && { suggestion: this.suggestion }),
    }
  }
}

/** Creates the error for a single input field; its message is also the message of the whole error. */
export const invalidField = (field: string, message: string, cause?: unknown): Fault =>
  new Fault('VALIDATION_ERROR', { message, fields: { [field]: message }, cause })
