import type { DisputeState } from '@portal/contract/admin-disputes'
import type { Tx } from '../db/database.ts'
import {
  bookLostDispute,
  bookReturnedDispute,
  holdDisputed,
  releaseDisputed,
} from '../payments/dispute-money.ts'
import type { SyncSource } from '../payments/store.ts'
import { appendEvent } from '../payments/store.ts'
import { VersionConflict } from '../payments/version-conflict.ts'
import type { Ports } from '../ports.ts'
import { notifyStaffOfDispute } from './notices.ts'
import { type DisputeRow, isLoss, isUndecided, markPastReminders, nextCheckAt } from './rules.ts'
import { changeDispute } from './store.ts'

/** What caused a change and, if it was a person, who. */
export interface Origin {
  source: SyncSource
  actorId?: string | undefined
}

type Changes = Parameters<typeof changeDispute>[2]

/** Changes a dispute if it has not changed since it was read. @throws VersionConflict if it has */
export async function changeDisputeOrFail(db: Tx, seen: DisputeRow, changes: Changes): Promise<DisputeRow> {
  if (!(await changeDispute(db, seen, changes))) throw new VersionConflict()
  return { ...seen, ...changes, version: seen.version + 1 }
}

/** Changes that clear the earlier answer, which becomes void when the bank reopens the dispute. */
const REOPENED = {
  answer: null,
  answeredBy: null,
  answeredAt: null,
  acknowledgedAt: null,
  closedAt: null,
  tries: 0,
} as const

/**
 * Puts a dispute into a state, with all consequences: ledger, payment, the payment's history, the audit log and notifications.
 * @param keepHold true if the dispute has ended, but what happened to the money is unknown: the money stays reserved until staff
 * record it
 */
export async function enterState(
  ports: Ports,
  db: Tx,
  seen: DisputeRow,
  to: DisputeState,
  {
    origin,
    at,
    changes = {},
    keepHold = false,
  }: { origin: Origin; at: number; changes?: Changes; keepHold?: boolean },
): Promise<DisputeRow> {
  const reopened =
    to === 'open' ? { ...REOPENED, ...markPastReminders({ ...seen, ...changes, openedAt: at }, at) } : {}
  const closedAt = isUndecided(to) ? null : at
  const enteredFields = { ...reopened, ...changes, state: to, closedAt, updatedAt: at }
  // Applies the optimistic lock first, so that nothing is booked twice.
  const after = await changeDisputeOrFail(db, seen, {
    ...enteredFields,
    nextAt: nextCheckAt({ ...seen, ...enteredFields }, at),
  })
  const { heldMinor, lostMinor } = await bookDisputeMoney(ports, db, { seen, after, origin, at, keepHold })
  const booked = await changeDisputeOrFail(db, after, { heldMinor, lostMinor })
  await appendEvent(db, {
    paymentId: seen.paymentId,
    type: `dispute_${to === 'open' ? 'opened' : to}`,
    providerTxnId: `${seen.id}:${after.version}`,
    source: origin.source,
    actorId: origin.actorId,
    amountMinor: after.amountMinor,
    at,
  })
  if (to === 'open') await notifyStaffOfDispute(ports, db, booked, { type: 'opened' }, at)
  else if (!isUndecided(to)) await notifyStaffOfDispute(ports, db, booked, { type: 'ended' }, at)
  ports.log({
    level: isLoss(to) ? 'error' : 'info',
    event: 'dispute',
    dispute: seen.id,
    from: seen.state,
    to,
  })
  return booked
}

/** Books the reserved and lost money of a dispute according to its new state. */
async function bookDisputeMoney(
  ports: Ports,
  db: Tx,
  {
    seen,
    after,
    origin,
    at,
    keepHold,
  }: { seen: DisputeRow; after: DisputeRow; origin: Origin; at: number; keepHold: boolean },
): Promise<{ heldMinor: number; lostMinor: number }> {
  const { paymentId, currency, amountMinor: minor } = after
  const booking = { paymentId, currency, at }
  if (isLoss(after.state)) {
    if (keepHold || seen.lostMinor > 0) return { heldMinor: seen.heldMinor, lostMinor: seen.lostMinor }
    const lostMinor = await bookLostDispute(ports, db, { ...booking, minor, held: seen.heldMinor, ...origin })
    return { heldMinor: 0, lostMinor }
  }
  if (seen.lostMinor > 0) await bookReturnedDispute(ports, db, { ...booking, minor: seen.lostMinor })
  if (isUndecided(after.state) && seen.heldMinor > 0) return { heldMinor: seen.heldMinor, lostMinor: 0 }
  if (isUndecided(after.state))
    return { heldMinor: await holdDisputed(db, { ...booking, minor }), lostMinor: 0 }
  await releaseDisputed(db, { ...booking, minor: seen.heldMinor })
  return { heldMinor: 0, lostMinor: 0 }
}

/** Adds a dispute in the state `open`. @throws VersionConflict if another process has already added it */
export async function openDispute(
  ports: Ports,
  db: Tx,
  row: Pick<
    DisputeRow,
    | 'paymentId'
    | 'provider'
    | 'providerDisputeId'
    | 'source'
    | 'amountMinor'
    | 'currency'
    | 'category'
    | 'reason'
    | 'openedAt'
    | 'dueAt'
    | 'gatewayStatus'
  >,
  insert: (db: Tx, row: DisputeRow) => Promise<boolean>,
  { origin, at, notify }: { origin: Origin; at: number; notify: boolean },
): Promise<DisputeRow> {
  const blank: DisputeRow = {
    ...row,
    id: crypto.randomUUID(),
    state: 'open',
    answer: null,
    answeredBy: null,
    answeredAt: null,
    acknowledgedAt: null,
    note: '',
    heldMinor: 0,
    lostMinor: 0,
    feeMinor: 0,
    closedAt: null,
    ...markPastReminders(row, at),
    nextAt: null,
    tries: 0,
    leaseUntil: null,
    version: 0,
    createdAt: at,
    updatedAt: at,
  }
  const { paymentId, currency, amountMinor: minor } = row
  const heldMinor = await holdDisputed(db, { paymentId, currency, minor, at })
  const openedDispute = { ...blank, heldMinor, nextAt: nextCheckAt(blank, at) }
  if (!(await insert(db, openedDispute))) throw new VersionConflict()
  await appendEvent(db, {
    paymentId,
    type: 'dispute_opened',
    providerTxnId: `${openedDispute.id}:0`,
    source: origin.source,
    actorId: origin.actorId,
    amountMinor: minor,
    at,
  })
  if (notify) await notifyStaffOfDispute(ports, db, openedDispute, { type: 'opened' }, at)
  ports.log({ level: 'warn', event: 'dispute', dispute: openedDispute.id, to: 'open' })
  return openedDispute
}
