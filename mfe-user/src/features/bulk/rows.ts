import { isCertificateNumber } from '@portal/contract/certificate-number'
import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import type { LetterLink } from '@portal/contract/letter'
import type { StatusItem, StatusReply } from '@portal/contract/verification'
import type { BulkResult } from '@portal/contract/verification-bulk'
import { type BulkState, bulkDisplay, bulkStates } from '@portal/format/bulk-status'
import { csvLine } from '@portal/format/csv'
import { formatMoney } from '@portal/format/money'
import { type MoneyNote, moneyNote } from '@portal/format/money-note'

/** A number in the table, with the outcome of its check and, once it is paid for, its result. */
export interface Row {
  number: string
  state: BulkState
  message: string
  /** The number that the user probably meant. */
  suggestion: string | undefined
  /** The payment to which the number's letter belongs. */
  transactionId: string | null
  certificate: StatusItem['certificate']
  letter: LetterLink | null
}

/** Returns the state of a checked number. In the response, a valid number counts as invalid if its letter cannot be printed. */
function toBulkState({ status, certificate_number }: BulkResult): BulkState {
  return status === 'invalid' && isCertificateNumber(certificate_number) ? 'unprintable' : status
}

function toCheckedRow(result: BulkResult): Row {
  return {
    number: result.certificate_number,
    state: toBulkState(result),
    message: result.message ?? '',
    suggestion: result.suggestion,
    transactionId: result.transaction_id ?? null,
    certificate: null,
    letter: null,
  }
}

function stateOf({ status, verification_status, resolution }: StatusItem): BulkState {
  if (resolution === 'reversed' || resolution === 'review') return resolution
  const isRefund = resolution === 'refund_due' || resolution === 'refunded'
  if (isRefund && verification_status !== 'success') return resolution
  if (status === 'failed') return 'failed'
  if (status === 'pending') return 'pending'
  return verification_status === 'success' ? 'found' : 'missed'
}

function toPaidRow(item: StatusItem, transactionId: string): Row {
  return {
    number: item.certificate_number,
    state: stateOf(item),
    // A success needs no text, and the reason why nothing was paid is shown once above the table; other rows show the next
    // step.
    message:
      (item.verification_status === 'success' && item.resolution === 'verified') || item.status === 'failed'
        ? ''
        : item.message,
    suggestion:
      item.verification_status === 'not_found' && item.resolution === 'not_found'
        ? suggestCertificateNumber(item.certificate_number)
        : undefined,
    transactionId,
    certificate: item.certificate,
    letter: item.letter,
  }
}

/**
 * Returns a note on what happens to the payment's money, with the amount refunded or due for a refund; null if there is nothing
 * to say.
 */
export function noteOf(payment: StatusReply): MoneyNote | null {
  const { status, resolution, refund_due: due, refunded, refund_currency: currency } = payment
  // Once it is paid for, each certificate has its own resolution; the note is about the rest of the money, which is refunded.
  const paymentResolution =
    status === 'paid' && resolution !== 'refunded' ? (due > 0 ? 'refund_due' : null) : resolution
  const note = moneyNote({ status, resolution: paymentResolution, found: false })
  const amount = paymentResolution === 'refunded' ? refunded : due
  return note && amount > 0 ? { ...note, title: `${note.title}: ${formatMoney(amount, currency)}` } : note
}

/** Returns all rows, ordered by state. The items of a payment replace the earlier checks of their numbers. */
export function rowsOf(results: readonly BulkResult[], payment?: StatusReply): Row[] {
  const paidRows = payment?.items.map(item => toPaidRow(item, payment.transaction_id)) ?? []
  const paidNumbers = new Set(paidRows.map(row => row.number))
  const checkedRows = results.filter(result => !paidNumbers.has(result.certificate_number)).map(toCheckedRow)
  return [...paidRows, ...checkedRows].sort(
    (a, b) => bulkStates.indexOf(a.state) - bulkStates.indexOf(b.state),
  )
}

/** Returns the number of rows in each state, without empty states. */
export function countsOf(rows: readonly Row[]): { state: BulkState; count: number }[] {
  return bulkStates
    .map(state => ({ state, count: rows.filter(row => row.state === state).length }))
    .filter(({ count }) => count > 0)
}

const columns = [
  'certificate_number',
  'result',
  'student_name',
  'course',
  'graduation_date',
  'grade',
  'department',
  'letter_code',
  'letter_url',
  'letter_status',
  'transaction_id',
  'note',
]

/** Returns the rows as a CSV file, with a byte order mark so that spreadsheets read the names correctly. */
export function csvOf(rows: readonly Row[]): string {
  const lines = rows.map(({ number, state, message, transactionId, certificate, letter }) =>
    csvLine([
      number,
      bulkDisplay(state).label,
      certificate?.student_name ?? null,
      certificate?.course ?? null,
      certificate?.graduation_date ?? null,
      certificate?.grade ?? null,
      certificate?.department ?? null,
      letter?.code ?? null,
      letter?.url ?? null,
      letter?.status ?? null,
      transactionId,
      message,
    ]),
  )
  return `\ufeff${csvLine(columns)}${lines.join('')}`
}
