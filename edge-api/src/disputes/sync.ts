import { counted } from '@portal/format/counted'
import type { Database, Tx } from '../db/database.ts'
import type { Disputes, GatewayDispute } from '../payment-gateway.ts'
import { bookFeeForDispute, holdDisputed, releaseDisputed } from '../payments/dispute-money.ts'
import { withDeadline } from '../payments/query-gateway.ts'
import { findPayment } from '../payments/store.ts'
import { syncWithGateway } from '../payments/sync.ts'
import { retryOnConflict } from '../payments/version-conflict.ts'
import type { Ports } from '../ports.ts'
import {
  type DisputeRow,
  isAnswerPending,
  isUndecided,
  nextCheckAt,
  POLL_PERIOD_MS,
  stateAfter,
} from './rules.ts'
import { changeDisputeOrFail, enterState, type Origin, openDispute } from './states.ts'
import { findDispute, insertDispute, recordPoll } from './store.ts'

/*
 * Syncs disputes with the gateway's API. If a gateway has an API, its disputes change only in this way. The sync is safe to run
 * any number of times, in parallel and in any order.
 */

/** Maximum number of pages that are read from a list. */
const MAX_PAGES = 50

/**
 * Stores what a gateway reports about a dispute.
 * @returns the dispute's current state; undefined if its payment does not belong to this portal
 */
export async function storeReportedDispute(
  ports: Ports,
  database: Database,
  provider: string,
  incoming: GatewayDispute,
  origin: Origin,
): Promise<DisputeRow | undefined> {
  const after = await retryOnConflict(() =>
    database.write(async tx => {
      const payment = await findPayment(tx, { reference: incoming.reference })
      if (payment?.provider !== provider || payment.mode !== incoming.mode) return undefined
      const key = { provider, providerDisputeId: incoming.id }
      const stored = await findDispute(tx, key)
      const at = ports.clock.now()
      const row =
        stored ?? (await addReportedDispute(ports, tx, { key, paymentId: payment.id, incoming, origin, at }))
      const result = await updateDispute(ports, tx, row, incoming, { origin, at })
      return { row: result, hasStateChanged: stored !== undefined && stored.state !== result.state, payment }
    }),
  )
  if (!after) {
    ports.log({ level: 'warn', event: 'dispute_of_unknown_payment', provider })
    return undefined
  }
  // If the state changed, money may have been reversed or returned, so the payment must be requeried.
  if (after.hasStateChanged)
    await syncWithGateway(ports, database, { transactionId: after.payment.transactionId }, origin.source)
  return after.row
}

/** Trims text from the gateway, and shortens it to a maximum length. */
const truncate = (text: string | undefined, maxLength: number) => (text ?? '').trim().slice(0, maxLength)

function addReportedDispute(
  ports: Ports,
  db: Tx,
  {
    key,
    paymentId,
    incoming,
    origin,
    at,
  }: {
    key: { provider: string; providerDisputeId: string }
    paymentId: string
    incoming: GatewayDispute
    origin: Origin
    at: number
  },
): Promise<DisputeRow> {
  const row = {
    ...key,
    paymentId,
    source: 'gateway' as const,
    amountMinor: incoming.amount.minor,
    currency: incoming.amount.currency,
    category: truncate(incoming.category, 100) || null,
    reason: truncate(incoming.reason, 500),
    openedAt: incoming.openedAt.getTime(),
    dueAt: incoming.dueAt?.getTime() ?? null,
    gatewayStatus: truncate(incoming.status, 100),
  }
  // If the new dispute has already ended, staff are notified only of its end.
  const notify = incoming.outcome === 'open' || incoming.outcome === 'unknown'
  return openDispute(ports, db, row, insertDispute, { origin, at, notify })
}

async function updateDispute(
  ports: Ports,
  db: Tx,
  before: DisputeRow,
  incoming: GatewayDispute,
  { origin, at }: { origin: Origin; at: number },
): Promise<DisputeRow> {
  const newState = stateAfter(before, incoming, at)
  const changes = {
    gatewayStatus: truncate(incoming.status, 100),
    amountMinor: incoming.amount.minor,
    dueAt: incoming.dueAt?.getTime() ?? before.dueAt,
    feeMinor: Math.max(before.feeMinor, incoming.feeMinor ?? 0),
    ...(isAnswerPending(before) && newState !== 'open' && { acknowledgedAt: at }),
    leaseUntil: null,
  }
  const { paymentId, currency } = before
  const fee = changes.feeMinor - before.feeMinor
  if (fee > 0) await bookFeeForDispute(db, { paymentId, currency, minor: fee, at })
  if (newState !== before.state) return enterState(ports, db, before, newState, { origin, at, changes })
  const nextAt = nextCheckAt({ ...before, ...changes }, at)
  const after = await changeDisputeOrFail(db, before, { ...changes, nextAt, updatedAt: before.updatedAt })
  if (!isUndecided(newState) || after.amountMinor === before.amountMinor) return after
  await releaseDisputed(db, { paymentId, currency, minor: before.heldMinor, at })
  const heldMinor = await holdDisputed(db, { paymentId, currency, minor: after.amountMinor, at })
  return changeDisputeOrFail(db, after, { heldMinor, updatedAt: at })
}

/**
 * Reads a gateway's list of disputes, to find those whose callback was lost.
 * @throws if the gateway gives no usable response; or, after all other entries have been stored, if some could not be read
 */
export async function pollDisputes(
  ports: Ports,
  database: Database,
  provider: string,
  calls: Disputes,
  origin: Origin,
): Promise<void> {
  const from = new Date(ports.clock.now() - POLL_PERIOD_MS)
  let cursor: string | undefined
  let failed = 0
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, unreadable, nextCursor } = await withDeadline(signal => calls.list(from, cursor, signal))
    for (const incoming of items) await storeIfChanged(ports, database, provider, incoming, origin)
    failed += unreadable
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  // An error keeps the poll from being recorded as completed, so that it is repeated and staff see it in Background Work.
  if (failed > 0) throw new Error(`${counted(failed, 'dispute')} of the gateway's list could not be read`)
  await database.write(tx => recordPoll(tx, { provider, at: ports.clock.now() }))
}

/** Stores an entry of the list, unless it agrees with the stored dispute. */
async function storeIfChanged(
  ports: Ports,
  database: Database,
  provider: string,
  incoming: GatewayDispute,
  origin: Origin,
): Promise<void> {
  const stored = await findDispute(database.read, { provider, providerDisputeId: incoming.id })
  const isUnchanged =
    stored &&
    stored.state === stateAfter(stored, incoming, ports.clock.now()) &&
    stored.gatewayStatus === truncate(incoming.status, 100) &&
    stored.amountMinor === incoming.amount.minor
  if (!isUnchanged) await storeReportedDispute(ports, database, provider, incoming, origin)
}
