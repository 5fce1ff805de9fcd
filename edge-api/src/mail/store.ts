import { and, asc, eq, isNotNull, isNull, lte, or } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { outbox } from '../db/schema/operations.ts'

/** @returns false when a mail with this `dedupeKey` was enqueued before */
export async function insertMail(
  db: Tx,
  mail: { id: string; sealed: string; dedupeKey: string | null; now: number },
): Promise<boolean> {
  const rows = await db
    .insert(outbox)
    .values({
      id: mail.id,
      kind: 'mail',
      sealed: mail.sealed,
      dedupeKey: mail.dedupeKey,
      nextAttemptAt: mail.now,
      createdAt: mail.now,
    })
    .onConflictDoNothing({ target: outbox.dedupeKey })
    .returning({ id: outbox.id })
  return rows.length > 0
}

const due = (now: number) =>
  and(lte(outbox.nextAttemptAt, now), or(isNull(outbox.leaseUntil), lte(outbox.leaseUntil, now)))

/** True when a mail waits to be sent now. */
export async function hasDueMail(db: Reader, { now }: { now: number }): Promise<boolean> {
  const rows = await db.select({ id: outbox.id }).from(outbox).where(due(now)).limit(1)
  return rows.length > 0
}

/** Every mail that has not left yet. */
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
  /** This one included. */
  attempts: number
  leaseUntil: number
}

/** Takes the mail that waits longest; until `leaseUntil` nobody else gets it. */
export async function leaseDueMail(
  db: Tx,
  { now, leaseUntil }: { now: number; leaseUntil: number },
): Promise<LeasedMail | undefined> {
  const [row] = await db
    .select()
    .from(outbox)
    .where(due(now))
    .orderBy(asc(outbox.nextAttemptAt), asc(outbox.createdAt))
    .limit(1)
  if (!row) return undefined
  const attempts = row.attempts + 1
  await db.update(outbox).set({ attempts, leaseUntil }).where(eq(outbox.id, row.id))
  return { id: row.id, sealed: row.sealed, attempts, leaseUntil }
}

const held = ({ id, leaseUntil }: LeasedMail) => and(eq(outbox.id, id), eq(outbox.leaseUntil, leaseUntil))

/** Delivered: the payload is erased. */
export async function markDelivered(db: Tx, { mail, now }: { mail: LeasedMail; now: number }): Promise<void> {
  await db
    .update(outbox)
    .set({ sealed: null, deliveredAt: now, nextAttemptAt: null, leaseUntil: null })
    .where(held(mail))
}

/** Not delivered: tried again at `nextAttemptAt`, or given up and erased when that is null. */
export async function markFailed(
  db: Tx,
  { mail, nextAttemptAt }: { mail: LeasedMail; nextAttemptAt: number | null },
): Promise<void> {
  await db
    .update(outbox)
    .set({ nextAttemptAt, leaseUntil: null, ...(nextAttemptAt === null && { sealed: null }) })
    .where(held(mail))
}
