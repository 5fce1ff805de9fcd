import type { Mismatch } from '@portal/contract/admin-reconciliation'
import { formatCount } from '@portal/format/numbers'
import type { Database } from '../db/database.ts'
import { recordLogEntry } from '../logs/store.ts'
import { notifyOrphans } from '../notifications/notify-money.ts'
import type { GatewayTransaction, PaymentGateway } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import { forEachConcurrently } from './concurrency.ts'
import { findMoneyAtGateway } from './money-store.ts'
import { withDeadline } from './query-gateway.ts'
import {
  compare,
  type ListedTransaction,
  needsNoRequery,
  type PortalPayment,
  toOrphanMismatch,
  toUnreadableListMismatch,
} from './reconcile-rules.ts'
import {
  addMismatches,
  changeRun,
  findKnownReferences,
  findRun,
  listStarted,
  type RunRow,
  storeOrphans,
} from './reconcile-store.ts'
import { isAtGateway } from './rules.ts'
import { isStaleStart } from './schedule.ts'
import type { Payment } from './store.ts'
import { syncWithGateway } from './sync.ts'

/*
 * Compares the ledger with the gateway's records in both directions, one slice of a day at a time. Differences are synced like
 * any other change. The progress is stored in the row of the reconciliation, so that another process can continue after an
 * interruption.
 */

const DAY = 86_400_000
/** Number of payments that are compared before the progress is stored. */
const PAYMENTS_PER_SLICE = 40
/** Tolerated difference between the gateway's clock and ours, in milliseconds. */
const CLOCK_TOLERANCE_MS = 10 * 60_000
/** Maximum number of pages of the gateway's list that are read for one slice, and the time limit for reading them. */
const MAX_PAGES = 200
const LIST_TIMEOUT_MS = 60_000
/** How long a slice may take before another process may continue the reconciliation, in milliseconds. */
export const RUN_LEASE_MS = 5 * 60_000

/** True for a payment that is still being started, which is skipped. */
const isStarting = (payment: Payment, now: number) =>
  payment.status === 'created' && !isStaleStart(payment.createdAt, now)

export interface ComparedPayment {
  payment: Payment
  /** True if the payment's state changed, or money was booked. */
  updated: boolean
  mismatch: Mismatch | undefined
}

/** Compares one payment with the gateway, using only the gateway's list if that is enough, and syncs any differences. */
export async function comparePayment(
  ports: Ports,
  database: Database,
  payment: Payment,
  { gatewayAnswer, actorId }: { gatewayAnswer?: ListedTransaction | undefined; actorId: string | undefined },
): Promise<ComparedPayment> {
  if (!isAtGateway(payment)) return { payment, updated: false, mismatch: undefined }
  if (isStarting(payment, ports.clock.now())) return { payment, updated: false, mismatch: undefined }
  if (gatewayAnswer && needsNoRequery(await readReceived(database, payment), gatewayAnswer))
    return { payment, updated: false, mismatch: undefined }
  const { transactionId } = payment
  const synced = await syncWithGateway(ports, database, { transactionId }, 'reconcile', actorId)
  if (!synced) throw new Error('a payment has disappeared')
  const syncedPayment = synced.payment
  return {
    payment: syncedPayment,
    updated: syncedPayment.version !== payment.version,
    mismatch: compare(await readReceived(database, syncedPayment), synced.answer),
  }
}

async function readReceived(database: Database, payment: Payment): Promise<PortalPayment> {
  const received = await findMoneyAtGateway(database.read, { paymentIds: [payment.id] })
  return { payment, received: received.get(payment.id) }
}

type ListPayments = NonNullable<PaymentGateway['list']>

/** Reads the gateway's list of payments in a period. @returns the payments by reference */
async function readList(
  list: ListPayments,
  from: number,
  to: number,
): Promise<Map<string, GatewayTransaction>> {
  const transactions = new Map<string, GatewayTransaction>()
  const deadline = performance.now() + LIST_TIMEOUT_MS
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && performance.now() < deadline; page++) {
    const { items, nextCursor } = await withDeadline(signal =>
      list(new Date(from), new Date(to), cursor, signal),
    )
    for (const item of items) transactions.set(item.reference, item)
    if (nextCursor === undefined) return transactions
    cursor = nextCursor
  }
  throw new Error('the gateway’s list does not end')
}

interface GatewayLists {
  byProvider: Map<string, Map<string, GatewayTransaction>>
  unreadable: Mismatch[]
}

/** Reads the lists of all gateways, and collects a mismatch for each that cannot be read. */
async function readLists(ports: Ports, from: number, to: number): Promise<GatewayLists> {
  const lists: GatewayLists = { byProvider: new Map(), unreadable: [] }
  for (const [provider, gateway] of Object.entries(ports.gateways)) {
    if (!gateway.list) continue
    try {
      lists.byProvider.set(provider, await readList(gateway.list.bind(gateway), from, to))
    } catch (error) {
      const cause = error instanceof Error ? error.name : 'unknown'
      ports.log({ level: 'warn', event: 'list_failed', provider, cause })
      lists.unreadable.push(toUnreadableListMismatch(provider))
    }
  }
  return lists
}

/**
 * Finds payments that exist only in the gateways' lists. Only payments in the gateway's configured mode count, because a live
 * portal ignores test payments.
 */
async function findOrphans(ports: Ports, database: Database, { byProvider }: GatewayLists) {
  const orphans: { provider: string; transactions: GatewayTransaction[] }[] = []
  for (const [provider, list] of byProvider) {
    const existingReferences = await findKnownReferences(database.read, [...list.keys()])
    const { mode } = ports.gateways[provider] ?? {}
    const transactions = [...list.values()].filter(
      theirs => theirs.mode === mode && !existingReferences.has(theirs.reference) && toOrphanMismatch(theirs),
    )
    if (transactions.length > 0) orphans.push({ provider, transactions })
  }
  return orphans
}

/** Compares the next payments of a reconciliation, and stores its progress. @returns false if another process has leased it */
async function compareSlice(ports: Ports, database: Database, run: RunRow): Promise<boolean> {
  const from = Date.parse(run.day)
  const before = from + DAY
  const after =
    run.cursorAt === null || run.cursorId === null ? undefined : { at: run.cursorAt, id: run.cursorId }
  const slice = await listStarted(database.read, { from, before, after, limit: PAYMENTS_PER_SLICE })
  const last = slice.length === PAYMENTS_PER_SLICE ? slice.at(-1) : undefined
  const until = Math.min(last?.createdAt ?? before, ports.clock.now())
  const lists = await readLists(ports, (after?.at ?? from) - CLOCK_TOLERANCE_MS, until + CLOCK_TOLERANCE_MS)

  const mismatches: Mismatch[] = []
  let updatedCount = 0
  await forEachConcurrently(slice, async payment => {
    try {
      const gatewayAnswer = lists.byProvider.get(payment.provider)?.get(payment.providerReference)
      const compared = await comparePayment(ports, database, payment, {
        gatewayAnswer,
        actorId: run.byUserId ?? undefined,
      })
      if (compared.updated) updatedCount++
      if (compared.mismatch) mismatches.push(compared.mismatch)
    } catch (error) {
      // A payment that cannot be synced now must not delay the others. The scheduler retries it.
      const cause = error instanceof Error ? error.name : 'unknown'
      ports.log({ level: 'warn', event: 'reconcile_payment', payment: payment.id, cause })
      const unanswered = compare(await readReceived(database, payment), undefined)
      if (unanswered) mismatches.push(unanswered)
    }
  })
  const orphans = await findOrphans(ports, database, lists)

  return database.write(async tx => {
    const at = ports.clock.now()
    const processed = run.processed + slice.length
    const progress = addMismatches(run, [
      ...mismatches,
      ...orphans.flatMap(({ transactions }) =>
        transactions.flatMap(theirs => toOrphanMismatch(theirs) ?? []),
      ),
      ...lists.unreadable,
    ])
    const isStillLeased = await changeRun(tx, run, {
      ...progress,
      processed,
      updated: run.updated + updatedCount,
      leaseUntil: at + RUN_LEASE_MS,
      ...(last ? { cursorAt: last.createdAt, cursorId: last.id } : { finishedAt: at }),
    })
    if (!isStillLeased) return false
    for (const { provider, transactions } of orphans) {
      const count = await storeOrphans(tx, { provider, transactions, at })
      if (count === 0) continue
      ports.log({ level: 'error', event: 'orphans', provider, count })
      await notifyOrphans(tx, { provider, count, reference: transactions[0]?.reference ?? '', at })
    }
    if (!last)
      await recordFinished(tx, { ...run, ...progress, processed, updated: run.updated + updatedCount }, at)
    return true
  })
}

const recordFinished = (db: Parameters<typeof recordLogEntry>[0], run: RunRow, at: number) =>
  recordLogEntry(db, {
    userId: run.byUserId,
    userEmail: run.byEmail,
    ipAddress: run.ipAddress,
    activity: 'Payments reconciled',
    details: `${run.day}: ${formatCount(run.processed)} compared, ${formatCount(run.updated)} updated, ${formatCount(run.mismatchCount)} differ`,
    at,
  })

/**
 * Continues a reconciliation that this process has leased, until it is finished or `mayContinue` returns false.
 * @returns its current state
 */
export async function continueRun(
  ports: Ports,
  database: Database,
  id: string,
  {
    mayContinue = () => true,
    onProgress,
  }: { mayContinue?: () => boolean; onProgress?: (run: RunRow) => void } = {},
): Promise<RunRow> {
  for (;;) {
    const run = await findRun(database.read, { id })
    if (!run) throw new Error('a reconciliation has disappeared')
    onProgress?.(run)
    if (run.finishedAt !== null || !mayContinue()) return run
    if (!(await compareSlice(ports, database, run))) return run
  }
}
