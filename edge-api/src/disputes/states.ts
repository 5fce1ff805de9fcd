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

/** The cause of a change and, if a person made it, the person's account. */
export interface Origin {
  source: SyncSource
  actorId?: string | undefined
}

type Changes = Parameters<typeof changeDispute>[2]

/** Changes a dispute if it has not changed since it was read. @throws VersionConflict if it has */
export async function changeDisputeOrFail(db: Tx, before: DisputeRow, changes: Changes): Promise<DisputeRow> {
  if (!(await changeDispute(db, before, changes))) throw new VersionConflict()
  return { ...before, ...changes, version: before.version + 1 }
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
 * @param keepHold true if the dispute has ended, but what happened to the money is unknown. The money stays reserved until
 * staff record the outcome
 */
export async function enterState(
  ports: Ports,
  db: Tx,
  before: DisputeRow,
  newState: DisputeState,
  {
    origin,
    at,
    changes = {},
    keepHold = false,
  }: { origin: Origin; at: number; changes?: Changes; keepHold?: boolean },
): Promise<DisputeRow> {
  const reopenedFields =
    newState === 'open'
      ? { ...REOPENED, ...markPastReminders({ ...before, ...changes, openedAt: at }, at) }
      : {}
  const closedAt = isUndecided(newState) ? null : at
  const enteredFields = { ...reopenedFields, ...changes, state: newState, closedAt, updatedAt: at }
  // Applies the optimistic lock first, so that nothing is booked twice.
  const after = await changeDisputeOrFail(db, before, {
    ...enteredFields,
    nextAt: nextCheckAt({ ...before, ...enteredFields }, at),
  })
  const { heldMinor, lostMinor } = await bookDisputeMoney(ports, db, { before, after, origin, at, keepHold })
  const bookedDispute = await changeDisputeOrFail(db, after, { heldMinor, lostMinor })
  await appendEvent(db, {
    paymentId: before.paymentId,
    type: `dispute_${newState === 'open' ? 'opened' : newState}`,
    providerTxnId: `${before.id}:${after.version}`,
    source: origin.source,
    actorId: origin.actorId,
    amountMinor: after.amountMinor,
    at,
  })
  if (newState === 'open') await notifyStaffOfDispute(ports, db, bookedDispute, { type: 'opened' }, at)
  else if (!isUndecided(newState)) await notifyStaffOfDispute(ports, db, bookedDispute, { type: 'ended' }, at)
  ports.log({
    level: isLoss(newState) ? 'error' : 'info',
    event: 'dispute',
    dispute: before.id,
    from: before.state,
    to: newState,
  })
  return bookedDispute
}

/** Books the reserved and lost money of a dispute according to its new state. */
async function bookDisputeMoney(
  ports: Ports,
  db: Tx,
  {
    before,
    after,
    origin,
    at,
    keepHold,
  }: { before: DisputeRow; after: DisputeRow; origin: Origin; at: number; keepHold: boolean },
): Promise<{ heldMinor: number; lostMinor: number }> {
  const { paymentId, currency, amountMinor: minor } = after
  const booking = { paymentId, currency, at }
  if (isLoss(after.state)) {
    if (keepHold || before.lostMinor > 0) return { heldMinor: before.heldMinor, lostMinor: before.lostMinor }
    const lostMinor = await bookLostDispute(ports, db, {
      ...booking,
      minor,
      heldMinor: before.heldMinor,
      ...origin,
    })
    return { heldMinor: 0, lostMinor }
  }
  if (before.lostMinor > 0) await bookReturnedDispute(ports, db, { ...booking, minor: before.lostMinor })
  if (isUndecided(after.state) && before.heldMinor > 0) return { heldMinor: before.heldMinor, lostMinor: 0 }
  if (isUndecided(after.state))
    return { heldMinor: await holdDisputed(db, { ...booking, minor }), lostMinor: 0 }
  await releaseDisputed(db, { ...booking, minor: before.heldMinor })
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
