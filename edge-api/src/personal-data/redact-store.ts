import { verificationTemplate } from '@portal/contract/letter'
import { withoutAddressee } from '@portal/letter/erased'
import { eq, inArray, sql } from 'drizzle-orm'
import { findUser } from '../accounts/store.ts'
import { chunks } from '../db/chunks.ts'
import type { Tx } from '../db/database.ts'
import {
  mailTokens,
  notifications,
  recoveryCodes,
  secondFactors,
  sessions,
  users,
  userTexts,
} from '../db/schema/accounts.ts'
import { uploads } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import { idempotencyKeys, paymentItems, payments, webhookInbox } from '../db/schema/payments.ts'
import { reconciliations } from '../db/schema/reconciliation.ts'
import { registerJobs } from '../db/schema/register-jobs.ts'
import { settingChanges } from '../db/schema/settings.ts'
import { ERASED_ACCOUNT, erasedEmail, erasedName } from '../erased.ts'

/* Blanks the personal data of an account, table by table. All calls must be in one transaction. */

/** Deletes the account's credentials and notifications. */
export async function removeAccess(db: Tx, { userId }: { userId: string }): Promise<void> {
  for (const table of [sessions, mailTokens, recoveryCodes, secondFactors, notifications, idempotencyKeys])
    await db.delete(table).where(eq(table.userId, userId))
}

/** Deletes data about the payer that was sent to gateways or received from them. Amounts, references and states are kept. */
export async function redactPayments(db: Tx, { userId }: { userId: string }): Promise<void> {
  const isOfUser = eq(payments.userId, userId)
  const references = db.select({ reference: payments.providerReference }).from(payments).where(isOfUser)
  await db.update(webhookInbox).set({ raw: '' }).where(inArray(webhookInbox.reference, references))
  await db.update(payments).set({ paymentUrl: null, paymentFields: null, ipAddress: null }).where(isOfUser)
}

/** Removes the requester and the addressee from letters. The graduate's data is kept. */
export async function redactHolder(db: Tx, { userId }: { userId: string }): Promise<void> {
  const user = await findUser(db, { id: userId })
  const currentName = `${user?.firstname} ${user?.lastname}`
  const rows = await db
    .select({ code: letters.code, template: letters.template, holderName: letters.holderName })
    .from(paymentItems)
    .innerJoin(letters, eq(letters.paymentItemId, paymentItems.id))
    .where(eq(paymentItems.userId, userId))
  const redacted = rows.map(({ code, template, holderName }) => {
    const names = [holderName ?? currentName].map(name => name.trim().replace(/\s+/g, ' '))
    return { code, template: JSON.stringify(withoutAddressee(verificationTemplate.parse(template), names)) }
  })
  for (const chunk of chunks(redacted))
    await db.run(sql`
      update ${letters} set template = blank.value ->> 'template', holder_name = null
      from json_each(${JSON.stringify(chunk)}) as blank where ${letters.code} = blank.value ->> 'code'`)
}

/**
 * Replaces the email address, and removes the IP address, where they are stored with actions of a former staff member. The
 * account ID is kept.
 */
export async function redactStaffActions(db: Tx, { userId }: { userId: string }): Promise<void> {
  await db
    .update(uploads)
    .set({ uploaderEmail: ERASED_ACCOUNT, ipAddress: null })
    .where(eq(uploads.uploaderId, userId))
  await db.update(settingChanges).set({ userEmail: ERASED_ACCOUNT }).where(eq(settingChanges.userId, userId))
  await db
    .update(reconciliations)
    .set({ byEmail: ERASED_ACCOUNT, ipAddress: null })
    .where(eq(reconciliations.byUserId, userId))
  await db.update(registerJobs).set({ ipAddress: null }).where(eq(registerJobs.authorId, userId))
}

/** Blanks the account itself. Afterwards it identifies no one and cannot be used. */
export async function redactUser(db: Tx, { userId, now }: { userId: string; now: number }): Promise<void> {
  await db
    .update(users)
    .set({
      ...erasedName,
      sortName: null,
      email: erasedEmail(),
      phone: '',
      address: '',
      passwordHash: '',
      isEnabled: false,
      verifiedAt: null,
      updatedAt: now,
      erasureDueAt: null,
      erasedAt: now,
    })
    .where(eq(users.id, userId))
  await db.delete(userTexts).where(eq(userTexts.userId, userId))
}
