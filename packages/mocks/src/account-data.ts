import {
  type AccountData,
  type adminAccountData as adminRoutes,
  ERASURE_GRACE_DAYS,
  type ErasureState,
  type ownAccountData as ownRoutes,
} from '@portal/contract/account-data'
import { formatLongDate } from '@portal/format/dates'
import { toMajor } from '@portal/format/money'
import { erasureMessages } from '@portal/rules/messages'
import { deriveActivityLog } from './admin-logs.ts'
import { CURRENCY } from './currency.ts'
import { Fault } from './fault.ts'
import { templateOf, toLetterLink } from './letter-status.ts'
import { findMembership } from './organisation-access.ts'
import { organisationsIn } from './organisation-state.ts'
import { ownPayments, resolutionOf } from './payments.ts'
import { requirePassword } from './second-factor.ts'
import type { HandlersOf } from './serve.ts'
import { startOf } from './sessions.ts'
import type { MockPayment, MockState, MockUser } from './state.ts'
import { userOrFail } from './user-or-fail.ts'

const DAY_MS = 86_400_000

/** Returns all letters of a payment, the current one first. */
function lettersOf(state: MockState, payment: MockPayment) {
  return [payment, ...(payment.former_letters ?? [])].flatMap(letter => {
    const link = toLetterLink(state, payment, letter)
    const template = templateOf(state, payment, letter)
    if (!link || !template) return []
    const { letter_checks: checks = 0, letter_checked_at: last_checked_at = null } = letter
    const issued_at = letter.letter_issued_at ?? payment.ended_at ?? payment.initiated_at
    const { header, recipient } = template
    return [{ ...link, checks, last_checked_at, ref_number: header.ref_number, issued_at, recipient }]
  })
}

function organisationDataOf(state: MockState, user: MockUser): AccountData['organisations'] {
  const organisations = organisationsIn(state)
  return {
    memberships: organisations.flatMap(item => {
      const member = findMembership(state, item, user)
      return member ? [{ name: item.name, role: member.role }] : []
    }),
    invitations: organisations.flatMap(item =>
      item.invitations
        .filter(({ email }) => email === user.email)
        .map(({ role, state: current, created_at }) => ({
          organisation: item.name,
          role,
          state: current,
          created_at,
        })),
    ),
    requests: organisations.flatMap(item =>
      item.verifications
        .filter(({ requested_by }) => requested_by === user.id)
        .map(({ certificate_number, reference, created_at }) => ({
          organisation: item.name,
          certificate_number,
          reference,
          requested_at: created_at,
        })),
    ),
    api_keys: organisations.flatMap(item =>
      (item.keys ?? [])
        .filter(({ created_by }) => created_by === user.id)
        .map(({ name, mode, last4, created_at }) => ({
          organisation: item.name,
          name,
          mode,
          last4,
          created_at,
        })),
    ),
  }
}

function accountDataOf(state: MockState, user: MockUser, now: Date): AccountData {
  const rows = ownPayments(state, user)
  const payments = rows.filter(
    (item, index) => rows.findIndex(row => row.transaction_id === item.transaction_id) === index,
  )
  const amountOf = ({ transaction_id: id }: MockPayment) =>
    toMajor(
      rows
        .filter(item => item.transaction_id === id)
        .reduce((sum, { amount_minor }) => sum + amount_minor, 0),
    )
  const isOwn = (id: string) => payments.some(payment => payment.transaction_id === id)
  return {
    exported_at: now.toISOString(),
    profile: {
      ...user,
      updated_at: user.created_at,
      second_factor: user.recovery_codes !== undefined,
    },
    organisations: organisationDataOf(state, user),
    sessions: state.sessions
      .filter(session => session.user_id === user.id)
      .map(session => ({ started_at: startOf(session), expires_at: session.expires_at })),
    verifications: rows.map(row => ({
      certificate_number: row.certificate_number,
      transaction_id: row.transaction_id,
      requested_at: row.initiated_at,
      result: row.status === 'pending' ? 'pending' : row.certificate ? 'success' : 'failed',
      result_at: row.ended_at,
      certificate: row.certificate,
    })),
    payments: payments.map(payment => ({
      transaction_id: payment.transaction_id,
      payment_reference: payment.payment_reference,
      provider: 'sandbox',
      status: payment.status,
      resolution: resolutionOf(payment),
      amount_due: amountOf(payment),
      amount_paid: payment.status === 'paid' ? amountOf(payment) : null,
      currency: CURRENCY,
      created_at: payment.initiated_at,
      paid_at: payment.status === 'paid' ? payment.ended_at : null,
    })),
    refunds: state.refunds.filter(({ transaction_id }) => isOwn(transaction_id)),
    letters: rows.flatMap(row => lettersOf(state, row)),
    notifications: state.notifications.filter(({ user_id }) => user_id === user.id),
    activity: deriveActivityLog(state)
      .filter(({ user_id }) => user_id === user.id)
      .map(item => ({ ...item, details: user.role === 'user' ? item.details : '' })),
  }
}

function erasureStateOf(state: MockState, user: MockUser): ErasureState {
  const ownRows = ownPayments(state, user)
  const dueRefunds = state.refunds.filter(
    ({ transaction_id, status }) =>
      status !== 'processed' && ownRows.some(row => row.transaction_id === transaction_id),
  )
  return {
    due_at: user.erasure_due_at ?? null,
    open_payments: ownRows.filter(row => row.status === 'pending').length,
    refunds_due: dueRefunds.length,
  }
}

const STAFF_MESSAGE = erasureMessages.staff

function requestErasure(state: MockState, user: MockUser, now: Date) {
  if (user.role !== 'user') throw new Fault('FORBIDDEN', undefined, STAFF_MESSAGE)
  const { due_at, open_payments, refunds_due } = erasureStateOf(state, user)
  if (due_at === null && open_payments + refunds_due > 0) throw new Fault('ERASURE_BLOCKED')
  user.erasure_due_at ??= new Date(now.getTime() + ERASURE_GRACE_DAYS * DAY_MS).toISOString()
  const day = formatLongDate(user.erasure_due_at)
  if (due_at === null)
    state.mails.unshift({
      to: user.email,
      subject: `Your account will be erased on ${day}`,
      link: '/dashboard/profile',
    })
  return {
    ...erasureStateOf(state, user),
    message: `The account will be erased on ${day}. The erasure can be cancelled until then.`,
  }
}

function cancelErasure(state: MockState, user: MockUser) {
  if (user.erasure_due_at !== undefined)
    state.mails.unshift({ to: user.email, subject: 'Your account will not be erased', link: null })
  delete user.erasure_due_at
  return { message: erasureMessages.cancelled }
}

export const ownAccountData: HandlersOf<typeof ownRoutes> = {
  read: ({ state, user, now }) => accountDataOf(state, user, now),
  erasure: ({ state, user }) => erasureStateOf(state, user),
  requestErasure({ body, state, user, now }) {
    requirePassword(user, body.current_password)
    return requestErasure(state, user, now)
  },
  cancelErasure: ({ state, user }) => cancelErasure(state, user),
}

export const adminAccountData: HandlersOf<typeof adminRoutes> = {
  read: ({ params, state, now }) => accountDataOf(state, userOrFail(state, params.id), now),
  erasure: ({ params, state }) => erasureStateOf(state, userOrFail(state, params.id)),
  requestErasure({ params, body, state, user, now }) {
    requirePassword(user, body.current_password)
    return requestErasure(state, userOrFail(state, params.id), now)
  },
  cancelErasure: ({ params, state }) => cancelErasure(state, userOrFail(state, params.id)),
}
