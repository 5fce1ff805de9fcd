import type { DisputeEvidence } from '@portal/contract/admin-disputes'
import { counted } from '@portal/format/counted'
import { formatDateTime } from '@portal/format/dates'
import { formatMoney, toMajor } from '@portal/format/money'
import { buildEvidencePdf, type EvidencePdfInput } from '@portal/letter/evidence'
import { findUser } from '../accounts/store.ts'
import type { Database } from '../db/database.ts'
import { displayEmail } from '../erased.ts'
import { readLetterForEvidence } from '../letters/formats.ts'
import { listLettersOfPayment } from '../letters/held-letters-store.ts'
import { toLetterLink } from '../letters/rules.ts'
import type { FoundLetter } from '../letters/store.ts'
import type { Evidence } from '../payment-gateway.ts'
import { findPaymentById } from '../payments/store.ts'
import type { Ports } from '../ports.ts'
import { toLetterhead } from '../settings/letterhead.ts'
import { readSettings } from '../settings/store.ts'
import { iso, isoOrNull } from '../wire.ts'
import { listDeliveries, listRefundsMade, listUses } from './evidence-store.ts'
import type { DisputeView } from './store.ts'

/*
 * Evidence that the payer received and used what was paid for. It is assembled on request and never stored. After the dispute
 * has been answered, it contains only events up to the answer.
 */

interface Context {
  db: Database
  ports: Pick<Ports, 'clock' | 'environment' | 'timestamp'>
}

/** Maximum number of letters in the evidence file; a bank would not read more. */
const MAX_LETTERS = 10
/** Describes an entry of the usage log. A letter is identified only by its reference. */
const describeUse = ({ activity, details }: { activity: string; details: string }) =>
  activity === 'User login' ? 'Login of the account' : details ? `${activity}: ${details}` : activity

async function gatherEvidence({ db, ports }: Context, { dispute, payment }: DisputeView) {
  const [paymentRow, payer] = await Promise.all([
    findPaymentById(db.read, { id: payment.id }),
    findUser(db.read, { id: payment.userId }),
  ])
  if (!paymentRow || !payer) throw new Error('a dispute without its payment')
  const { transactionId, userId } = payment
  const letters = await listLettersOfPayment(db.read, { transactionId, userIds: [userId] })
  const uses = await listUses(db.read, {
    userId,
    refNumbers: letters.map(({ letter }) => letter.refNumber),
    from: paymentRow.createdAt,
    until: dispute.answeredAt ?? ports.clock.now(),
  })
  const deliveries = await listDeliveries(db.read, { paymentId: payment.id })
  return {
    paymentRow,
    payer,
    letters,
    uses,
    deliveries,
    refunds: await listRefundsMade(db.read, { paymentId: payment.id }),
  }
}

const toLetterEvidence = (found: FoundLetter | undefined, publicUrl: string) =>
  found
    ? {
        ref_number: found.letter.refNumber,
        status: toLetterLink(found, publicUrl).status,
        issued_at: iso(found.letter.issuedAt),
        url: toLetterLink(found, publicUrl).url,
        checks: found.letter.checks,
        last_checked_at: isoOrNull(found.letter.lastCheckedAt),
      }
    : null

type GatheredEvidence = Awaited<ReturnType<typeof gatherEvidence>>

function toDisputeEvidence(
  { paymentRow, payer, letters, uses, deliveries, refunds }: GatheredEvidence,
  publicUrl: string,
): DisputeEvidence {
  const deliveredAt = deliveries.flatMap(({ at }) => (at === null ? [] : [at]))
  return {
    customer: {
      name: `${payer.firstname} ${payer.lastname}`,
      email: displayEmail(payer.email),
      phone: payer.phone,
    },
    paid_at: isoOrNull(paymentRow.paidAt),
    amount_paid: toMajor(paymentRow.amountPaidMinor ?? 0),
    currency: paymentRow.currency,
    delivered_at: deliveredAt.length > 0 ? iso(Math.min(...deliveredAt)) : null,
    items: deliveries.map(({ certificateNumber, outcome }) => ({
      certificate_number: certificateNumber,
      outcome,
      letter: toLetterEvidence(
        letters.find(found => found.certificateNumber === certificateNumber),
        publicUrl,
      ),
    })),
    refunds: refunds.map(({ minor, status, bankReference, providerRefundId, processedAt, updatedAt }) => ({
      amount: toMajor(minor),
      status,
      reference: bankReference ?? providerRefundId,
      at: iso(processedAt ?? updatedAt),
    })),
    uses: uses.map(use => ({ at: iso(use.at), what: describeUse(use), ip_address: use.ipAddress })),
  }
}

/** Returns the evidence as shown to staff before it is sent. */
export async function readEvidence(context: Context, found: DisputeView): Promise<DisputeEvidence> {
  return toDisputeEvidence(await gatherEvidence(context, found), context.ports.environment.PUBLIC_URL)
}

const outcomes = {
  verified: 'found; the official verification letter was delivered',
  not_found: 'answered: not in the register',
  refund_due: 'not delivered; to be refunded',
} as const

/** Returns the evidence as sections of text for a bank. */
function buildSections({ dispute, payment }: DisputeView, evidence: DisputeEvidence) {
  const { customer, currency } = evidence
  const money = (major: number) => formatMoney(major, currency)
  const line = (name: string, value: string | null) => (value ? [`${name}: ${value}`] : [])
  const items = evidence.items.flatMap(({ certificate_number: number, outcome, letter }) => [
    `Certificate ${number}: ${outcome ? outcomes[outcome] : 'not delivered'}.`,
    ...(letter
      ? [
          `Letter ${letter.ref_number}, issued ${formatDateTime(letter.issued_at)}, ${letter.status}. Check it at ${letter.url}`,
          ...(letter.last_checked_at
            ? [
                `Its public page was opened ${counted(letter.checks, 'time')}, last on ${formatDateTime(letter.last_checked_at)}.`,
              ]
            : []),
        ]
      : []),
  ])
  return [
    {
      heading: 'Payment',
      lines: [
        ...line('Dispute', dispute.providerDisputeId),
        ...line('Payment reference', payment.providerReference),
        ...line('Transaction', payment.transactionId),
        ...line(
          'Paid',
          evidence.paid_at && `${money(evidence.amount_paid)} on ${formatDateTime(evidence.paid_at)}`,
        ),
      ],
    },
    {
      heading: 'Customer',
      lines: [
        ...line('Name', customer.name),
        ...line('Email', customer.email),
        ...line('Phone', customer.phone),
      ],
    },
    {
      heading: 'What was delivered',
      lines: [
        ...line('Delivered', evidence.delivered_at && formatDateTime(evidence.delivered_at)),
        ...items,
        ...evidence.refunds.map(
          refund =>
            `Refund of ${money(refund.amount)}, ${refund.status}, ${formatDateTime(refund.at)}${refund.reference ? `, reference ${refund.reference}` : ''}.`,
        ),
      ],
    },
    {
      heading: 'Usage log',
      lines: evidence.uses.map(
        ({ at, what, ip_address: address }) =>
          `${formatDateTime(at)} ${what}${address ? ` (IP address ${address})` : ''}`,
      ),
    },
    ...(dispute.note ? [{ heading: 'Note', lines: dispute.note.split(/\n+/) }] : []),
  ].filter(({ lines }) => lines.length > 0)
}

/** Returns the PDF for the bank, with the facts, the usage log and the letters. */
export async function drawEvidenceFile(
  context: Context,
  found: DisputeView,
): Promise<Uint8Array<ArrayBuffer>> {
  const evidence = await gatherEvidence(context, found)
  return await drawPdf(context, found, evidence)
}

async function drawPdf(context: Context, found: DisputeView, gathered: GatheredEvidence) {
  const evidence = toDisputeEvidence(gathered, context.ports.environment.PUBLIC_URL)
  const { institution } = await readSettings(context.db.read)
  const letters: EvidencePdfInput['letters'][number][] = []
  for (const letter of gathered.letters.slice(0, MAX_LETTERS))
    letters.push(await readLetterForEvidence(context, letter))
  return await buildEvidencePdf({
    title: `Evidence for payment ${found.payment.providerReference}`,
    ...toLetterhead(institution),
    sections: buildSections(found, evidence),
    letters,
    at: new Date(found.dispute.answeredAt ?? context.ports.clock.now()),
  })
}

/** Returns the evidence that is sent to a gateway: the facts, and the same PDF as for the bank. */
export async function buildEvidenceToSend(context: Context, found: DisputeView): Promise<Evidence> {
  const evidence = await gatherEvidence(context, found)
  const {
    customer,
    delivered_at: deliveredAt,
    items,
  } = toDisputeEvidence(evidence, context.ports.environment.PUBLIC_URL)
  const numbers = items.map(item => item.certificate_number)
  const { dispute, payment } = found
  return {
    customer,
    service:
      `Verification of ${numbers.length === 1 ? `certificate ${numbers[0]}` : `${numbers.length} certificates`}, ` +
      `payment reference ${payment.providerReference}. The result was delivered online and by mail.`,
    ...(deliveredAt && { deliveredAt: new Date(deliveredAt) }),
    note: dispute.note,
    file: {
      name: `evidence-${payment.providerReference}.pdf`,
      type: 'application/pdf',
      bytes: await drawPdf(context, found, evidence),
    },
  }
}
