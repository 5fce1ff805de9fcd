import type { HistoryRecord } from '@portal/contract/verification'
import type { Printable } from '../../parts/use-print.ts'

/** Only a row whose result is success and whose certificate is there can be printed. */
export function canPrint(record: HistoryRecord): boolean {
  return record.authentication_result === 'success' && record.certificate_details !== null
}

/** A payment that was started and has no answer yet can be taken up again. */
export function canResume(record: HistoryRecord): boolean {
  return record.payment_status === 'pending' && record.bpms_transaction_id !== ''
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
