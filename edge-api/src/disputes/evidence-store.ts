import { and, asc, desc, eq, gte, inArray, isNull, like, lte, ne, or, sql } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { activityLog } from '../db/schema/activity.ts'
import { fulfilments, refunds } from '../db/schema/money.ts'
import { paymentItems } from '../db/schema/payments.ts'
import { LETTER_CHECKED, LETTER_DOWNLOADED } from '../letter-handlers/check.ts'
import { PAID_ACTIVITY } from '../payments/fulfil.ts'
import { REVERSED_BY_GATEWAY } from '../payments/money-store.ts'

/** Maximum number of entries in the usage log. */
const MAX_USES = 100

/** Actions of the payer that show use of the account and the letter. */
const PAYER_ACTIVITIES = [
  'User login',
  'Certificate verification started',
  PAID_ACTIVITY,
  'Verification letter shared by mail',
  'Verification letter reissued',
]
/** Actions of anyone who has the letter. Nothing is stored about who did them. */
const LETTER_ACTIVITIES = [LETTER_CHECKED, LETTER_DOWNLOADED]

/** An entry of the usage log. */
export interface UsageEntry {
  id: number
  at: number
  activity: string
  details: string
  ipAddress: string | null
}

interface Period {
  from: number
  until: number
}

const isInPeriod = ({ from, until }: Period) => and(gte(activityLog.at, from), lte(activityLog.at, until))

/** Returns the payer's actions in a period, newest first. */
async function listPayerUses(
  db: Reader,
  { userId, ...period }: Period & { userId: string },
): Promise<UsageEntry[]> {
  return db
    .select({
      id: activityLog.id,
      at: activityLog.at,
      activity: activityLog.activity,
      details: activityLog.details,
      ipAddress: activityLog.ipAddress,
    })
    .from(activityLog)
    .where(
      and(
        eq(activityLog.userId, userId),
        isInPeriod(period),
        inArray(activityLog.activity, PAYER_ACTIVITIES),
      ),
    )
    .orderBy(desc(activityLog.at))
    .limit(MAX_USES)
}

/** Returns each time that anyone opened or downloaded one of the letters, newest first. */
async function listLetterUses(
  db: Reader,
  { refNumbers, ...period }: Period & { refNumbers: readonly string[] },
): Promise<UsageEntry[]> {
  if (refNumbers.length === 0) return []
  return db
    .select({
      id: activityLog.id,
      at: activityLog.at,
      activity: activityLog.activity,
      details: activityLog.details,
      ipAddress: sql<null>`null`,
    })
    .from(activityLog)
    .where(
      and(
        isNull(activityLog.userId),
        eq(activityLog.type, 'verification'),
        isInPeriod(period),
        inArray(activityLog.activity, LETTER_ACTIVITIES),
        or(...refNumbers.map(ref => like(activityLog.details, `${ref}:%`))),
      ),
    )
    .orderBy(desc(activityLog.at))
    .limit(MAX_USES)
}

/** Returns the usage log of a payment in a period, oldest first. */
export async function listUses(
  db: Reader,
  query: Period & { userId: string; refNumbers: readonly string[] },
): Promise<UsageEntry[]> {
  const uses = [...(await listPayerUses(db, query)), ...(await listLetterUses(db, query))]
  return uses.sort((a, b) => a.at - b.at || a.id - b.id).slice(-MAX_USES)
}

/** Returns what was delivered for each certificate number of a payment, and when; null if nothing was. */
export async function listDeliveries(db: Reader, { paymentId }: { paymentId: string }) {
  return db
    .select({
      certificateNumber: paymentItems.certificateNumber,
      outcome: fulfilments.outcome,
      at: fulfilments.at,
    })
    .from(paymentItems)
    .leftJoin(fulfilments, eq(fulfilments.paymentItemId, paymentItems.id))
    .where(eq(paymentItems.paymentId, paymentId))
    .orderBy(asc(paymentItems.id))
}

/** Returns the refunds of a payment that are completed or in progress, except those that the gateway made without a request. */
export async function listRefundsMade(db: Reader, { paymentId }: { paymentId: string }) {
  return db
    .select({
      minor: refunds.amountMinor,
      status: refunds.status,
      bankReference: refunds.bankReference,
      providerRefundId: refunds.providerRefundId,
      processedAt: refunds.processedAt,
      updatedAt: refunds.updatedAt,
    })
    .from(refunds)
    .where(
      and(
        eq(refunds.paymentId, paymentId),
        inArray(refunds.status, ['approved', 'needs_attention', 'processed']),
        ne(sql`coalesce(${refunds.note}, '')`, REVERSED_BY_GATEWAY),
      ),
    )
    .orderBy(asc(refunds.createdAt))
}
