import type { LetterLink } from '@portal/contract/letter'
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lte, max, or, sql } from 'drizzle-orm'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { certificates } from '../db/schema/certificates.ts'
import { letters } from '../db/schema/letters.ts'
import { organisationVerifications } from '../db/schema/organisation-money.ts'
import { paymentItems } from '../db/schema/payments.ts'
import type { LetterWithCertificate } from '../letters/store.ts'
import { isNotDeferred } from '../queues/deferral-store.ts'

type Status = LetterLink['status']

/**
 * How long the letters of a letter holder must be unchanged before the holder is notified, in milliseconds. An upload can
 * change many letters; the holder is then notified of all of them together.
 */
export const QUIET_PERIOD_MS = 60_000

/** Returns a list of any number of values for `in`, with only one bound parameter. */
const jsonValues = (values: readonly string[]) =>
  sql`(select value from json_each(${JSON.stringify(values)}))`

/** Condition for letters that have not been replaced by a newer one. */
const isCurrent = isNull(letters.replacedBy)

/** Returns the letters issued for these certificates, with the certificates' current data. */
export async function listLettersOfCertificates(
  db: Reader,
  { certificateIds }: { certificateIds: readonly string[] },
): Promise<LetterWithCertificate[]> {
  return await db
    .select({ letter: letters, certificate: certificates })
    .from(letters)
    .leftJoin(certificates, eq(certificates.id, letters.certificateId))
    .where(and(isCurrent, inArray(letters.certificateId, jsonValues(certificateIds))))
}

/** Counts the letters issued for each certificate, without those that were replaced or withdrawn. */
export async function countLetters(
  db: Reader,
  { certificateIds }: { certificateIds: readonly string[] },
): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: letters.certificateId, total: count() })
    .from(letters)
    .where(
      and(isCurrent, eq(letters.status, 'valid'), inArray(letters.certificateId, jsonValues(certificateIds))),
    )
    .groupBy(letters.certificateId)
  return new Map(rows.map(({ id, total }) => [id, total]))
}

/** Records that letters have a new status, so that their holders will be notified of it. */
export async function markStatusChanged(
  db: Tx,
  { codes, status, at }: { codes: readonly string[]; status: Status; at: number },
): Promise<void> {
  await db
    .update(letters)
    .set({ statusAt: at, pendingStatus: sql`nullif(${status}, ${letters.notifiedStatus})` })
    .where(inArray(letters.code, jsonValues(codes)))
}

export interface Holder {
  id: string
  email: string
  firstname: string
  role: (typeof users.$inferSelect)['role']
}

const holderColumns = { id: users.id, email: users.email, firstname: users.firstname, role: users.role }

/** Returns the holders of letters for these certificates who have not been notified of a new status yet. */
export async function listUnnotifiedHoldersOfCertificates(
  db: Reader,
  { certificateIds, limit }: { certificateIds: readonly string[]; limit: number },
): Promise<Holder[]> {
  return await db
    .selectDistinct(holderColumns)
    .from(letters)
    .innerJoin(users, eq(users.id, letters.userId))
    .where(and(isNotNull(letters.pendingStatus), inArray(letters.certificateId, jsonValues(certificateIds))))
    .limit(limit)
}

/**
 * Returns the holders who have not been notified of a new status yet, except those with a letter that changed after `before`.
 */
export async function listUnnotifiedHolders(
  db: Reader,
  { before, now, limit, newestFirst }: { before: number; now: number; limit: number; newestFirst: boolean },
): Promise<Holder[]> {
  const changed = max(letters.statusAt)
  return await db
    .select(holderColumns)
    .from(letters)
    .innerJoin(users, eq(users.id, letters.userId))
    // Written exactly as in the partial index, so that SQLite uses it.
    .where(sql`pending_status is not null and ${isNotDeferred('letter_holders', users.id, now)}`)
    .groupBy(users.id)
    // Also includes times in the future, which were written while the clock was ahead.
    .having(or(lte(changed, before), gt(changed, now + MAX_CLOCK_SKEW_MS)))
    .orderBy((newestFirst ? desc : asc)(changed))
    .limit(limit)
}

export interface UnnotifiedLetter {
  code: string
  status: Status
  certificateNumber: string
}

/** Returns the letters of an account that have a new status of which the account has not been notified yet. */
export async function listUnnotifiedLetters(
  db: Reader,
  { userId, limit }: { userId: string; limit: number },
): Promise<UnnotifiedLetter[]> {
  const rows = await db
    .select({
      code: letters.code,
      status: letters.pendingStatus,
      certificateNumber: paymentItems.certificateNumber,
    })
    .from(letters)
    .innerJoin(paymentItems, eq(paymentItems.id, letters.paymentItemId))
    .where(and(eq(letters.userId, userId), sql`pending_status is not null`))
    .orderBy(letters.statusAt, letters.code)
    .limit(limit)
  return rows.flatMap(({ status, ...row }) => (status === null ? [] : [{ ...row, status }]))
}

/** Returns who requested each of an organisation's letters, by the letter's code. */
export async function listRequesters(
  db: Reader,
  { codes }: { codes: readonly string[] },
): Promise<Map<string, string | null>> {
  const rows = await db
    .select({ code: letters.code, requestedBy: organisationVerifications.requestedBy })
    .from(letters)
    .innerJoin(paymentItems, eq(paymentItems.id, letters.paymentItemId))
    .innerJoin(organisationVerifications, eq(organisationVerifications.paymentId, paymentItems.paymentId))
    .where(inArray(letters.code, jsonValues(codes)))
  return new Map(rows.map(({ code, requestedBy }) => [code, requestedBy]))
}

/** Records that the holders of these letters have been notified of the new status. */
export async function markNotified(db: Tx, { codes }: { codes: readonly string[] }): Promise<void> {
  await db
    .update(letters)
    .set({
      notifiedStatus: sql`coalesce(${letters.pendingStatus}, ${letters.notifiedStatus})`,
      pendingStatus: null,
    })
    .where(inArray(letters.code, jsonValues(codes)))
}

/** Counts one check of a letter's public page. */
export async function countCheck(db: Tx, { code, at }: { code: string; at: number }): Promise<void> {
  await db
    .update(letters)
    .set({ checks: sql`${letters.checks} + 1`, lastCheckedAt: at })
    .where(eq(letters.code, code))
}
