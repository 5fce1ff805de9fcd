import { otherForms } from '@portal/contract/certificate-number-forms'
import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import { errorCatalogue } from '@portal/contract/errors'
import { letterTextProblem } from '@portal/contract/printable-text'
import type { TaxLine, TaxRate } from '@portal/contract/tax'
import type { StatusItem, StatusReply } from '@portal/contract/verification'
import { toMajor } from '@portal/format/money'
import { includedTax } from '@portal/format/tax'
import { verificationMessages } from '@portal/rules/messages'
import { completePayment } from './complete-payment.ts'
import { CURRENCY, MINIMUM_MINOR } from './currency.ts'
import { Fault } from './fault.ts'
import { newReference, newTransactionId } from './ids.ts'
import { templateOf, toLetterLink } from './letter-status.ts'
import { taxOf } from './settings-state.ts'
import type { MockPayment, MockState, MockUser } from './state.ts'

/*
 * Payments are stored as one row for each certificate. The rows of a bulk payment have the same transaction ID and reference,
 * and the same outcome.
 */

export const PAYMENT_LIFETIME_MS = 25 * 60_000
/** Path of the mocked gateway's page, which is served with the app (see `public/`). */
const GATEWAY_PAGE = '/mock-gateway.html'

export const ownPayments = (state: MockState, user: Pick<MockUser, 'id'>) =>
  state.payments.filter(payment => payment.user_id === user.id)

/** True if it must not be revealed before payment whether a number exists: under the policy `charge`, unless the fee is 0. */
export const hidesUnknownNumbers = ({ settings, fee }: MockState) =>
  settings.policies.unknown_certificates === 'charge' && fee.minor > 0

/** False only if a number is unknown and this may be revealed before payment. */
export const mayExist = (state: MockState, number: string) =>
  hidesUnknownNumbers(state) ||
  state.certificates.some(certificate => certificate.certificate_number === number)

/** Returns an existing number that differs from this one only in separators. */
export const findOtherForm = (state: MockState, number: string) =>
  otherForms(number).find(form =>
    state.certificates.some(certificate => certificate.certificate_number === form),
  )

/**
 * Returns a number to try instead of an unknown one: its standard form, or an existing number that differs only in separators.
 */
export const suggestNumber = (state: MockState, number: string) =>
  suggestCertificateNumber(number) ?? findOtherForm(state, number)

/**
 * True if a certificate in the register has characters that its letter cannot print, e.g. after the database was edited
 * directly.
 */
export function isUnprintable(state: MockState, number: string): boolean {
  const found = state.certificates.find(certificate => certificate.certificate_number === number)
  const texts = found ? [found.student_name, found.course, found.grade] : []
  return texts.some(text => letterTextProblem('', text) !== undefined)
}

/**
 * Returns the rows of a payment, in the order in which the numbers were given.
 * @throws Fault `TRANSACTION_NOT_FOUND`
 */
export function rowsOrFail(state: MockState, id: string): [MockPayment, ...MockPayment[]] {
  const [first, ...more] = state.payments.filter(item => item.transaction_id === id)
  if (!first) throw new Fault('TRANSACTION_NOT_FOUND')
  return [first, ...more]
}

/** Like `rowsOrFail`, but treats another user's payment as missing. */
export function visibleRowsOrFail(state: MockState, user: MockUser, id: string) {
  const rows = rowsOrFail(state, id)
  if (user.role === 'user' && rows[0].user_id !== user.id) throw new Fault('TRANSACTION_NOT_FOUND')
  return rows
}

/** Returns the account's successful payment for a number, unless the certificate has been deleted or replaced since. */
export function findVerifiedPayment(
  state: MockState,
  user: Pick<MockUser, 'id'>,
  number: string,
): MockPayment | undefined {
  const current = state.certificates.find(certificate => certificate.certificate_number === number)
  if (!current) return undefined
  return ownPayments(state, user).find(
    item =>
      item.certificate_number === number &&
      item.verification_status === 'success' &&
      (item.certificate_id === undefined || item.certificate_id === current.id),
  )
}

export const findOpenPayment = (state: MockState, user: MockUser, number: string) =>
  ownPayments(state, user).find(item => item.certificate_number === number && item.status === 'pending')

/** Starts one payment for all of the numbers. With a fee of 0, they are verified immediately. */
export function startPayment(
  state: MockState,
  user: MockUser,
  numbers: readonly string[],
  now: Date,
): MockPayment[] {
  const amount = state.fee.minor * numbers.length
  if (amount > 0 && amount < MINIMUM_MINOR) throw new Fault('FEE_BELOW_MINIMUM')
  const tax = taxOf(state.settings)
  const shared = {
    transaction_id: newTransactionId(),
    payment_reference: newReference(),
    user_id: user.id,
    status: 'pending' as const,
    verification_status: null,
    code: null,
    gateway_status: 'PENDING',
    amount_minor: state.fee.minor,
    ...(tax.basis_points > 0 && { tax }),
    initiated_at: now.toISOString(),
    expires_at: new Date(now.getTime() + PAYMENT_LIFETIME_MS).toISOString(),
    ended_at: null,
    certificate: null,
    letter_code: null,
  }
  const rows = numbers.map(certificate_number => ({ ...shared, certificate_number }))
  state.payments.unshift(...rows)
  if (state.fee.minor > 0) return rows
  completePayment(state, shared.transaction_id, 'pay', now)
  for (const row of rows) row.gateway_status = 'PAID'
  return rows
}

const total = (rows: readonly MockPayment[]) => rows.reduce((sum, item) => sum + item.amount_minor, 0)

/** Returns the total in minor units of the rows that are neither refunded nor due for a refund. */
export const earnedMinor = (rows: readonly MockPayment[]) =>
  total(rows.filter(item => item.refund_status === undefined))

/** Returns the tax included in a payment, if any. */
export function taxLineOf(rows: readonly [MockPayment, ...MockPayment[]]): { tax?: TaxLine } {
  return taxWithin(total(rows), rows[0].tax)
}

/** Returns the tax included in an amount in minor units, if any. */
export function taxWithin(minor: number, tax: TaxRate | undefined): { tax?: TaxLine } {
  if (!tax?.basis_points || minor === 0) return {}
  return { tax: { ...tax, amount: toMajor(includedTax(minor, tax.basis_points)) } }
}

/** Returns the fields that all replies about a started payment have in common. */
export function initiationReply(state: MockState, rows: readonly [MockPayment, ...MockPayment[]]) {
  return initiationReplyFor(state, rows[0], total(rows))
}

/** Like `initiationReply`, for a given amount in minor units. */
export function initiationReplyFor(
  { origin }: MockState,
  first: Pick<MockPayment, 'transaction_id' | 'payment_reference' | 'expires_at'>,
  minor: number,
) {
  const amount = toMajor(minor)
  const query = new URLSearchParams({
    transaction_id: first.transaction_id,
    reference: first.payment_reference,
    amount: amount.toFixed(2),
  })
  return {
    status: 'payment_initiated' as const,
    payment_url: `${origin}${GATEWAY_PAGE}?${query}`,
    payment_data: {},
    transaction_id: first.transaction_id,
    payment_reference: first.payment_reference,
    amount_paid: amount,
    currency: CURRENCY,
    expires_at: first.expires_at,
  }
}

function paymentMessage(payment: MockPayment): string {
  if (payment.status === 'pending') return verificationMessages.pending
  if (payment.status === 'failed') return errorCatalogue[payment.code ?? 'PAYMENT_FAILED'].message
  if (payment.verification_status === 'success') return verificationMessages.verified
  if (payment.refund_status === 'refunded') return verificationMessages.refunded
  const due = payment.refund_status === 'refund_due' ? '. Your payment will be refunded.' : ''
  return `Payment completed but certificate not found in database${due}`
}

function paymentsMessage(rows: readonly [MockPayment, ...MockPayment[]]): string {
  if (rows.length === 1 || rows[0].status !== 'paid') return paymentMessage(rows[0])
  const foundCount = rows.filter(row => row.verification_status === 'success').length
  const dueCount = rows.filter(row => row.refund_status === 'refund_due').length
  const notFoundCount = rows.length - foundCount - dueCount
  const misses = notFoundCount > 0 ? ` ${notFoundCount} not found in database.` : ''
  const refunds = dueCount > 0 ? ` Your payment for ${dueCount} will be refunded.` : ''
  return `${foundCount} of ${rows.length} certificates verified.${misses}${refunds}`
}

const sumOf = (rows: readonly MockPayment[], kind: MockPayment['refund_status']) =>
  toMajor(total(rows.filter(row => row.refund_status === kind)))

/** Returns the fields that public and private status replies have in common. */
export function statusFieldsOf(rows: readonly [MockPayment, ...MockPayment[]]) {
  const [first] = rows
  const isAnyFound = rows.some(item => item.verification_status === 'success')
  return {
    status: first.status,
    verification_status: isAnyFound ? ('success' as const) : first.verification_status,
    message: paymentsMessage(rows),
    ...(first.code && { code: first.code }),
    certificate_number: first.certificate_number,
    certificate: rows.length === 1 ? first.certificate : null,
    payment_reference: first.payment_reference,
    amount_paid: first.status === 'paid' ? toMajor(total(rows)) : null,
    currency: CURRENCY,
    refund_due: sumOf(rows, 'refund_due'),
    refunded: sumOf(rows, 'refunded'),
    refund_currency: CURRENCY,
    bpms_status: first.gateway_status,
  }
}

export const resolutionOf = (payment: MockPayment): StatusReply['resolution'] =>
  payment.verification_status === 'success'
    ? 'verified'
    : (payment.refund_status ?? payment.verification_status)

function toStatusItem(state: MockState, payment: MockPayment): StatusItem {
  const current = state.certificates.find(item => item.certificate_number === payment.certificate_number)
  return {
    certificate_number: payment.certificate_number,
    certificate_id: payment.certificate ? (current?.id ?? null) : null,
    amount: toMajor(payment.amount_minor),
    status: payment.status,
    verification_status: payment.verification_status,
    message: paymentMessage(payment),
    resolution: resolutionOf(payment),
    certificate: payment.certificate,
    letter: toLetterLink(state, payment),
  }
}

/** Returns the reply about a payment's status; `number` selects one certificate of a bulk payment. */
export function statusOf(
  state: MockState,
  rows: readonly [MockPayment, ...MockPayment[]],
  number?: string,
): StatusReply {
  const [first] = rows
  const selected =
    number === undefined
      ? rows.length === 1
        ? first
        : undefined
      : rows.find(row => row.certificate_number === number)
  if (number !== undefined && !selected) throw new Fault('CERTIFICATE_NOT_FOUND')
  return {
    ...statusFieldsOf(rows),
    ...(selected && {
      certificate_number: selected.certificate_number,
      certificate: selected.certificate,
      verification_status: selected.verification_status,
      message: paymentMessage(selected),
    }),
    resolution: selected
      ? resolutionOf(selected)
      : (rows.map(resolutionOf).find(resolution => resolution === 'verified') ?? resolutionOf(first)),
    transaction_id: first.transaction_id,
    amount_due: toMajor(total(rows)),
    ...taxLineOf(rows),
    initiated_at: first.initiated_at,
    expires_at: first.status === 'pending' ? first.expires_at : null,
    paid_at: first.status === 'paid' ? first.ended_at : null,
    authentication_date: first.status === 'paid' ? first.ended_at : null,
    verification_template: selected ? templateOf(state, selected) : null,
    letter: selected ? toLetterLink(state, selected) : null,
    items: rows.map(item => toStatusItem(state, item)),
  }
}
