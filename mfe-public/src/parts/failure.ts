import { isApiError, messageOf } from '@portal/api/error'

/** The parts of a failed call that these texts need; the API client's error has this shape. */
export interface Failure {
  /** The text to show, which the API client has chosen (`error`, else `message`, else its own). */
  message: string
  code: string
  /** Seconds until a retry is allowed, from `Retry-After`. */
  retryAfter?: number | undefined
}

/** Returns a text that says when to retry, such as `Try again in 2 minutes.`, in whole minutes from 90 s on. */
export function retryText(seconds: number): string {
  if (seconds < 90) {
    const rounded = Math.max(1, Math.ceil(seconds))
    return `Try again in ${rounded} ${rounded === 1 ? 'second' : 'seconds'}.`
  }
  const minutes = Math.ceil(seconds / 60)
  return `Try again in ${minutes} minutes.`
}

/** Returns the failure's own text and, if the server limits attempts, the time to retry. */
export function failureText(failure: Failure): string {
  return failure.retryAfter === undefined
    ? failure.message
    : `${failure.message} ${retryText(failure.retryAfter)}`
}

/** Returns the text to show for any thrown value. */
export const toErrorText = (error: unknown): string =>
  isApiError(error) ? failureText(error) : messageOf(error)

const RESET_TOKEN_CODES = new Set(['INVALID_RESET_TOKEN', 'EXPIRED_RESET_TOKEN'])

/** Returns true if the link of a password reset can no longer be used, so that the form is useless. */
export function isResetTokenFailure(failure: Failure): boolean {
  return RESET_TOKEN_CODES.has(failure.code)
}

/**
 * Returns the text of a failed password reset; for a used or expired link, the text says how to get a new one (specification,
 * section 8).
 */
export function resetFailureText(failure: Failure): string {
  return isResetTokenFailure(failure)
    ? `${failure.message} Please request a new password reset link.`
    : failureText(failure)
}

/** Returns the text of a failed lookup on the tracking page; two error codes have texts of their own (section 8). */
export function trackingFailureText(failure: Failure): string {
  if (failure.code === 'STATUS_CHECK_FAILED') return 'Unable to check payment status. Please try again later.'
  if (failure.code === 'TRANSACTION_NOT_FOUND')
    return 'Transaction not found. Please check the transaction ID and try again.'
  return failureText(failure)
}
