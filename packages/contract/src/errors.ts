/**
 * The error catalogue: every code that the server sends, with its HTTP status and message. Texts from section 8 of the
 * specification are verbatim.
 */
export const errorCatalogue = {
  VALIDATION_ERROR: { status: 400, message: 'Please check the highlighted fields.' },
  INVALID_CURRENT_PASSWORD: { status: 400, message: 'Your current password is not correct.' },
  INVALID_RESET_TOKEN: { status: 400, message: 'This password reset link is not valid or was already used.' },
  EXPIRED_RESET_TOKEN: { status: 400, message: 'This password reset link has expired.' },
  INVALID_VERIFICATION_TOKEN: {
    status: 400,
    message: 'This verification link is not valid or was already used.',
  },
  EXPIRED_VERIFICATION_TOKEN: { status: 400, message: 'This verification link has expired.' },
  INVALID_CSV: {
    status: 400,
    message: 'This file could not be read as CSV. Please compare it with the template.',
  },
  INVALID_INVITATION: { status: 400, message: 'This invitation is not valid or was already used.' },
  EXPIRED_INVITATION: {
    status: 400,
    message: 'This invitation has expired. Please ask for a new one.',
  },
  UNAUTHENTICATED: { status: 401, message: 'Please log in to continue.' },
  INVALID_CREDENTIALS: { status: 401, message: 'The email address or password is not correct.' },
  SECOND_FACTOR_REQUIRED: { status: 401, message: 'Please enter the code from your authenticator app.' },
  INVALID_SECOND_FACTOR: {
    status: 401,
    message:
      'This code is not correct or was already used. Please enter the next code of your app, or an unused recovery code.',
  },
  PAYMENT_FAILED: {
    status: 402,
    message: 'Payment failed. Please try again or use a different payment method.',
  },
  PAYMENT_CANCELLED: { status: 402, message: 'Payment was cancelled. You can try again when ready.' },
  PAYMENT_TIMEOUT: { status: 402, message: 'Payment timed out. Please try again.' },
  INSUFFICIENT_FUNDS: { status: 402, message: 'Insufficient funds. Please check your account balance.' },
  INVALID_CARD: { status: 402, message: 'Invalid card details. Please check and try again.' },
  CARD_DECLINED: {
    status: 402,
    message: 'Card was declined. Please try a different card or contact your bank.',
  },
  INSUFFICIENT_BALANCE: {
    status: 402,
    message: 'The balance is too low. Please top it up and try again.',
  },
  FORBIDDEN: { status: 403, message: 'You do not have permission to do this.' },
  EMAIL_NOT_VERIFIED: { status: 403, message: 'Please verify your email address before logging in.' },
  ACCOUNT_DISABLED: {
    status: 403,
    message: 'This account has been disabled. Please contact support.',
  },
  SECOND_FACTOR_NOT_SET_UP: {
    status: 403,
    message: 'Staff accounts need an authenticator app here. Please set one up under Account Security.',
  },
  FEATURE_OFF: { status: 403, message: 'This service is not available at the moment.' },
  ORGANISATION_SUSPENDED: {
    status: 403,
    message: 'This organisation is suspended. Please contact support.',
  },
  ORGANISATION_NOT_VETTED: {
    status: 403,
    message: 'Live API keys are available once the institution has vetted your organisation.',
  },
  NOT_FOUND: { status: 404, message: 'This address or record does not exist.' },
  USER_NOT_FOUND: { status: 404, message: 'User not found.' },
  CERTIFICATE_NOT_FOUND: { status: 404, message: 'Certificate not found in our database.' },
  TRANSACTION_NOT_FOUND: {
    status: 404,
    message: 'Transaction not found. Please check the transaction ID and try again.',
  },
  ORGANISATION_NOT_FOUND: { status: 404, message: 'Organisation not found.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not support that HTTP method.' },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request took too long to arrive. Please check your connection and try again.',
  },
  EMAIL_TAKEN: { status: 409, message: 'Another account already uses this email address.' },
  LETTER_WITHDRAWN: {
    status: 409,
    message: 'This letter was withdrawn, so there is no corrected one. Please contact support.',
  },
  LETTER_NOT_PRINTABLE: {
    status: 409,
    message:
      'The official letter for this certificate cannot be printed at the moment, because its data contains characters that the letter cannot show. You have not been charged. Our staff have been notified; please contact support.',
  },
  ERASURE_BLOCKED: {
    status: 409,
    message:
      'A payment is still open or a refund is still due. Please try again afterwards, or contact support.',
  },
  PAYMENT_DISPUTED: {
    status: 409,
    message:
      'This payment is disputed at its gateway. A refund now could return the money twice. Please answer the dispute first.',
  },
  DISPUTE_EXISTS: { status: 409, message: 'This dispute has already been added.' },
  DISPUTE_CLOSED: {
    status: 409,
    message: 'This is no longer possible for this dispute. Please reload the page.',
  },
  DISPUTE_ALREADY_REFUNDED: {
    status: 409,
    message:
      'The disputed amount was refunded already, so accepting would return it twice. Contest the dispute with the refund as evidence.',
  },
  CERTIFICATE_EXISTS: { status: 409, message: 'A certificate with this number already exists.' },
  COUNT_CHANGED: {
    status: 409,
    message: 'The number of matching certificates has changed. Please review the selection.',
  },
  ALREADY_REVERTED: { status: 409, message: 'This was already reverted.' },
  NOT_REVERTIBLE: { status: 409, message: 'This cannot be reverted.' },
  WRONG_STATE: { status: 409, message: 'This is no longer possible. Please reload the page.' },
  LAST_OWNER: { status: 409, message: 'An organisation needs at least one owner.' },
  ALREADY_MEMBER: { status: 409, message: 'This person is already a member.' },
  LIMIT_REACHED: {
    status: 409,
    message: 'You have reached the limit. Please remove something you no longer need first.',
  },
  ORGANISATION_HAS_BALANCE: {
    status: 409,
    message: 'Please use the balance or have it paid out first.',
  },
  BANK_DETAILS_MISSING: {
    status: 409,
    message: 'Bank transfers are not available yet. Please contact support.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    message: 'The first request with this key is still in progress.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 409,
    message: 'This idempotency key was already used for a different request.',
  },
  VERSION_CONFLICT: {
    status: 412,
    message: 'Someone else changed this record while you were editing it.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'This type of content is not accepted here.' },
  RATE_LIMITED: { status: 429, message: 'Too many attempts. Please wait a while and try again.' },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Please try again; if the problem continues, contact support.',
  },
  REQUERY_FAILED: {
    status: 502,
    message: 'Unable to verify payment status. Please try again or contact support.',
  },
  STATUS_CHECK_FAILED: {
    status: 503,
    message: 'Failed to check payment status. Please try again later.',
  },
  FEE_BELOW_MINIMUM: {
    status: 409,
    message:
      'This payment cannot be started, because it is less than the payment gateway accepts. You have not been charged. Please contact support.',
  },
  GATEWAY_UNAVAILABLE: {
    status: 503,
    message: 'The payment gateway is not available right now. You have not been charged. Please try again.',
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    message: 'The service is busy right now. Nothing was changed. Please try again in a moment.',
  },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errorCatalogue

export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[]

/** True if `code` is in the catalogue. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code)
}

/**
 * Body of every error response. `fields` maps input fields to error messages; `suggestion` is the certificate number that was
 * probably meant.
 */
export interface ErrorBody {
  error: string
  code: ErrorCode
  request_id: string
  fields?: Record<string, string>
  suggestion?: string
  /** The mode of the API key, in errors of calls made with a key. */
  livemode?: boolean
}

/** Default message for a failure that has none (specification, section 8). */
export const UNEXPECTED_ERROR = 'An unexpected error occurred.'
/** Default code for a failure that has none (specification, section 8). */
export const UNKNOWN_ERROR = 'UNKNOWN_ERROR'
