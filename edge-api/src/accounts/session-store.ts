import { and, desc, eq, gt, lte, ne, sql } from 'drizzle-orm'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { prepareOnce } from '../db/prepared-queries.ts'
import { sessions, users } from '../db/schema/accounts.ts'
import type { Principal } from '../principal.ts'

const sessionQuery = prepareOnce(db =>
  db
    .select({
      id: users.id,
      sessionId: sessions.id,
      email: users.email,
      firstname: users.firstname,
      lastname: users.lastname,
      role: users.role,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, sql.placeholder('sessionId')),
        gt(sessions.expiresAt, sql.placeholder('now')),
        // A session dated in the future was created while the clock was ahead, and would last too long.
        sql`${sessions.createdAt} <= ${sql.placeholder('now')} + ${MAX_CLOCK_SKEW_MS}`,
        eq(users.isEnabled, true),
      ),
    ),
)

/** Finds the account of a live session, if the account is enabled. */
export function findSession(
  db: Reader,
  session: { sessionId: string; now: number },
): Promise<Principal | undefined> {
  return sessionQuery(db).get(session)
}

/** The browser, system and IP address that started a session, as shown to the account's owner. */
export type Client = Pick<typeof sessions.$inferSelect, 'browser' | 'system' | 'ipAddress'>

export async function insertSession(
  db: Tx,
  session: Pick<typeof sessions.$inferInsert, 'id' | 'userId' | 'createdAt' | 'expiresAt'> & Partial<Client>,
): Promise<void> {
  await db.insert(sessions).values(session)
}

export async function deleteSession(db: Tx, { sessionId }: { sessionId: string }): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId))
}

/** Lists the live sessions of an account, newest first. */
export async function listSessionsOf(
  db: Reader,
  { userId, now }: { userId: string; now: number },
): Promise<(typeof sessions.$inferSelect)[]> {
  return await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.createdAt))
}

/** Ends every session of an account, except `exceptSessionId` if given. */
export async function deleteSessionsOf(
  db: Tx,
  { userId, exceptSessionId = '' }: { userId: string; exceptSessionId?: string },
): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, exceptSessionId)))
}

/** Minimum time between two updates of a session's last use, in milliseconds. */
const USE_INTERVAL_MS = 5 * 60_000

/** True if the last recorded use of a session is so long ago that the next one must be recorded. */
export async function shouldRecordSessionUse(
  db: Reader,
  use: { sessionId: string; now: number },
): Promise<boolean> {
  const rows = await db.select({ id: sessions.id }).from(sessions).where(isUseOutdated(use))
  return rows.length > 0
}

export async function recordSessionUse(db: Tx, use: { sessionId: string; now: number }): Promise<void> {
  await db.update(sessions).set({ lastUsedAt: use.now }).where(isUseOutdated(use))
}

const isUseOutdated = ({ sessionId, now }: { sessionId: string; now: number }) =>
  and(
    eq(sessions.id, sessionId),
    lte(sql`coalesce(${sessions.lastUsedAt}, ${sessions.createdAt})`, now - USE_INTERVAL_MS),
  )

/** Deletes expired sessions of an account. */
export async function deleteExpiredSessionsOf(
  db: Tx,
  { userId, now }: { userId: string; now: number },
): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), lte(sessions.expiresAt, now)))
}
