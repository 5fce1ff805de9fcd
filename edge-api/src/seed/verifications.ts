import { demoInstitution, demoSignatory } from '@portal/fixtures/institution'
import type { Persona } from '@portal/fixtures/personas'
import type { DemoVerification } from '@portal/fixtures/verifications'
import { classifyActivity } from '@portal/format/activity'
import { buildLetter } from '@portal/letter/model'
import { chunks } from '../db/chunks.ts'
import type { Tx } from '../db/database.ts'
import type { activityLog } from '../db/schema/activity.ts'
import { letters } from '../db/schema/letters.ts'
import { fulfilments, ledgerEntries } from '../db/schema/money.ts'
import { paymentEvents, paymentItems, payments } from '../db/schema/payments.ts'
import { newRefNumber } from '../ids.ts'
import { outcomeLabels, PAID_ACTIVITY, UNPAID_ACTIVITIES } from '../payments/fulfil.ts'
import { computeItemResult } from '../payments/item-results.ts'
import { bookReceipt, DEMO_PROVIDER } from '../payments/rules.ts'

interface DemoPast {
  verifications: readonly DemoVerification[]
  /** IDs of certificates by number. */
  certificates: ReadonlyMap<string, string>
  /** Accounts by email address. */
  people: ReadonlyMap<string, Persona>
  /** Overpaid amounts in kobo, by transaction ID. */
  overpaidMinorById: ReadonlyMap<string, number>
}

/**
 * Returns the state in which a demo payment is stored. One that is open in the demo data is stored as expired, because no
 * gateway knows it.
 */
const storedStatusOf = (verification: DemoVerification) =>
  verification.status === 'failed'
    ? verification.code === 'PAYMENT_CANCELLED'
      ? ('cancelled' as const)
      : ('failed' as const)
    : verification.status === 'paid'
      ? ('paid' as const)
      : ('expired' as const)

/** Returns the rows of one past verification, by table. */
function buildRows(verification: DemoVerification, { certificates, people, overpaidMinorById }: DemoPast) {
  const person = people.get(verification.user_email)
  if (!person) throw new Error(`no persona ${verification.user_email}`)
  const paymentId = crypto.randomUUID()
  const itemId = crypto.randomUUID()
  const { certificate_number: certificateNumber, amount_minor: amountMinor, currency } = verification
  const receivedMinor = amountMinor + (overpaidMinorById.get(verification.transaction_id) ?? 0)
  const status = storedStatusOf(verification)
  const openForMs = Date.parse(verification.expires_at) - Date.parse(verification.initiated_at)
  // A payment that is open in the mocks gets an earlier start here, so that it has just expired.
  const startedAt = Date.parse(verification.initiated_at) - (status === 'expired' ? openForMs : 0)
  const expiresAt = startedAt + openForMs
  const endedAt = verification.ended_at ? Date.parse(verification.ended_at) : expiresAt
  const isPaid = status === 'paid'
  const certificateId = verification.certificate ? certificates.get(certificateNumber) : undefined
  const outcome = certificateId ? ('verified' as const) : ('not_found' as const)

  const payment: typeof payments.$inferInsert = {
    id: paymentId,
    transactionId: verification.transaction_id,
    userId: person.id,
    provider: DEMO_PROVIDER,
    providerReference: verification.payment_reference,
    mode: 'test',
    amountMinor,
    currency,
    amountPaidMinor: isPaid ? receivedMinor : null,
    status,
    resolution: isPaid ? outcome : null,
    declineCode: verification.code ?? (status === 'expired' ? 'PAYMENT_TIMEOUT' : null),
    gatewayStatus: status === 'expired' ? 'EXPIRED' : verification.gateway_status,
    // Needed because "not found" is a paid result only under this policy.
    unknownPolicy: 'charge',
    createdAt: startedAt,
    updatedAt: endedAt,
    paidAt: isPaid ? endedAt : null,
    expiresAt,
  }
  const item: typeof paymentItems.$inferInsert = {
    id: itemId,
    paymentId,
    userId: person.id,
    certificateNumber,
    amountMinor,
    createdAt: startedAt,
    open: 0,
    ...computeItemResult({ status, outcome: isPaid ? outcome : null, isRepeated: false }),
    resultAt: isPaid ? endedAt : startedAt,
  }
  const event: typeof paymentEvents.$inferInsert = {
    paymentId,
    type: status,
    fromStatus: 'pending',
    toStatus: status,
    source: 'seed',
    amountMinor: isPaid ? receivedMinor : null,
    code: verification.gateway_code,
    at: endedAt,
  }
  return {
    paymentId,
    itemId,
    person,
    endedAt,
    status,
    isPaid,
    outcome,
    certificateId,
    payment,
    item,
    event,
    verification,
  }
}

type Rows = ReturnType<typeof buildRows>

const toFulfilment = (rows: Rows): typeof fulfilments.$inferInsert => ({
  paymentItemId: rows.itemId,
  paymentId: rows.paymentId,
  userId: rows.person.id,
  certificateNumber: rows.verification.certificate_number,
  outcome: rows.outcome,
  certificateId: rows.certificateId ?? null,
  snapshot: rows.verification.certificate
    ? { ...rows.verification.certificate, matric_number: undefined }
    : null,
  at: rows.endedAt,
})

function toLetterRows(rows: Rows): (typeof letters.$inferInsert)[] {
  const { certificate, letter_code: code } = rows.verification
  if (!certificate || !code || !rows.certificateId) return []
  const refNumber = newRefNumber(rows.endedAt)
  return [
    {
      code,
      refNumber,
      paymentItemId: rows.itemId,
      userId: rows.person.id,
      certificateId: rows.certificateId,
      template: buildLetter({
        institution: demoInstitution,
        letterHolder: {
          name: `${rows.person.firstname} ${rows.person.lastname}`,
          address: rows.person.address,
        },
        certificate,
        refNumber,
        issuedAt: new Date(rows.endedAt),
        signature: demoSignatory,
      }),
      snapshot: { ...certificate, matric_number: undefined },
      status: 'valid',
      issuedAt: rows.endedAt,
      statusAt: rows.endedAt,
    },
  ]
}

const toLedgerEntries = (rows: Rows): (typeof ledgerEntries.$inferInsert)[] =>
  bookReceipt(rows.payment.amountPaidMinor ?? 0, [
    { id: rows.itemId, minor: rows.payment.amountMinor, outcome: rows.outcome },
  ]).entries.map(({ account, minor, reason }) => ({
    paymentId: rows.paymentId,
    account,
    amountMinor: minor,
    currency: 'NGN',
    reason,
    at: rows.endedAt,
  }))

function toLogEntry(rows: Rows): typeof activityLog.$inferInsert {
  const number = rows.verification.certificate_number
  const [activity, details] =
    rows.status === 'paid'
      ? [PAID_ACTIVITY, `${number}: ${outcomeLabels[rows.outcome]}`]
      : [UNPAID_ACTIVITIES[rows.status], number]
  const { type, status } = classifyActivity(activity)
  return {
    userId: rows.person.id,
    userEmail: rows.person.email,
    activity,
    type,
    status,
    details,
    at: rows.endedAt,
  }
}

/**
 * Stores the demo's past verifications as the product itself would have done.
 * @returns their entries for the activity log, which must be written in chronological order, because the log is read in the
 * order of its IDs
 */
export async function insertDemoVerifications(
  db: Tx,
  past: DemoPast,
): Promise<(typeof activityLog.$inferInsert)[]> {
  const allRows = past.verifications.map(verification => buildRows(verification, past))
  const paidRows = allRows.filter(rows => rows.isPaid)
  for (const rows of chunks(allRows)) {
    await db.insert(payments).values(rows.map(({ payment }) => payment))
    await db.insert(paymentItems).values(rows.map(({ item }) => item))
    await db.insert(paymentEvents).values(rows.map(({ event }) => event))
  }
  for (const rows of chunks(paidRows)) {
    await db.insert(fulfilments).values(rows.map(toFulfilment))
    await db.insert(ledgerEntries).values(rows.flatMap(toLedgerEntries))
  }
  for (const rows of chunks(paidRows.flatMap(toLetterRows))) await db.insert(letters).values(rows)
  return allRows.map(toLogEntry)
}
