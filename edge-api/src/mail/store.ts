import { and, asc, desc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { writeDeferred } from '../db/deferred-writes.ts'
import { outbox } from '../db/schema/operations.ts'
import { isDue, isWrittenAhead } from '../db/time-conditions.ts'

interface NewMail {
  id: string
  sealed: string
  dedupeKey: string | null
  now: number
}

/** Stores a mail to be sent, unless there has already been one with the same `dedupeKey`. */
export async function insertMail(
  db: Tx,
  { id, sealed, dedupeKey, now }: NewMail,
  lease: Pick<typeof outbox.$inferInsert, 'attempts' | 'leaseUntil'> = {},
): Promise<void> {
  const row = { id, kind: 'mail' as const, sealed, dedupeKey, nextAttemptAt: now, createdAt: now, ...lease }
  await writeDeferred(db, db.insert(outbox).values(row).onConflictDoNothing({ target: outbox.dedupeKey }))
}

/**
 * How long a mail is leased to one sender, in milliseconds: longer than sending may take, so that a lease expires only if the
 * sender's process has died.
 */
const MAIL_LEASE_MS = 120_000
/** Longest wait between two attempts, in milliseconds. */
const MAIL_LONGEST_WAIT_MS = 6 * 3_600_000

const isDueAndUnleased = (now: number) =>
  and(
    isNotNull(outbox.nextAttemptAt),
    or(
      isDue(outbox.nextAttemptAt, now, MAIL_LONGEST_WAIT_MS),
      isWrittenAhead(outbox.createdAt, outbox.nextAttemptAt, now),
    ),
    or(isNull(outbox.leaseUntil), isDue(outbox.leaseUntil, now, MAIL_LEASE_MS)),
  )

/** Lists mails that are due and not leased: those that have waited longest or, on request, the newest. */
export async function listDueMail(
  db: Reader,
  { now, limit, newestFirst }: { now: number; limit: number; newestFirst: boolean },
): Promise<{ id: string }[]> {
  const order = newestFirst ? desc : asc
  return await db
    .select({ id: outbox.id })
    .from(outbox)
    .where(isDueAndUnleased(now))
    .orderBy(order(outbox.nextAttemptAt), order(outbox.createdAt))
    .limit(limit)
}

/** Lists every mail that has not been sent yet. */
export async function listWaitingMail(db: Reader): Promise<{ id: string; sealed: string }[]> {
  const rows = await db
    .select({ id: outbox.id, sealed: outbox.sealed })
    .from(outbox)
    .where(isNotNull(outbox.nextAttemptAt))
  return rows.flatMap(({ id, sealed }) => (sealed === null ? [] : [{ id, sealed }]))
}

export async function deleteMail(db: Tx, { id }: { id: string }): Promise<void> {
  await db.delete(outbox).where(eq(outbox.id, id))
}

export interface LeasedMail {
  id: string
  sealed: string | null
  /** Number of attempts, including this one. */
  attempts: number
  leaseUntil: number
}

/** Leases a mail to the caller. @returns undefined if it is no longer due, for example because another sender has leased it */
export async function leaseMail(
  db: Tx,
  { id, now }: { id: string; now: number },
): Promise<LeasedMail | undefined> {
  const leaseUntil = now + MAIL_LEASE_MS
  const [row] = await db
    .update(outbox)
    .set({ attempts: sql`attempts + 1`, leaseUntil })
    .where(and(eq(outbox.id, id), isDueAndUnleased(now)))
    .returning({ id: outbox.id, sealed: outbox.sealed, attempts: outbox.attempts })
  return row && { ...row, leaseUntil }
}

/** Stores a mail that the caller sends itself, so it is leased from the start. */
export async function insertLeasedMail(db: Tx, mail: NewMail): Promise<LeasedMail> {
  const lease = { attempts: 1, leaseUntil: mail.now + MAIL_LEASE_MS }
  await insertMail(db, mail, lease)
  return { id: mail.id, sealed: mail.sealed, ...lease }
}

const isLeasedAs = ({ id, leaseUntil }: LeasedMail) =>
  and(eq(outbox.id, id), eq(outbox.leaseUntil, leaseUntil))

/** Records that a mail was delivered, and deletes its content. */
export async function markDelivered(db: Tx, { mail, now }: { mail: LeasedMail; now: number }): Promise<void> {
  const delivered = { sealed: null, deliveredAt: now, nextAttemptAt: null, leaseUntil: null }
  await writeDeferred(db, db.update(outbox).set(delivered).where(isLeasedAs(mail)))
}

/**
 * Records that a mail was not delivered. It is retried at `nextAttemptAt`; if that is null, it is abandoned and its content is
 * deleted.
 */
export async function markFailed(
  db: Tx,
  { mail, nextAttemptAt }: { mail: LeasedMail; nextAttemptAt: number | null },
): Promise<void> {
  await db
    .update(outbox)
    .set({ nextAttemptAt, leaseUntil: null, ...(nextAttemptAt === null && { sealed: null }) })
    .where(isLeasedAs(mail))
}
