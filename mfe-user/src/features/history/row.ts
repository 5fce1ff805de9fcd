import type { HistoryRecord } from '@portal/contract/verification'
import { counted } from '@portal/format/counted'
import { moneyNote } from '@portal/format/money-note'
import { notPaidNote } from '@portal/format/not-paid-note'
import { formatCount } from '@portal/format/numbers'
import type { Printable } from '../../parts/use-print.ts'

/** Returns true for a row whose letter can be printed: one with a successful result and the certificate's details. */
export function canPrint(record: HistoryRecord): boolean {
  return record.authentication_result === 'success' && Boolean(record.certificate_details)
}

/** Returns true for a payment that was started and is still pending, so it can be continued. */
export function canResume(record: HistoryRecord): boolean {
  return record.payment_status === 'pending' && !record.resolution && Boolean(record.bpms_transaction_id)
}

/** Returns true for a verification that ended without payment. */
export const isNotPaid = (record: HistoryRecord) => record.payment_status === 'failed' && !record.resolution

/**
 * Returns details in addition to the status label: why nothing was paid, or what happens to the money; empty if there are none.
 * For a payment that failed or was reversed, the label already states this, so there is no title.
 */
export function describeRecord(record: HistoryRecord): { title: string; text: string } {
  const note = moneyNote({
    status: record.payment_status,
    resolution: record.resolution,
    found: record.authentication_result === 'success',
  })
  const hasFailed = record.payment_status === 'failed'
  if (note) return { title: hasFailed ? '' : note.title, text: note.brief }
  if (hasFailed) return { title: '', text: notPaidNote(record.code) }
  if (record.payment_status === 'pending')
    return { title: '', text: 'Not finished yet; it can be continued.' }
  return { title: '', text: '' }
}

interface Counters {
  total: number
  successful: number
  not_found: number
}

/** The figures above the list: completed verifications, as on the overview, and all attempts. */
export interface Figures {
  total: number
  successful: number
  notFound: number
  attempts: number
}

/**
 * Returns the counters of all verifications. If an older version of the API sends none, returns the total, and the counts of
 * this page.
 */
export function figuresOf(reply: {
  history: readonly HistoryRecord[]
  pagination: { total: number }
  counters?: Counters
}): Figures {
  if (reply.counters) {
    const { total: attempts, successful, not_found: notFound } = reply.counters
    return { total: successful + notFound, successful, notFound, attempts }
  }
  const paidRecords = reply.history.filter(({ payment_status }) => payment_status === 'paid')
  const successful = paidRecords.filter(
    ({ authentication_result }) => authentication_result === 'success',
  ).length
  const { total } = reply.pagination
  return { total, successful, notFound: paidRecords.length - successful, attempts: total }
}

/** Returns the note below the total, which only counts completed verifications, with the number of all attempts. */
export const attemptsNote = (attempts: number) => `completed, of ${counted(attempts, 'attempt')}`

/** Returns the data for printing the letter of a row. */
export const toPrintable = (record: HistoryRecord): Printable => ({
  id: record.id,
  transactionId: record.bpms_transaction_id,
  certificateNumber: record.certificate_number,
})

/** Returns the range of rows on a printed page; `before` is the number of rows on earlier pages. */
export function formatRowRange(before: number, rows: number, total: number): string {
  return `Rows ${formatCount(before + 1)} to ${formatCount(before + rows)} of ${formatCount(total)}.`
}
