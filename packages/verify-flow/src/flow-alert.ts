import { isApiError, isNetworkError, isServerError, messageOf, referenceOf } from '@portal/api/error'
import { formatDuration } from '@portal/format/dates'
import type { FlowAlert } from './flow.ts'

const NOT_CHARGED =
  'Compare the number with the certificate, character by character. If it is correct, please contact support. You have not been charged.'

/** Returns the alert for a failed call: the server's message and, if possible, what to do next. */
export function alertOf(error: unknown): FlowAlert {
  const reference = referenceOf(error)
  const alert: FlowAlert = { tone: 'error', text: messageOf(error), ...(reference && { reference }) }
  if (!isApiError(error)) return alert
  const field = error.fields.certificate_number
  const suggestion = error.suggestion === undefined ? {} : { suggestion: error.suggestion }
  if (field) return { tone: 'error', text: field, ...suggestion }
  if (error.code === 'CERTIFICATE_NOT_FOUND') {
    const detail = error.suggestion ? 'You have not been charged.' : NOT_CHARGED
    return { ...alert, detail, ...suggestion }
  }
  if (error.code === 'RATE_LIMITED' && error.retryAfter) {
    return { ...alert, detail: `You can try again in ${formatDuration(error.retryAfter * 1000)}.` }
  }
  return alert
}

/** True if a retry may help, which is only the case without a response or after a server error. */
export const mayRetry = (error: unknown) => isNetworkError(error) || isServerError(error)

/** True if the transaction belongs to another account or no longer exists. */
export const isNotFound = (error: unknown) => isApiError(error) && error.status === 404
