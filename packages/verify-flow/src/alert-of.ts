import { isApiError, isNetworkError, isServerError, messageOf, referenceOf } from '@portal/api/error'
import { formatDuration } from '@portal/format/dates'
import type { FlowAlert } from './flow.ts'

const NOT_CHARGED =
  'Compare the number with the certificate, letter by letter. If it is right, please contact support. You have not been charged.'

/** A failed call as the banner shows it: the server's sentence, and what to do where more can be said. */
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

/** No answer, or a server's trouble: worth asking again. Anything else stays as it is. */
export const mayRetry = (error: unknown) => isNetworkError(error) || isServerError(error)

/** The transaction is not this account's, or no longer known: there is nothing to wait for. */
export const isGone = (error: unknown) => isApiError(error) && error.status === 404
