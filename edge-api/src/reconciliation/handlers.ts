import type { adminReconciliation, LedgerEntry, Reconciliation } from '@portal/contract/admin-reconciliation'
import { type RefundRecord, type RefundStatus, refundStatuses } from '@portal/contract/refunds'
import { paginate } from '@portal/contract/shapes'
import { toMajor } from '@portal/format/money'
import { refundMessages } from '@portal/rules/messages'
import { displayEmail } from '../erased.ts'
import { Fault } from '../fault.ts'
import { streamProgress, wantsProgress } from '../http/progress-response.ts'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { periodOf } from '../logs/rules.ts'
import { sendSoon } from '../mail/outbox.ts'
import {
  type LedgerFilter,
  type LedgerKey,
  type LedgerRow,
  listEntries,
  listEntriesBelow,
  sumBalances,
} from '../payments/ledger-store.ts'
import { comparePayment, continueRun, RUN_LEASE_MS } from '../payments/reconcile.ts'
import { releaseRun } from '../payments/reconcile-nightly.ts'
import { countStarted, insertRun, listRuns, type RunRow } from '../payments/reconcile-store.ts'
import { approveRefund } from '../payments/refund-approval.ts'
import { findAccountName, listRefundBanks, retryRefund } from '../payments/refund-retry.ts'
import { findRefundAccounts, refundMethodOf } from '../payments/refund-rules.ts'
import {
  countRefunds,
  listRefunds,
  listRefundsBelow,
  type RefundFilter,
  type RefundView,
} from '../payments/refund-store.ts'
import { findPayment } from '../payments/store.ts'
import type { Ports } from '../ports.ts'
import { readStatusReply } from '../verification/status-check.ts'
import { buildTotalsByState, iso, isoOrNull } from '../wire.ts'

type Domain = typeof adminReconciliation

/** Number of rows that an export reads per query. */
const EXPORT_BATCH = 1000
const DAY = 86_400_000

const toRunResult = ({ processed, updated, mismatches }: RunRow) => ({
  processed_count: processed,
  updated_count: updated,
  mismatches,
})

/** Converts a reconciliation to the API's format. */
const toReconciliation = (run: RunRow): Reconciliation => ({
  id: run.id,
  date: run.day,
  started_at: iso(run.startedAt),
  finished_at: isoOrNull(run.finishedAt),
  by_email: displayEmail(run.byEmail),
  mismatch_count: run.mismatchCount,
  ...toRunResult(run),
})

async function reconcileDay(call: Call<Domain['reconcileDay']>) {
  const { ports, user, address, requestId } = call
  const { date: day } = call.body
  const at = ports.clock.now()
  if (Date.parse(day) > at)
    throw new Fault('VALIDATION_ERROR', { fields: { date: refundMessages.futureDay } })
  const id = crypto.randomUUID()
  const starter = { id: user.id, email: user.email, address }
  await call.db.write(tx => insertRun(tx, { id, day, starter, at, leaseUntil: at + RUN_LEASE_MS }))
  if (!wantsProgress(call.header('accept'))) {
    const running = runReconciliation(ports, id)
    // Lets the reconciliation continue even if the client disconnects.
    ports.background(running)
    return toRunResult(await running)
  }
  const from = Date.parse(day)
  const total = await countStarted(call.db.read, { from, before: from + DAY })
  return streamProgress(ports, { requestId, event: 'reconcile' }, async report =>
    toRunResult(
      await runReconciliation(ports, id, ({ processed, finishedAt }) =>
        report({ processed, total: Math.max(total, processed) }, { last: finishedAt !== null }),
      ),
    ),
  )
}

async function runReconciliation(
  ports: Ports,
  id: string,
  onProgress?: (run: RunRow) => void,
): Promise<RunRow> {
  // Opens its own database handle, because the work may take longer than the request, whose handle is then closed.
  const db = ports.openDatabase()
  try {
    const mayContinue = () => !ports.finalStop.aborted
    const latest = await continueRun(ports, db, id, { mayContinue, ...(onProgress && { onProgress }) })
    if (latest.finishedAt === null && !mayContinue()) {
      await releaseRun(ports, db, id)
      throw new Fault('DATABASE_UNAVAILABLE', {
        message: 'The service is being restarted. The reconciliation continues: see the list below.',
        retryAfter: 10,
      })
    }
    if (latest.updated > 0) sendSoon(ports)
    return latest
  } finally {
    db.close()
  }
}

async function reconcileOne(call: Call<Domain['reconcileOne']>) {
  const { ports, db, user } = call
  const transactionId = call.params.transaction_id
  const payment = await findPayment(db.read, { transactionId })
  if (!payment) throw new Fault('TRANSACTION_NOT_FOUND')
  const compared = await comparePayment(ports, db, payment, { actorId: user.id })
  const { mismatch, updated } = compared
  if (mismatch?.kind === 'unanswered') throw new Fault('REQUERY_FAILED', { retryAfter: 5 })
  if (updated) sendSoon(ports)
  return {
    ...(await readStatusReply(call, compared.payment)),
    message: `Transaction ${transactionId} reconciled successfully.`,
    updated,
    mismatches: mismatch ? [mismatch] : [],
  }
}

async function runs({ db, query }: Call<Domain['runs']>) {
  const { rows, total } = await listRuns(db.read, { page: query.page, perPage: query.per_page })
  return {
    reconciliations: rows.map(toReconciliation),
    pagination: paginate(query.page, query.per_page, total),
  }
}

const toRefundRecord = (view: RefundView, ports: Ports): RefundRecord => {
  const { refund, payment } = view
  return {
    id: refund.id,
    transaction_id: payment.transactionId,
    payment_reference: payment.providerReference,
    email: displayEmail(view.payerEmail),
    amount: toMajor(refund.amountMinor),
    currency: refund.currency,
    reason: refund.reason,
    status: refund.status,
    way: refundMethodOf(view, ports.gateways),
    takes_account: findRefundAccounts(view, ports.gateways) !== undefined,
    provider: payment.provider,
    gateway_refund_id: refund.providerRefundId,
    bank_reference: refund.bankReference,
    attempts: refund.attempts,
    note: refund.note,
    approved_by: displayEmail(view.approverEmail),
    approved_at: isoOrNull(refund.approvedAt),
    processed_at: isoOrNull(refund.processedAt),
    created_at: iso(refund.createdAt),
    updated_at: iso(refund.updatedAt),
  }
}

const toRefundFilter = ({ query }: Call<Domain['refunds']>): RefundFilter => ({
  status: query.status,
  search: query.search ?? '',
})

async function refunds(call: Call<Domain['refunds']>) {
  const { page, per_page: perPage } = call.query
  const { rows, total } = await listRefunds(call.db.read, { ...toRefundFilter(call), page, perPage })
  return {
    refunds: rows.map(row => toRefundRecord(row, call.ports)),
    summary: buildTotalsByState(refundStatuses, await countRefunds(call.db.read)),
    pagination: paginate(page, perPage, total),
  }
}

async function* exportRefunds(call: Call<Domain['refunds']>) {
  const filter = toRefundFilter(call)
  for (let below: RefundView['refund'] | undefined; ; ) {
    const rows = await listRefundsBelow(call.db.read, { ...filter, below, limit: EXPORT_BATCH })
    yield rows.map(row => toRefundRecord(row, call.ports))
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_BATCH) return
    below = last.refund
  }
}

const refundStatusMessages: Record<RefundStatus, string> = {
  due: 'This refund is waiting for approval.',
  approved: refundMessages.approved,
  processed: refundMessages.processed,
  failed: refundMessages.refused,
  needs_attention: refundMessages.needsManualAction,
}

const refundMessageOf = ({ status, bankReference }: RefundView['refund']) =>
  status === 'processed' && bankReference !== null ? refundMessages.recorded : refundStatusMessages[status]

async function approve({ params, body, user, db, ports, address, requestId }: Call<Domain['approveRefund']>) {
  const view = await approveRefund(ports, db, {
    id: params.id,
    actor: user,
    bankReference: body.bank_reference,
    address,
    requestId,
  })
  if (view.refund.status === 'processed') sendSoon(ports)
  return { message: refundMessageOf(view.refund), refund: toRefundRecord(view, ports) }
}

const refundBanks = async ({ params, db, ports }: Call<Domain['refundBanks']>) => ({
  banks: await listRefundBanks(ports, db, params.id),
})

async function refundAccountName({ params, body, db, ports }: Call<Domain['refundAccountName']>) {
  const account = { bankCode: body.bank_code, number: body.account_number }
  return { account_name: (await findAccountName(ports, db, { id: params.id, ...account })) ?? null }
}

async function retry({ params, body, user, db, ports, address, requestId }: Call<Domain['retryRefund']>) {
  const view = await retryRefund(ports, db, {
    id: params.id,
    actor: user,
    account: { bankId: body.bank_id, number: body.account_number },
    address,
    requestId,
  })
  if (view.refund.status === 'processed') sendSoon(ports)
  return { message: refundMessageOf(view.refund), refund: toRefundRecord(view, ports) }
}

const toLedgerEntry = ({ entry, transactionId, reference }: LedgerRow): LedgerEntry => ({
  id: entry.id,
  transaction_id: transactionId,
  payment_reference: reference,
  account: entry.account,
  amount: toMajor(entry.amountMinor),
  currency: entry.currency,
  reason: entry.reason,
  at: iso(entry.at),
})

const toLedgerFilter = ({ query }: Call<Domain['ledger']>): LedgerFilter => ({
  account: query.account,
  search: query.transaction_id ?? '',
  ...periodOf(query),
})

async function ledger(call: Call<Domain['ledger']>) {
  const { page, per_page: perPage } = call.query
  const filter = toLedgerFilter(call)
  const rows = await listEntries(call.db.read, { ...filter, page, perPage })
  const balances = await sumBalances(call.db.read, filter)
  const total = balances.reduce((sum, balance) => sum + balance.entries, 0)
  return {
    entries: rows.map(toLedgerEntry),
    balances: balances.map(({ account, currency, minor }) => ({
      account,
      currency,
      balance: toMajor(minor),
    })),
    pagination: paginate(page, perPage, total),
  }
}

async function* exportLedger(call: Call<Domain['ledger']>) {
  const filter = toLedgerFilter(call)
  for (let below: LedgerKey | undefined; ; ) {
    const rows = await listEntriesBelow(call.db.read, { ...filter, below, limit: EXPORT_BATCH })
    yield rows.map(toLedgerEntry)
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_BATCH) return
    below = last.entry
  }
}

export const reconciliationHandlers: HandlersOf<Domain> = {
  reconcileDay,
  reconcileOne,
  runs,
  refunds: withCsv(refunds, exportRefunds),
  approveRefund: approve,
  refundBanks,
  refundAccountName,
  retryRefund: retry,
  ledger: withCsv(ledger, exportLedger),
}
