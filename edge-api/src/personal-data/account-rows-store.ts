import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { findUser } from '../accounts/store.ts'
import type { Reader } from '../db/database.ts'
import { notifications, secondFactors, sessions } from '../db/schema/accounts.ts'
import { activityLog } from '../db/schema/activity.ts'
import { certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import { fulfilments, refunds } from '../db/schema/money.ts'
import { paymentItems, payments } from '../db/schema/payments.ts'
import { listInvitationsByEmail, listOrganisationsOf, listRequestsOfUser } from '../membership/store.ts'
import { listKeysOfUser } from '../organisation-keys/store.ts'

/** Returns all rows about an account, newest first; undefined if there is no such account. */
export async function readAccountRows(db: Reader, { userId }: { userId: string }) {
  const user = await findUser(db, { id: userId })
  if (!user || user.erasedAt !== null) return undefined
  const [authenticator] = await db
    .select({ userId: secondFactors.userId })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)))
  return {
    user,
    hasSecondFactor: authenticator !== undefined,
    sessions: await db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, userId))
      .orderBy(desc(sessions.createdAt)),
    items: await db
      .select({ item: paymentItems, transactionId: payments.transactionId, fulfilment: fulfilments })
      .from(paymentItems)
      .innerJoin(payments, eq(payments.id, paymentItems.paymentId))
      .leftJoin(fulfilments, eq(fulfilments.paymentItemId, paymentItems.id))
      .where(eq(paymentItems.userId, userId))
      .orderBy(desc(paymentItems.createdAt), desc(paymentItems.id)),
    payments: await db
      .select()
      .from(payments)
      .where(eq(payments.userId, userId))
      .orderBy(desc(payments.createdAt)),
    refunds: await db
      .select({ refund: refunds, transactionId: payments.transactionId })
      .from(refunds)
      .innerJoin(payments, eq(payments.id, refunds.paymentId))
      .where(eq(payments.userId, userId))
      .orderBy(desc(refunds.createdAt)),
    letters: await db
      .select({ letter: letters, certificate: certificates })
      .from(paymentItems)
      .innerJoin(letters, eq(letters.paymentItemId, paymentItems.id))
      .leftJoin(certificates, eq(certificates.id, letters.certificateId))
      .where(eq(paymentItems.userId, userId))
      .orderBy(desc(letters.issuedAt)),
    organisations: await listOrganisationsOf(db, { userId }),
    invitations: await listInvitationsByEmail(db, { email: user.email }),
    requests: await listRequestsOfUser(db, { userId }),
    apiKeys: await listKeysOfUser(db, { userId }),
    notifications: await db
      .select()
      .from(notifications)
      .where(eq(notifications.userId, userId))
      .orderBy(desc(notifications.seq)),
    activity: await db
      .select({
        activity: activityLog.activity,
        details: activityLog.details,
        ipAddress: activityLog.ipAddress,
        at: activityLog.at,
      })
      .from(activityLog)
      .where(eq(activityLog.userId, userId))
      .orderBy(desc(activityLog.id)),
  }
}

export type AccountRows = NonNullable<Awaited<ReturnType<typeof readAccountRows>>>
