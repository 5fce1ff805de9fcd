import { type ErrorBody, type ErrorCode, errorCatalogue } from '@portal/contract/errors'

/** An error of the mocked API, with its status and message from the contract's catalogue. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly suggestion: string | undefined

  constructor(
    code: ErrorCode,
    fields?: Record<string, string>,
    message?: string,
    suggestion?: string | undefined,
  ) {
    super(message ?? errorCatalogue[code].message)
    this.code = code
    this.fields = fields
    this.suggestion = suggestion
  }

  get status(): number {
    return errorCatalogue[this.code].status
  }

  body(requestId: string): ErrorBody {
    return {
      error: this.message,
      code: this.code,
      request_id: requestId,
      ...(this.fields && { fields: this.fields }),
      ...(this.suggestion && { suggestion: this.suggestion }),
    }
  }
}

/** Creates an error about one input field; its message is also that of the whole error. */
export const invalidField = (field: string, message: string): Fault =>
  new Fault('VALIDATION_ERROR', { [field]: message }, message)
