/** Converts stored rows to the API's format: major units, ISO times, snake_case. */
import type { Delivery, Transaction } from './schema.ts'
import type { FormFields } from './signing.ts'

export function toMajor(minor: number): number {
  return minor / 100
}

/** Formats an amount as in the hidden form: `500000` becomes `5000.00`. */
function formatMajor(minor: number): string {
  return (minor / 100).toFixed(2)
}

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** Converts a transaction to the specification's record of a payment provider transaction, with both IDs. */
export function presentTransaction(row: Transaction) {
  return {
    transaction_id: row.transactionId,
    request_id: row.requestId,
    transid: row.transactionId,
    regnum: row.regnum,
    sname: row.sname,
    fname: row.fname,
    email: row.email,
    currency: row.currency,
    amount_due: toMajor(row.amountDue),
    amount_paid: toMajor(row.amountPaid),
    status_desc: row.status,
    status: row.status,
    code: row.code,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  }
}

/** Converts a transaction to an invoice: a bill without checkout, which is paid at a bank by its payment code. */
export function presentInvoice(row: Transaction) {
  return {
    invoice_id: row.transactionId,
    payment_code: row.paymentCode,
    due_at: iso(row.expiresAt),
    ...presentTransaction(row),
  }
}

export type Outcome = {
  status: Transaction['status']
  code: string
  minor: number
  currency: string
}

export function presentOutcome(row: Transaction, outcome: Outcome) {
  return {
    request_id: row.requestId,
    transaction_id: row.transactionId,
    status: outcome.status,
    code: outcome.code,
    amount_paid: toMajor(outcome.minor),
    currency: outcome.currency,
  }
}

export function toFormFields(row: Transaction): FormFields {
  return {
    transaction_id: row.transactionId,
    request_id: row.requestId,
    payment_code: row.paymentCode,
    amount: formatMajor(row.amountDue),
    currency: row.currency,
  }
}

export function presentDelivery(row: Delivery) {
  return {
    request_id: row.requestId,
    event_id: row.eventId,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    last_status: row.lastStatus,
    next_attempt_at: row.status === 'pending' ? iso(row.nextAttemptAt) : null,
    created_at: iso(row.createdAt),
  }
}
