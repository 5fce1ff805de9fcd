import type { OrganisationVerification } from '@portal/contract/organisation-shapes'
import type { organisationVerifications as routes } from '@portal/contract/organisation-verifications'
import { toMajor } from '@portal/format/money'
import { completePayment } from './complete-payment.ts'
import { CURRENCY } from './currency.ts'
import { Fault } from './fault.ts'
import { findIdByIdempotencyKey, requireValidKey, storeIdempotencyKey } from './idempotency.ts'
import { newPrefixedId } from './ids.ts'
import { templateOf, toLetterLink } from './letter-status.ts'
import { findMemberName, memberOrFail } from './organisation-access.ts'
import { recordEvent } from './organisation-event-log.ts'
import { recordBalanceChange } from './organisation-movements.ts'
import type { MockOrganisation } from './organisation-types.ts'
import { paginateRows } from './paginate-rows.ts'
import { findVerifiedPayment, isUnprintable, mayExist, startPayment } from './payments.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState, MockUser } from './state.ts'

type MockVerification = MockOrganisation['verifications'][number]

export const verificationOf = (
  state: MockState,
  organisation: MockOrganisation,
  item: MockVerification,
): OrganisationVerification => {
  const name = findMemberName(state, organisation, item.requested_by ?? '')
  const isCurrentMember = name !== 'Former member'
  return { ...item, requested_by: { user_id: isCurrentMember ? item.requested_by : null, name } }
}

/** Returns what a verification delivered: the certificate and the letter. */
export function deliveredOf(state: MockState, { transaction_id }: Pick<MockVerification, 'transaction_id'>) {
  const payment = state.payments.find(item => item.transaction_id === transaction_id)
  if (!payment?.certificate) return { certificate: null, letter: null, verification_template: null }
  const { certificate } = payment
  return {
    certificate: { ...certificate, certificate_number: payment.certificate_number },
    letter: toLetterLink(state, payment),
    verification_template: templateOf(state, payment),
  }
}

interface VerificationOrder {
  number: string
  reference: string | null
  purpose: string | null
  source: MockVerification['source']
  batch_id: string | null
  requested_by: string
  now: Date
}

/** Returns the existing verification of a number for which the organisation has already paid. */
export function findPaidVerification(state: MockState, organisation: MockOrganisation, number: string) {
  const payment = findVerifiedPayment(state, organisation, number)
  return (
    payment &&
    organisation.verifications.find(verification => verification.transaction_id === payment.transaction_id)
  )
}

/** Verifies one number and charges it to the balance. */
export function verifyNumber(
  state: MockState,
  organisation: MockOrganisation,
  { number, now, ...order }: VerificationOrder,
): MockVerification {
  const at = now.toISOString()
  const row: MockVerification = {
    ...order,
    id: newPrefixedId('ver'),
    certificate_number: number,
    status: 'completed',
    result: 'not_found',
    amount: 0,
    currency: CURRENCY,
    transaction_id: null,
    livemode: true,
    created_at: at,
    completed_at: at,
  }
  if (mayExist(state, number)) {
    const [payment] = startPayment(state, organisation as unknown as MockUser, [number], now)
    if (payment) {
      completePayment(state, payment.transaction_id, 'pay', now)
      if (payment.amount_minor > 0)
        recordBalanceChange(organisation, {
          type: 'charge',
          minor: -payment.amount_minor,
          description: `Verification ${number}`,
          transaction_id: payment.transaction_id,
          now,
        })
      row.transaction_id = payment.transaction_id
      row.amount = toMajor(payment.amount_minor)
      row.result = payment.certificate ? 'verified' : 'not_found'
    }
  }
  organisation.verifications.unshift(row)
  if (row.batch_id === null)
    recordEvent(organisation, {
      type: 'verification.completed',
      data: {
        id: row.id,
        status: row.status,
        certificate_number: number,
        ...(row.reference !== null && { reference: row.reference }),
      },
      now,
    })
  return row
}

export const availableOf = ({ balance_minor, held_minor }: MockOrganisation) => balance_minor - held_minor

function verificationOrFail(organisation: MockOrganisation, id: string): MockVerification {
  const found = organisation.verifications.find(verification => verification.id === id)
  if (!found) throw new Fault('NOT_FOUND', undefined, 'There is no such verification.')
  return found
}

export const organisationVerifications: HandlersOf<typeof routes> = {
  create(call) {
    const { state, params, body, user, now } = call
    const { organisation } = memberOrFail(call, params.id, 'verify', { change: true })
    const number = body.certificate_number
    if (isUnprintable(state, number)) throw new Fault('LETTER_NOT_PRINTABLE')
    requireValidKey(call)
    const earlierId = findIdByIdempotencyKey(call, JSON.stringify(body))
    const paidVerification = findPaidVerification(state, organisation, number)
    const replayed = organisation.verifications.find(item => item.id === earlierId)
    const { minor } = state.fee
    if (!paidVerification && !replayed && mayExist(state, number) && minor > 0) {
      if (organisation.debt_minor > 0 || availableOf(organisation) < minor)
        throw new Fault('INSUFFICIENT_BALANCE')
    }
    const { reference, purpose } = body
    const order = { number, reference, purpose, source: 'portal' as const, batch_id: null }
    const row =
      replayed ??
      paidVerification ??
      verifyNumber(state, organisation, { ...order, requested_by: user.id, now })
    storeIdempotencyKey(call, JSON.stringify(body), row.id)
    const { verification_template: _, ...delivered } = deliveredOf(state, row)
    return {
      verification: verificationOf(state, organisation, row),
      ...delivered,
      already_paid: !replayed && paidVerification !== undefined,
      balance: toMajor(availableOf(organisation)),
    }
  },
  list(call) {
    const { state, params, query } = call
    const { organisation } = memberOrFail(call, params.id, 'verify')
    const search = query.search.toLowerCase()
    const found = organisation.verifications.filter(
      item =>
        [item.certificate_number, item.reference ?? ''].some(text => text.toLowerCase().includes(search)) &&
        (query.status === undefined || item.status === query.status) &&
        (query.result === undefined || item.result === query.result) &&
        (query.source === undefined || item.source === query.source) &&
        (query.requested_by === undefined || item.requested_by === query.requested_by) &&
        (query.livemode === undefined || item.livemode === query.livemode) &&
        (query.date_from === undefined || item.created_at.slice(0, 10) >= query.date_from) &&
        (query.date_to === undefined || item.created_at.slice(0, 10) <= query.date_to),
    )
    const { rows, pagination } = paginateRows(found, query)
    return { verifications: rows.map(item => verificationOf(state, organisation, item)), pagination }
  },
  read(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'verify')
    const row = verificationOrFail(organisation, call.params.ver)
    return { verification: verificationOf(call.state, organisation, row), ...deliveredOf(call.state, row) }
  },
  cancel(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'verify', { change: true })
    verificationOrFail(organisation, call.params.ver)
    throw new Fault('WRONG_STATE')
  },
}
