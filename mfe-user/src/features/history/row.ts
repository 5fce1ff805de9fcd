import type { HistoryRecord } from '@portal/contract/verification'
import { moneyNote, notPaidNote } from '@portal/format/money-note'
import { formatCount } from '@portal/format/numbers'
import type { Printable } from '../../parts/use-print.ts'

/** Only a row whose result is success and whose certificate is there can be printed. */
export function canPrint(record: HistoryRecord): boolean {
  return record.authentication_result === 'success' && Boolean(record.certificate_details)
}

/** A payment that was started and has no answer yet can be taken up again. */
export function canResume(record: HistoryRecord): boolean {
  return record.payment_status === 'pending' && !record.resolution && Boolean(record.bpms_transaction_id)
}

/** Nothing was delivered for it, and no other row of the page shows that something was, or will be. */
export function canPayAgain(record: HistoryRecord, page: readonly HistoryRecord[]): boolean {
  const { payment_status: status, resolution, certificate_number: number } = record
  const brought = record.authentication_result === 'success'
  const over = status === 'failed' || resolution === 'refunded' || resolution === 'refund_due'
  return (
    over &&
    !brought &&
    !page.some(
      each =>
        each.certificate_number === number && (each.authentication_result === 'success' || canResume(each)),
    )
  )
}

/** What the label alone does not say: why it is not paid, or what becomes of the money. Empty when there is nothing. */
export function noteOf(record: HistoryRecord): { title: string; text: string } {
  const note = moneyNote({
    status: record.payment_status,
    resolution: record.resolution,
    found: record.authentication_result === 'success',
  })
  if (note) return { title: note.title, text: note.brief }
  if (record.payment_status === 'failed') return { title: '', text: notPaidNote(record.code) }
  if (record.payment_status === 'pending')
    return { title: '', text: 'Not finished yet; it can be continued.' }
  return { title: '', text: '' }
}

interface Counters {
  total: number
  successful: number
  not_found: number
}

/** Of all verifications; where an older API does not count, all there are, and what this page shows of them. */
export function countersOf(reply: {
  history: readonly HistoryRecord[]
  pagination: { total: number }
  counters?: Counters
}): Counters {
  const paid = reply.history.filter(({ payment_status }) => payment_status === 'paid')
  const successful = paid.filter(({ authentication_result }) => authentication_result === 'success').length
  return reply.counters ?? { total: reply.pagination.total, successful, not_found: paid.length - successful }
}

/**
 * The counters leave out what has no result; this says of how many that is so, and why. Empty where an older API does
 * not count: one page's rows say nothing of the others.
 */
export function restOf({ counters }: { counters?: Counters }): string {
  if (!counters) return ''
  const rest = counters.total - counters.successful - counters.not_found
  if (rest <= 0) return ''
  return `${formatCount(rest)} of ${formatCount(counters.total)} ${rest === 1 ? 'has' : 'have'} no result: not paid yet, or to be refunded.`
}

/** What printing the row's letter takes. */
export const printableOf = (record: HistoryRecord): Printable => ({
  id: record.id,
  transactionId: record.bpms_transaction_id,
  certificateNumber: record.certificate_number,
})

/** The page of the address, at least 1; anything else in there reads as 1. */
export function pageOf(value: string | null): number {
  return value !== null && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : 1
}

/** Which of all the rows a printed page has; `before` are on the pages before it. */
export function rowsShown(before: number, rows: number, total: number): string {
  return `Rows ${formatCount(before + 1)} to ${formatCount(before + rows)} of ${formatCount(total)}, newest first.`
}
