import { and, count, desc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import { MAX_CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Reader, Tx } from '../db/database.ts'
import { prepareOnce } from '../db/prepared-queries.ts'
import { users } from '../db/schema/accounts.ts'
import { organisationKeys as keys, organisationMembers, organisations } from '../db/schema/organisations.ts'

export type KeyRow = typeof keys.$inferSelect

const byHash = prepareOnce(db =>
  db
    .select({
      id: keys.id,
      organisationId: keys.organisationId,
      name: keys.name,
      mode: keys.mode,
      access: keys.access,
      last4: keys.last4,
      expiresAt: keys.expiresAt,
      revokedAt: keys.revokedAt,
      createdAt: keys.createdAt,
      lastUsedAt: keys.lastUsedAt,
      organisationState: organisations.state,
      vettedAt: organisations.vettedAt,
    })
    .from(keys)
    .innerJoin(organisations, eq(organisations.id, keys.organisationId))
    .where(eq(keys.hash, sql.placeholder('hash'))),
)

/** Finds the key with this hash, valid or not. */
export const findKeyByHash = (db: Reader, { hash }: { hash: string }) => byHash(db).get({ hash })

export interface KeyView {
  key: KeyRow
  creator: { firstname: string; lastname: string } | null
  /** The creator's user ID; null if the creator is no longer a member. */
  creatorMemberId: string | null
}

const selectKeys = (db: Reader) =>
  db
    .select({
      key: keys,
      creator: { firstname: users.firstname, lastname: users.lastname },
      creatorMemberId: organisationMembers.userId,
    })
    .from(keys)
    .leftJoin(users, eq(users.id, keys.createdBy))
    .leftJoin(
      organisationMembers,
      and(
        eq(organisationMembers.userId, keys.createdBy),
        eq(organisationMembers.organisationId, keys.organisationId),
      ),
    )

/** Lists the keys of an organisation, newest first. */
export const listKeys = (
  db: Reader,
  { organisationId, limit, offset }: { organisationId: string; limit: number; offset: number },
): Promise<KeyView[]> =>
  selectKeys(db)
    .where(eq(keys.organisationId, organisationId))
    .orderBy(desc(keys.seq))
    .limit(limit)
    .offset(offset)

export async function countKeys(db: Reader, { organisationId }: { organisationId: string }): Promise<number> {
  const [row] = await db.select({ total: count() }).from(keys).where(eq(keys.organisationId, organisationId))
  return row?.total ?? 0
}

export async function findKey(
  db: Reader,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<KeyView | undefined> {
  const [row] = await selectKeys(db)
    .where(and(eq(keys.organisationId, organisationId), eq(keys.id, id)))
    .limit(1)
  return row
}

/** Counts the valid keys of a mode, excluding those that have been replaced. */
export async function countActiveKeys(
  db: Reader,
  { organisationId, mode, now }: { organisationId: string; mode: KeyRow['mode']; now: number },
): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(keys)
    .where(
      and(
        eq(keys.organisationId, organisationId),
        eq(keys.mode, mode),
        isNull(keys.revokedAt),
        isNull(keys.rotatedAt),
        gt(keys.expiresAt, now),
      ),
    )
  return row?.total ?? 0
}

export async function insertKey(db: Tx, row: typeof keys.$inferInsert): Promise<void> {
  await db.insert(keys).values(row)
}

export async function changeKey(
  db: Tx,
  id: string,
  changes: Partial<Pick<KeyRow, 'revokedAt' | 'rotatedAt' | 'expiresAt' | 'warnedAt'>>,
): Promise<void> {
  await db.update(keys).set(changes).where(eq(keys.id, id))
}

/** Revokes all keys of an organisation. */
export async function revokeAllKeys(
  db: Tx,
  { organisationId, now }: { organisationId: string; now: number },
): Promise<void> {
  await db
    .update(keys)
    .set({ revokedAt: now })
    .where(and(eq(keys.organisationId, organisationId), isNull(keys.revokedAt)))
}

/** Records that a key was used, unless that was recorded within the last minute. */
export async function recordKeyUse(db: Tx, { id, now }: { id: string; now: number }): Promise<void> {
  await db
    .update(keys)
    .set({ lastUsedAt: now })
    .where(
      and(
        eq(keys.id, id),
        or(
          isNull(keys.lastUsedAt),
          lte(keys.lastUsedAt, now - USE_INTERVAL_MS),
          gt(keys.lastUsedAt, now + MAX_CLOCK_SKEW_MS),
        ),
      ),
    )
}

/** Minimum time between writes of `lastUsedAt`, in milliseconds. */
export const USE_INTERVAL_MS = 60_000

/** Lists the keys that expire before a given time and whose organisation has not yet been notified of this. */
export const listExpiringKeys = (
  db: Reader,
  { now, before, limit }: { now: number; before: number; limit: number },
): Promise<KeyRow[]> =>
  db
    .select()
    .from(keys)
    .where(
      and(
        sql`revoked_at is null and rotated_at is null and warned_at is null`,
        gt(keys.expiresAt, now),
        lte(keys.expiresAt, before),
      ),
    )
    .orderBy(keys.expiresAt)
    .limit(limit)

/** Lists the keys that an account created, for the export of its data. */
export const listKeysOfUser = (db: Reader, { userId }: { userId: string }) =>
  db
    .select({ key: keys, organisation: organisations.name })
    .from(keys)
    .innerJoin(organisations, eq(organisations.id, keys.organisationId))
    .where(eq(keys.createdBy, userId))
    .orderBy(desc(keys.seq))
