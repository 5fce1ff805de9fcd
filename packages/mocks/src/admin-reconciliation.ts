import {
  type LedgerEntry,
  ledgerAccounts,
  type Mismatch,
  type adminReconciliation as routes,
} from '@portal/contract/admin-reconciliation'
import { type RefundRecord, type RefundStatus, refundStatuses } from '@portal/contract/refunds'
import { byKey } from '@portal/format/by-key'
import { toIsoDate } from '@portal/format/dates'
import { toMajor } from '@portal/format/money'
import { refundMessages } from '@portal/rules/messages'
import { HttpResponse } from 'msw'
import { CURRENCY } from './currency.ts'
import { Fault } from './fault.ts'
import { newId } from './ids.ts'
import { paginateRows } from './paginate-rows.ts'
import { rowsOrFail, statusOf } from './payments.ts'
import { demoBanks } from './refunds.ts'
import type { HandlersOf } from './serve.ts'
import type { MockPayment, MockState } from './state.ts'

/** Derives the ledger from payments and refunds, oldest first. */
function buildLedger(state: MockState): LedgerEntry[] {
  const entriesOfPayment = (payment: MockPayment) => {
    const paymentIds = {
      transaction_id: payment.transaction_id,
      payment_reference: payment.payment_reference,
    }
    const at = payment.ended_at ?? payment.initiated_at
    const amount = toMajor(payment.amount_minor)
    const refund = state.refunds.find(item => item.transaction_id === payment.transaction_id)
    const credit = refund
      ? { account: 'refund_payable' as const, reason: refund.reason }
      : { account: 'revenue' as const, reason: payment.certificate ? 'verified' : 'not_found' }
    return [
      { ...paymentIds, account: 'gateway_clearing' as const, amount, reason: 'payment received', at },
      { ...paymentIds, ...credit, amount: -amount, at },
    ]
  }
  const entriesOfRefund = (refund: RefundRecord) => {
    const paymentIds = { transaction_id: refund.transaction_id, payment_reference: refund.payment_reference }
    const at = refund.processed_at ?? refund.updated_at
    const reason = 'refund processed'
    const creditedAccount = refund.bank_reference === null ? ('gateway_clearing' as const) : ('bank' as const)
    return [
      { ...paymentIds, account: 'refund_payable' as const, amount: refund.amount, reason, at },
      { ...paymentIds, account: creditedAccount, amount: -refund.amount, reason, at },
    ]
  }
  return [
    ...state.payments.filter(item => item.status === 'paid').flatMap(entriesOfPayment),
    ...state.refunds.filter(item => item.status === 'processed').flatMap(entriesOfRefund),
  ]
    .sort((a, b) => a.at.localeCompare(b.at))
    .map((entry, index) => ({ id: index + 1, currency: CURRENCY, ...entry }))
}

function balancesOf(entries: readonly LedgerEntry[]) {
  return ledgerAccounts.flatMap(account => {
    const accountEntries = entries.filter(entry => entry.account === account)
    if (accountEntries.length === 0) return []
    return [
      { account, currency: CURRENCY, balance: accountEntries.reduce((sum, entry) => sum + entry.amount, 0) },
    ]
  })
}

function summaryOf(refunds: readonly RefundRecord[]) {
  const totalOf = (status: RefundStatus) => {
    const matching = refunds.filter(refund => refund.status === status)
    return { count: matching.length, amount: matching.reduce((sum, item) => sum + item.amount, 0) }
  }
  return byKey(refundStatuses, totalOf)
}

function refundOrFail(state: MockState, id: string): RefundRecord {
  const refund = state.refunds.find(item => item.id === id)
  if (!refund) throw new Fault('NOT_FOUND', undefined, 'There is no such refund.')
  return refund
}

const processedMessage = ({ bank_reference }: RefundRecord): string =>
  bank_reference === null ? refundMessages.processed : refundMessages.recorded

/**
 * Returns a mismatch about a payment that exists only at the mocked gateway. Each day has one, so that the screen has something
 * to show.
 */
const toOrphanMismatch = (date: string): Mismatch => ({
  transaction_id: null,
  payment_reference: `CV${date.replaceAll('-', '')}X01`,
  kind: 'missing_here',
  ours: null,
  gateways: 'succeeded',
  amount_ours: null,
  amount_gateway: 5000,
  message: refundMessages.unknownPayment,
})

export const adminReconciliation: HandlersOf<typeof routes> = {
  reconcileDay({ body, state, user, now, accept }) {
    if (body.date > toIsoDate(now)) throw new Fault('VALIDATION_ERROR', { date: refundMessages.futureDay })
    const ids = new Set(
      state.payments
        .filter(item => item.initiated_at.startsWith(body.date))
        .map(({ transaction_id }) => transaction_id),
    )
    const mismatches = ids.size > 0 ? [toOrphanMismatch(body.date)] : []
    const result = { processed_count: ids.size, updated_count: 0, mismatches }
    state.reconciliations.unshift({
      id: newId(),
      date: body.date,
      started_at: now.toISOString(),
      finished_at: now.toISOString(),
      by_email: user.email,
      mismatch_count: mismatches.length,
      ...result,
    })
    if (!accept.includes('application/x-ndjson')) return result
    const lines = [
      { type: 'progress', processed: 0, total: ids.size },
      { type: 'progress', processed: ids.size, total: ids.size },
      { type: 'result', ...result },
    ]
    return new HttpResponse(lines.map(line => `${JSON.stringify(line)}\n`).join(''), {
      headers: { 'content-type': 'application/x-ndjson' },
    })
  },
  reconcileOne({ params, state }) {
    const status = statusOf(state, rowsOrFail(state, params.transaction_id))
    const message = `Transaction ${params.transaction_id} reconciled successfully.`
    return { ...status, message, updated: false, mismatches: [] }
  },
  runs({ query, state }) {
    const { rows: reconciliations, pagination } = paginateRows(state.reconciliations, query)
    return { reconciliations, pagination }
  },
  refunds({ query, state }) {
    const { status, search = '' } = query
    const found = state.refunds
      .filter(item => !status || item.status === status)
      .filter(item => item.transaction_id.startsWith(search) || item.payment_reference === search)
    const { rows: refunds, pagination } = paginateRows(found, query)
    return { refunds, summary: summaryOf(state.refunds), pagination }
  },
  approveRefund({ params, body, state, user, now }) {
    const refund = refundOrFail(state, params.id)
    if (refund.way === null) return { message: refundMessages.underWay, refund }
    if (refund.way === 'bank' && !body.bank_reference)
      throw new Fault('VALIDATION_ERROR', {
        bank_reference: 'Bank reference is required',
      })
    const bankReference = body.bank_reference?.toUpperCase()
    const conflicting = state.refunds.find(
      item =>
        bankReference !== undefined &&
        item.bank_reference?.toUpperCase() === bankReference &&
        item.transaction_id !== refund.transaction_id,
    )
    if (conflicting)
      throw new Fault('VALIDATION_ERROR', {
        bank_reference: `This reference is already used for a refund of ${conflicting.transaction_id}. Please check it.`,
      })
    const isByBank = body.bank_reference !== null
    Object.assign(refund, {
      status: 'processed',
      way: null,
      takes_account: false,
      note: null,
      bank_reference: body.bank_reference,
      gateway_refund_id: isByBank ? refund.gateway_refund_id : `${refund.payment_reference}R`,
      attempts: refund.attempts + (isByBank ? 0 : 1),
      approved_by: user.email,
      approved_at: now.toISOString(),
      processed_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    for (const row of state.payments) {
      if (row.transaction_id === refund.transaction_id && row.refund_status) row.refund_status = 'refunded'
    }
    return { message: processedMessage(refund), refund }
  },
  refundBanks: ({ params, state }) => ({
    banks: refundOrFail(state, params.id).takes_account ? [...demoBanks] : [],
  }),
  refundAccountName({ params, state }) {
    const refund = refundOrFail(state, params.id)
    return { account_name: refund.takes_account ? 'ADA EZE' : null }
  },
  retryRefund({ params, state, now }) {
    const refund = refundOrFail(state, params.id)
    if (refund.status === 'approved') return { message: refundMessages.approved, refund }
    if (refund.status === 'processed') return { message: processedMessage(refund), refund }
    if (!refund.takes_account) {
      const message = refundMessages.noBankAccount
      throw new Fault('VALIDATION_ERROR', { account_number: message }, message)
    }
    Object.assign(refund, {
      status: 'approved',
      way: null,
      takes_account: false,
      note: null,
      updated_at: now.toISOString(),
    })
    return { message: refundMessages.approved, refund }
  },
  ledger({ query, state }) {
    const { account, transaction_id: idOrReference = '', date_from: from, date_to: to } = query
    const found = buildLedger(state)
      .filter(entry => !account || entry.account === account)
      .filter(
        entry => entry.transaction_id.startsWith(idOrReference) || entry.payment_reference === idOrReference,
      )
      .filter(entry => (!from || entry.at.slice(0, 10) >= from) && (!to || entry.at.slice(0, 10) <= to))
      .reverse()
    const { rows: entries, pagination } = paginateRows(found, query)
    return { entries, balances: balancesOf(found), pagination }
  },
}
