import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import type { verification } from '@portal/contract/verification'
import { toMajor } from '@portal/format/money'
import { percentOf } from '@portal/format/numbers'
import { findByNumber } from '../certificates/store.ts'
import type { Reader } from '../db/database.ts'
import { isUnpaid } from '../db/schema/payment-states.ts'
import { Fault } from '../fault.ts'
import { idempotencyKeyOf, markReplayed } from '../http/idempotency-key.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { type FirstCall, withFirstRead } from '../http/with-first-read.ts'
import { toUnprintableFault } from '../letters/printable.ts'
import { listLettersOfItems } from '../letters/store.ts'
import { consume, countWithin, requireAllowance } from '../limits/limiter.ts'
import { startPayment } from '../payments/initiate.ts'
import {
  findOpenAttempt,
  findOtherForms,
  findVerified,
  type PaidVerification,
} from '../payments/numbers-store.ts'
import { findPayment } from '../payments/store.ts'
import { findUnprintable, notifyOfUnprintable } from '../payments/unprintable-letters.ts'
import { readPublicSettings } from '../settings/public-settings.ts'
import { CURRENCY } from '../settings/rules.ts'
import { readPolicies, readSettings } from '../settings/store.ts'
import { iso } from '../wire.ts'
import { history } from './history.ts'
import { toPublicReply, toPublicTopup, toStatusReply, toTopupReply } from './replies.ts'
import type { PaymentView } from './rules.ts'
import {
  findVisiblePaymentView,
  readOwnPaymentView,
  refreshTopup,
  refreshView,
  requireOwnPayment,
} from './status-check.ts'
import { findPaymentView, letterCertificate, readCounters } from './store.ts'

type Domain = typeof verification
/** The parts of a call that all handlers for one certificate or one transaction need. */
type CertificateCall = FirstCall<Domain['checkCertificate']>
type StatusCall = Pick<
  Call<Domain['checkStatus']>,
  'db' | 'ports' | 'user' | 'params' | 'isHead' | 'isCacheable'
>

async function buildAlreadyPaidReply(db: Reader, { payment, fulfilment }: PaidVerification) {
  const letter = (await listLettersOfItems(db, { itemIds: [fulfilment.paymentItemId] })).get(
    fulfilment.paymentItemId,
  )
  return {
    status: 'already_paid' as const,
    certificate: letterCertificate(fulfilment, letter),
    authentication_date: iso(fulfilment.at),
    transaction_id: payment.transactionId,
  }
}

type Lookup =
  | { kind: 'known' }
  | { kind: 'unknown'; suggestion: string | undefined }
  | { kind: 'not_revealed' }

/** Reads the data that `lookUp` needs. */
async function readLookUpData(call: CertificateCall) {
  const [settings, refusal, certificate] = await Promise.all([
    readSettings(call.db.read),
    requireAllowance(call, 'certificate_misses', call.user.id).catch((error: unknown) => ({ error })),
    findByNumber(call.db.read, { certificateNumber: call.body.certificate_number }),
  ])
  return { settings, refusal, certificate }
}

/**
 * Returns whether a number is in the register, if that may be revealed before payment: under the policy `free`, or if the
 * verification is free. Misses are limited, and beyond the limit the result is the same for known numbers. After a miss,
 * suggests the standard form of the number or, for a number in that form, an existing one with other separators.
 */
async function lookUp(
  call: CertificateCall,
  { settings: { policies, fee }, refusal, certificate }: Awaited<ReturnType<typeof readLookUpData>>,
): Promise<Lookup> {
  if (policies.unknown_certificates === 'charge' && fee.minor > 0) return { kind: 'not_revealed' }
  if (refusal) throw refusal.error
  if (certificate) return { kind: 'known' }
  await consume(call, 'certificate_misses', call.user.id)
  const number = call.body.certificate_number
  const standardForm = suggestCertificateNumber(number)
  if (standardForm !== undefined) return { kind: 'unknown', suggestion: standardForm }
  const existingForms = await findOtherForms(call.db.read, { numbers: [number] })
  return { kind: 'unknown', suggestion: existingForms.get(number) }
}

/**
 * Requires, before anything is paid, that the letter can be printed.
 * @throws Fault `LETTER_NOT_PRINTABLE`; staff are notified of the cause
 */
async function requirePrintable(
  { db, ports }: CertificateCall,
  unprintable: Awaited<ReturnType<typeof findUnprintable>>,
): Promise<void> {
  const [problem] = unprintable.values()
  if (!problem) return
  await db.write(tx => notifyOfUnprintable(tx, unprintable, ports.clock.now()))
  throw toUnprintableFault(problem)
}

async function replyToStatusCheck(
  call: StatusCall,
  ownView: PaymentView | undefined,
  certificateNumber?: string,
) {
  const visibleView = await findVisiblePaymentView(call, ownView)
  if (!visibleView) {
    const { payment, refunds } = await refreshTopup(call, await requireOwnPayment(call))
    return toTopupReply(payment, refunds)
  }
  const view = await refreshView(call, visibleView)
  call.isCacheable = !isUnpaid(view.views[0].payment.status)
  return toStatusReply(view, call.ports.environment.PUBLIC_URL, certificateNumber)
}

async function readTrackedTopupReply(call: Call<Domain['publicPaymentStatus']>) {
  const stored = await findPayment(call.db.read, { transactionId: call.params.id })
  const { payment, refunds } = await refreshTopup(call, stored)
  return toPublicTopup(payment, refunds)
}

const readForCheck = (call: CertificateCall) => {
  const [userId, certificateNumber] = [call.user.id, call.body.certificate_number]
  return Promise.all([
    findVerified(call.db.read, { userId, certificateNumber }),
    readLookUpData(call),
    findUnprintable(call.db.read, { userId, numbers: [certificateNumber] }),
  ])
}

const readForStart = (call: CertificateCall) => {
  const accountNumber = { userId: call.user.id, certificateNumber: call.body.certificate_number }
  return Promise.all([
    findVerified(call.db.read, accountNumber),
    findOpenAttempt(call.db.read, accountNumber),
    readLookUpData(call),
    requireAllowance(call, 'payment_starts', call.user.id).catch((error: unknown) => ({ error })),
  ])
}

export const verificationHandlers: HandlersOf<Domain> = {
  checkCertificate: withFirstRead(readForCheck, async (call, [verified, lookUpData, unprintable]) => {
    const { user, db, body } = call
    const certificateNumber = body.certificate_number
    if (verified) return await buildAlreadyPaidReply(db.read, verified)
    const lookup = await lookUp(call, lookUpData)
    if (lookup.kind === 'unknown') throw new Fault('CERTIFICATE_NOT_FOUND', { suggestion: lookup.suggestion })
    await requirePrintable(call, unprintable)
    if (lookup.kind === 'not_revealed')
      return { status: 'payment_required', suggestion: suggestCertificateNumber(certificateNumber) }
    await consume(call, 'certificate_unpaid', user.id)
    return { status: 'payment_required', certificate: { certificate_number: certificateNumber } }
  }),

  processPayment: withFirstRead(readForStart, async (call, [verified, open, lookUpData, refusal]) => {
    const { user, db, ports, body, address, requestId } = call
    const certificateNumber = body.certificate_number
    const idempotencyKey = idempotencyKeyOf(call)
    const notFound = {
      status: 'not_found' as const,
      message: 'Certificate not found in our database.',
      payment_reference: null,
      amount_paid: null,
      suggestion: suggestCertificateNumber(certificateNumber),
    }
    // Continuing an open attempt reveals nothing new, so the limits do not apply to it.
    const isContinuing = verified || (open && open.expiresAt > ports.clock.now())
    if (!isContinuing) {
      const lookup = await lookUp(call, lookUpData)
      if (lookup.kind === 'unknown') return { ...notFound, suggestion: lookup.suggestion }
      if (refusal) throw refusal.error
    }

    const started = await startPayment(ports, db, {
      user,
      certificateNumber,
      idempotencyKey,
      onReplay: () => markReplayed(call),
      address,
      requestId,
      // Counted before the gateway is called, so that calls that it refuses or does not answer count too.
      onStart: tx => countWithin(tx, call, 'payment_starts', user.id),
    })
    if (started.kind === 'not_found') return notFound
    if (started.kind === 'already_paid') return await buildAlreadyPaidReply(db.read, started)
    const { payment } = started
    return {
      status: 'payment_initiated',
      payment_url: started.paymentUrl,
      payment_data: payment.paymentFields ?? {},
      transaction_id: payment.transactionId,
      payment_reference: payment.providerReference,
      amount_paid: toMajor(payment.amountMinor),
      currency: payment.currency,
      expires_at: iso(payment.expiresAt),
    }
  }),

  checkStatus: withFirstRead(readOwnPaymentView, (call, ownView) =>
    replyToStatusCheck(call, ownView, call.query.certificate_number),
  ),
  paymentStatus: withFirstRead(readOwnPaymentView, (call, ownView) => replyToStatusCheck(call, ownView)),

  publicPaymentStatus: async call => {
    await consume(call, 'public_tracking', call.address)
    const found = await findPaymentView(call.db.read, { transactionId: call.params.id, userId: undefined })
    if (!found) return await readTrackedTopupReply(call)
    const view = await refreshView(call, found)
    const { public_tracking } = await readPolicies(call.db.read)
    return toPublicReply(view, public_tracking)
  },

  history,

  statistics: async ({ db, user }) => {
    const { found, missed, spentMinor } = await readCounters(db.read, { userId: user.id })
    return {
      statistics: {
        total_verifications: found + missed,
        successful_verifications: found,
        failed_verifications: missed,
        success_rate: percentOf(found, found + missed),
        total_amount_spent: toMajor(spentMinor),
      },
      currency: CURRENCY,
    }
  },

  settings: ({ db, ports }) => readPublicSettings(db.read, ports.environment),
}
