import { verifiedCertificate } from '@portal/contract/shapes'
import { and, asc, count, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { preparedOnce } from '../db/prepared.ts'
import { certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import { fulfilments } from '../db/schema/money.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'
import { lettersOfItems, type StandingLetter } from '../letters/store.ts'
import { refundsOf } from '../payments/money-store.ts'
import { findVerifiedAt } from '../payments/numbers-store.ts'
import type { Fulfilment, Payment, PaymentItem } from '../payments/store.ts'
import type { Account, PageStory, Story } from './rules.ts'

/** The certificate as it was delivered. */
export const deliveredCertificate = (fulfilment: Fulfilment) => verifiedCertificate.parse(fulfilment.snapshot)

/** The certificate as the letter tells it: as delivered, or as corrected when the letter was issued anew. */
const toldCertificate = (fulfilment: Fulfilment, letter: StandingLetter | null) =>
  verifiedCertificate.parse(letter?.letter.snapshot ?? fulfilment.snapshot)

interface Row {
  payment: Payment
  item: PaymentItem
  fulfilment: Fulfilment | null
}

/** Adds to each row the letter that answers it; a second payment is answered by what the first one brought. */
async function withLetters<R extends Row>(
  db: Reader,
  rows: readonly R[],
  known: ReadonlyMap<string, StandingLetter> = new Map(),
): Promise<(R & Story)[]> {
  const answered = await Promise.all(
    rows.map(async row => {
      const again = row.payment.status === 'paid' && row.fulfilment?.outcome === 'refund_due'
      const earlier =
        again && row.fulfilment ? await findVerifiedAt(db, { ...row.item, at: row.fulfilment.at }) : undefined
      return { row, answer: earlier?.fulfilment ?? row.fulfilment }
    }),
  )
  const itemIds = answered.flatMap(({ answer }) =>
    answer?.outcome === 'verified' && !known.has(answer.paymentItemId) ? [answer.paymentItemId] : [],
  )
  const found = new Map([...known, ...(await lettersOfItems(db, { itemIds }))])
  return answered.map(({ answer, row }) => {
    const letter = (answer && found.get(answer.paymentItemId)) ?? null
    return {
      ...row,
      certificate: answer?.outcome === 'verified' ? toldCertificate(answer, letter) : null,
      letter,
    }
  })
}

// Status checks are the busiest call: their items, deliveries and letters come in one query.
const itemsQuery = preparedOnce(db =>
  db
    .select({
      item: paymentItems,
      fulfilment: fulfilments,
      letter: letters,
      certificate: certificates,
      refunding: sql<number>`exists (select 1 from refunds where refunds.payment_id = ${paymentItems.paymentId})`,
    })
    .from(paymentItems)
    .leftJoin(fulfilments, eq(fulfilments.paymentItemId, paymentItems.id))
    .leftJoin(letters, and(eq(letters.paymentItemId, paymentItems.id), isNull(letters.replacedBy)))
    .leftJoin(certificates, eq(certificates.id, letters.certificateId))
    .where(eq(paymentItems.paymentId, sql.placeholder('paymentId')))
    .orderBy(asc(paymentItems.id))
    .prepare(),
)

const nothingBack = { dueMinor: 0, doneMinor: 0, currency: undefined }

/** Everything that is known of a payment: a story for each certificate, and what goes back. */
export async function accountOf(db: Reader, payment: Payment): Promise<Account> {
  const rows = await itemsQuery(db).all({ paymentId: payment.id })
  const known = rows.flatMap(({ letter, certificate }): [string, StandingLetter][] =>
    letter ? [[letter.paymentItemId, { letter, certificate }]] : [],
  )
  const [first, ...more] = await withLetters(
    db,
    rows.map(({ item, fulfilment }) => ({ payment, item, fulfilment })),
    new Map(known),
  )
  if (!first) throw new Error('a payment without items')
  const refunds = rows[0]?.refunding ? await refundsOf(db, { paymentId: payment.id }) : nothingBack
  return { stories: [first, ...more], refunds }
}

/** One page of an account's verifications, newest first. */
export async function historyOf(
  db: Reader,
  { userId, page, perPage }: { userId: string; page: number; perPage: number },
): Promise<PageStory[]> {
  const items = sql<number>`(select count(*) from payment_items sibling where sibling.payment_id = ${payments.id})`
  const rows = await db
    .select({ payment: payments, item: paymentItems, fulfilment: fulfilments, items })
    .from(paymentItems)
    .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
    .leftJoin(fulfilments, eq(fulfilments.paymentItemId, paymentItems.id))
    .where(eq(paymentItems.userId, userId))
    .orderBy(desc(paymentItems.createdAt), desc(paymentItems.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  return withLetters(db, rows)
}

/** A verification whose money stayed, or one that could not be delivered; a second payment for the same is neither. */
const found = sql`${fulfilments.outcome} = 'verified' and ${payments.status} in ('paid', 'refunded')`
const again = sql`${fulfilments.outcome} = 'refund_due' and ${payments.status} = 'paid' and exists (
  select 1 from fulfilments first join payments first_payment on first_payment.id = first.payment_id
  join certificates first_certificate on first_certificate.id = first.certificate_id
  where first.user_id = ${paymentItems.userId} and first.certificate_number = ${paymentItems.certificateNumber}
    and first.outcome = 'verified' and first_payment.status in ('paid', 'refunded') and first.at <= ${fulfilments.at}
    and (first_certificate.withdrawn_at is null or first_certificate.withdrawn_at > ${fulfilments.at}))`
const missed = sql`${payments.status} in ('paid', 'refunded') and ${fulfilments.outcome} is not null and not (${found}) and not (${again})`
const charged = sql`${payments.status} in ('paid', 'refunded') and ${fulfilments.outcome} in ('verified', 'not_found')`

const total = (condition: typeof found, value = sql`1`) =>
  sql<number>`coalesce(sum(case when ${condition} then ${value} else 0 end), 0)`

/** Counters over an account's whole history. Amounts in minor units. */
export async function countersOf(
  db: Reader,
  { userId }: { userId: string },
): Promise<{ total: number; found: number; again: number; missed: number; spentMinor: number }> {
  const [row] = await db
    .select({
      total: count(),
      found: total(found),
      again: total(again),
      missed: total(missed),
      spentMinor: total(charged, sql`${paymentItems.amountMinor}`),
    })
    .from(paymentItems)
    .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
    .leftJoin(fulfilments, eq(fulfilments.paymentItemId, paymentItems.id))
    .where(and(eq(paymentItems.userId, userId)))
  return row ?? { total: 0, found: 0, again: 0, missed: 0, spentMinor: 0 }
}
