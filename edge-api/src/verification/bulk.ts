import { suggestCertificateNumber } from '@portal/contract/certificate-number-suggestion'
import { errorCatalogue } from '@portal/contract/errors'
import type {
  BulkCheckReply,
  BulkInitiationReply,
  BulkResult,
  BulkStatus,
  bulkVerification,
} from '@portal/contract/verification-bulk'
import { counted } from '@portal/format/counted'
import { toMajor } from '@portal/format/money'
import {
  bulkMessages,
  type RequestedNumbers,
  readNumbers,
  revealInOrder,
  summaryOf,
} from '@portal/rules/bulk'
import { verificationMessages } from '@portal/rules/messages'
import { idempotencyKeyOf, markReplayed } from '../http/idempotency-key.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { type LetterProblem, toUnprintableFault } from '../letters/printable.ts'
import { consume, consumeUpTo, countRemaining, countWithin, requireAllowance } from '../limits/limiter.ts'
import { startBulkPayment } from '../payments/initiate-bulk.ts'
import {
  findOpenAttempts,
  findOtherForms,
  findValidCertificates,
  findVerifiedNumbers,
  type PaidVerification,
} from '../payments/numbers-store.ts'
import type { Payment } from '../payments/store.ts'
import { findUnprintable, notifyOfUnprintable } from '../payments/unprintable-letters.ts'
import { CURRENCY } from '../settings/rules.ts'
import { readSettings } from '../settings/store.ts'
import { iso } from '../wire.ts'

type Domain = typeof bulkVerification
type BulkCall = Pick<Call<Domain['check']>, 'db' | 'ports' | 'user' | 'body'>

const UNPRINTABLE = errorCatalogue.LETTER_NOT_PRINTABLE.message

/** The facts known about each number before payment. */
interface Findings {
  verified: Map<string, PaidVerification>
  open: Map<string, Payment>
  statuses: Map<string, BulkStatus>
  /** True if `statuses` reveals which numbers exist; false under the policy `charge`. */
  isRevealed: boolean
  /** Numbers that are not charged, because their letters cannot be printed. */
  unprintable: ReadonlyMap<string, LetterProblem>
  /** For numbers reported as unknown: numbers in the register that differ from them only in separators. */
  otherForms: ReadonlyMap<string, string>
}

/**
 * Looks up numbers by the same rules as `check-certificate`: under the policy `free`, misses are counted, and beyond the limit
 * the result is the same for all numbers. Numbers that the caller has verified or is paying for are reported without a limit.
 */
async function lookUp(call: BulkCall, numbers: readonly string[]): Promise<Findings> {
  const { db, ports, user } = call
  const accountNumbers = { userId: user.id, numbers }
  const verified = await findVerifiedNumbers(db.read, accountNumbers)
  const open = await findOpenAttempts(db.read, accountNumbers)
  // An expired attempt is ignored, because it is closed when the payment is started.
  for (const [number, payment] of open) {
    if (payment.expiresAt <= ports.clock.now() && payment.status !== 'processing') open.delete(number)
  }
  const otherNumbers = numbers.filter(number => !verified.has(number) && !open.has(number))
  const revealed = await revealStatuses(call, otherNumbers)
  const unknown = otherNumbers.filter(
    number => revealed.statuses.get(number) === 'not_found' && suggestCertificateNumber(number) === undefined,
  )
  const otherForms = await findOtherForms(db.read, { numbers: unknown })
  return {
    verified,
    open,
    ...revealed,
    otherForms,
    unprintable: await markUnprintable(call, revealed.statuses),
  }
}

/**
 * Marks numbers whose letters cannot be printed as not payable, and notifies staff.
 * @throws Fault `LETTER_NOT_PRINTABLE` if the reason is in the data of the account or the institution, which affects all
 * numbers
 */
async function markUnprintable({ db, ports, user }: BulkCall, statuses: Map<string, BulkStatus>) {
  const numbers = [...statuses.keys()].filter(number => statuses.get(number) === 'payment_required')
  const problems = await findUnprintable(db.read, { userId: user.id, numbers })
  if (problems.size > 0) await db.write(tx => notifyOfUnprintable(tx, problems, ports.clock.now()))
  for (const [number, problem] of problems) {
    if (problem.source !== 'certificate') throw toUnprintableFault(problem)
    statuses.set(number, 'invalid')
  }
  return problems
}

/** Returns the status of each number, as far as it may be revealed before payment, and counts the misses. */
async function revealStatuses(
  call: BulkCall,
  numbers: readonly string[],
): Promise<Pick<Findings, 'statuses' | 'isRevealed'>> {
  const { db, user } = call
  if (numbers.length === 0) return { statuses: new Map(), isRevealed: true }
  const { policies, fee } = await readSettings(db.read)
  if (policies.unknown_certificates === 'charge' && fee.minor > 0) {
    return { statuses: new Map(numbers.map(number => [number, 'payment_required'])), isRevealed: false }
  }
  const valid = await findValidCertificates(db.read, { numbers })
  const isKnown = (number: string) => valid.has(number)
  const remainingMisses = await countRemaining(call, 'certificate_misses', user.id)
  const misses = [...revealInOrder(numbers, isKnown, remainingMisses).values()].filter(
    status => status === 'not_found',
  ).length
  // Counts the misses now. Another call may have used part of the limit since it was read.
  const allowedMisses =
    misses > 0 ? await consumeUpTo(call, 'certificate_misses', user.id, misses) : remainingMisses
  return {
    statuses: revealInOrder(numbers, isKnown, misses > allowedMisses ? allowedMisses : remainingMisses),
    isRevealed: true,
  }
}

function buildResults(
  { distinct, invalid }: RequestedNumbers,
  { verified, open, statuses, isRevealed, unprintable, otherForms }: Findings,
): BulkResult[] {
  return distinct.map(certificate_number => {
    const suggestion = suggestCertificateNumber(certificate_number) ?? otherForms.get(certificate_number)
    const problem = invalid.get(certificate_number)
    if (problem !== undefined) return { certificate_number, status: 'invalid', message: problem, suggestion }
    const paidVerification = verified.get(certificate_number)
    const attempt = open.get(certificate_number)
    const status = paidVerification
      ? 'already_paid'
      : attempt
        ? 'pending'
        : (statuses.get(certificate_number) ?? 'payment_required')
    const message = unprintable.has(certificate_number) ? UNPRINTABLE : bulkMessages[status]
    const payment = paidVerification?.payment ?? attempt
    return {
      certificate_number,
      status,
      ...(message && { message }),
      ...((status === 'not_found' || (status === 'payment_required' && !isRevealed)) && { suggestion }),
      ...(payment && { transaction_id: payment.transactionId }),
      ...(paidVerification && { authentication_date: iso(paidVerification.fulfilment.at) }),
    }
  })
}

async function check(call: Call<Domain['check']>): Promise<BulkCheckReply> {
  const requested = readNumbers(call.body.certificate_numbers)
  const findings = await lookUp(call, requested.valid)
  const results = buildResults(requested, findings)
  const summary = summaryOf(requested, results)
  // Counted once per call; otherwise a list of 500 numbers could never be checked.
  if (summary.payment_required > 0) await consume(call, 'certificate_unpaid', call.user.id)
  const { fee } = await readSettings(call.db.read)
  return {
    results,
    summary,
    amount_due: toMajor(fee.minor * summary.payment_required),
    currency: CURRENCY,
  }
}

async function pay(call: Call<Domain['pay']>): Promise<BulkInitiationReply> {
  const { user, db, ports, address, requestId } = call
  const idempotencyKey = idempotencyKeyOf(call)
  const requested = readNumbers(call.body.certificate_numbers)
  const findings = await lookUp(call, requested.valid)
  const payable = requested.valid.filter(
    number => (findings.statuses.get(number) ?? 'pending') !== 'not_found',
  )
  const numbers = payable.filter(
    number => findings.statuses.get(number) !== 'limited' && findings.statuses.get(number) !== 'invalid',
  )
  if (numbers.some(number => findings.statuses.has(number)))
    await requireAllowance(call, 'payment_starts', user.id)

  const started = await startBulkPayment(ports, db, {
    user,
    numbers,
    requestedNumbers: requested.distinct,
    idempotencyKey,
    onReplay: () => markReplayed(call),
    address,
    requestId,
    onStart: tx => countWithin(tx, call, 'payment_starts', user.id),
  })
  if (started.kind === 'finished') return buildNothingDueReply(call, requested, findings, started.payment)
  const { payment, items, paymentUrl } = started
  // The numbers in this payment are reported as "to be paid", even if it continues an earlier attempt.
  const payableNumbers = new Set(items.map(item => item.certificateNumber))
  for (const number of payableNumbers) {
    findings.open.delete(number)
    if (!findings.verified.has(number)) findings.statuses.set(number, 'payment_required')
  }
  const results = buildResults(requested, findings)
  return {
    status: 'payment_initiated',
    payment_url: paymentUrl,
    payment_data: payment.paymentFields ?? {},
    transaction_id: payment.transactionId,
    payment_reference: payment.providerReference,
    amount_paid: toMajor(payment.amountMinor),
    currency: payment.currency,
    expires_at: iso(payment.expiresAt),
    items: items.map(item => ({
      certificate_number: item.certificateNumber,
      amount: toMajor(item.amountMinor),
    })),
    results,
    summary: summaryOf(requested, results),
  }
}

/** Returns the reply if nothing has to be paid, because each number is already verified or cannot be verified. */
async function buildNothingDueReply(
  { db, user }: BulkCall,
  requested: RequestedNumbers,
  findings: Findings,
  freePayment: Payment | undefined,
): Promise<BulkInitiationReply> {
  const accountNumbers = { userId: user.id, numbers: requested.valid }
  const results = buildResults(requested, {
    ...findings,
    verified: await findVerifiedNumbers(db.read, accountNumbers),
  })
  const summary = summaryOf(requested, results)
  const hasVerified = summary.already_paid > 0
  return {
    status: hasVerified ? 'already_paid' : 'not_found',
    message: hasVerified
      ? `${summary.already_paid} of ${counted(summary.total, 'certificate')} ${summary.total === 1 ? 'is' : 'are'} verified. Nothing is due.`
      : verificationMessages.nonePayable,
    ...(freePayment && { transaction_id: freePayment.transactionId }),
    payment_reference: null,
    amount_paid: null,
    results,
    summary,
  }
}

export const bulkHandlers: HandlersOf<Domain> = { check, pay }
