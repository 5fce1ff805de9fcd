import {
  type adminAccountData,
  ERASURE_GRACE_DAYS,
  type ErasureState,
  type ownAccountData,
} from '@portal/contract/account-data'
import { formatLongDate } from '@portal/format/dates'
import { erasureMessages } from '@portal/rules/messages'
import type { StaffCall } from '../accounts/changes.ts'
import { requireOwnPassword } from '../accounts/own-password.ts'
import { findUser, type User } from '../accounts/store.ts'
import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { consume } from '../limits/limiter.ts'
import { recordChange } from '../logs/record-change.ts'
import { composeErasureCancelledMail, composeErasureRequestedMail } from '../mail/erasure-mail.ts'
import { enqueueMail, sendSoon } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { listSoleOwnerships } from '../membership/store.ts'
import { isoOrNull } from '../wire.ts'
import { toAccountData } from './account-data.ts'
import { readAccountRows } from './account-rows-store.ts'
import { countErasureBlockers, setErasureDue } from './erasure-store.ts'

const GRACE_MS = ERASURE_GRACE_DAYS * 86_400_000

/** Finds an account that has not been erased. @throws Fault `USER_NOT_FOUND` */
async function requireAccount(db: Reader, { userId }: { userId: string }): Promise<User> {
  const user = await findUser(db, { id: userId })
  if (!user || user.erasedAt !== null) throw new Fault('USER_NOT_FOUND')
  return user
}

async function readErasureState(db: Reader, user: Pick<User, 'id' | 'erasureDueAt'>): Promise<ErasureState> {
  const { openPayments, refundsDue } = await countErasureBlockers(db, { userId: user.id })
  return {
    due_at: isoOrNull(user.erasureDueAt),
    open_payments: openPayments,
    refunds_due: refundsDue,
  }
}

/**
 * Returns the details for the log. If staff act on someone else's account, the details contain the account's email address,
 * which is removed when the account is erased.
 */
const logDetailsOf = (call: StaffCall, user: User) => (call.user.id === user.id ? '' : user.email)

async function readData(call: StaffCall & Pick<Call, 'isHead'>, userId: string) {
  await consume(call, 'data_exports', call.user.id)
  const rows = await readAccountRows(call.db.read, { userId })
  if (!rows) throw new Fault('USER_NOT_FOUND')
  if (!call.isHead) {
    await call.db.write(tx =>
      recordChange(tx, call, { activity: 'Account data exported', details: logDetailsOf(call, rows.user) }),
    )
  }
  const { clock, environment } = call.ports
  return toAccountData(rows, { publicUrl: environment.PUBLIC_URL, now: clock.now() })
}

const readErasure = async ({ db }: StaffCall, userId: string) =>
  await readErasureState(db.read, await requireAccount(db.read, { userId }))

const createStaffAccountFault = () =>
  new Fault('FORBIDDEN', {
    message: erasureMessages.staff,
  })

/** Requests the erasure of an account. If it has already been requested, the earlier date is kept. */
async function requestErasure(call: StaffCall, userId: string, password: string) {
  await requireOwnPassword(call, password)
  const dueAt = call.ports.clock.now() + GRACE_MS
  const state = await call.db.write(async tx => {
    const user = await requireAccount(tx, { userId })
    if (user.role !== 'user') throw createStaffAccountFault()
    const currentState = await readErasureState(tx, user)
    if (currentState.due_at !== null) return currentState
    if (currentState.open_payments + currentState.refunds_due > 0) throw new Fault('ERASURE_BLOCKED')
    if ((await listSoleOwnerships(tx, { userId })).length > 0) throw new Fault('LAST_OWNER')
    await setErasureDue(tx, { userId, dueAt })
    await recordChange(tx, call, { activity: 'Account erasure requested', details: logDetailsOf(call, user) })
    const byStaff = call.user.id !== userId
    const sender = await readSender(tx, call.ports)
    await enqueueMail(tx, call.ports, composeErasureRequestedMail(sender, user, { dueAt, byStaff }))
    return await readErasureState(tx, { id: userId, erasureDueAt: dueAt })
  })
  sendSoon(call.ports)
  const day = formatLongDate(state.due_at ?? dueAt)
  return {
    ...state,
    message: `The account will be erased on ${day}. The erasure can be cancelled until then.`,
  }
}

async function cancelErasure(call: StaffCall, userId: string) {
  await call.db.write(async tx => {
    const user = await requireAccount(tx, { userId })
    if (user.erasureDueAt === null) return
    await setErasureDue(tx, { userId, dueAt: null })
    await recordChange(tx, call, { activity: 'Account erasure cancelled', details: logDetailsOf(call, user) })
    await enqueueMail(tx, call.ports, composeErasureCancelledMail(await readSender(tx, call.ports), user))
  })
  sendSoon(call.ports)
  return { message: erasureMessages.cancelled }
}

export const ownAccountDataHandlers: HandlersOf<typeof ownAccountData> = {
  read: call => readData(call, call.user.id),
  erasure: call => readErasure(call, call.user.id),
  requestErasure: call => requestErasure(call, call.user.id, call.body.current_password),
  cancelErasure: call => cancelErasure(call, call.user.id),
}

export const adminAccountDataHandlers: HandlersOf<typeof adminAccountData> = {
  read: call => readData(call, call.params.id),
  erasure: call => readErasure(call, call.params.id),
  requestErasure: call => requestErasure(call, call.params.id, call.body.current_password),
  cancelErasure: call => cancelErasure(call, call.params.id),
}
