import type { Role } from '@portal/contract/shapes'
import { and, count, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { prepareOnce } from '../db/prepared-queries.ts'
import { users } from '../db/schema/accounts.ts'
import { indexUsers, sortNameOf } from './text-store.ts'

/** An account as stored, including the password hash: never send it in a response as it is. */
export type User = Omit<typeof users.$inferSelect, 'sortName'>

/** The stored hash of an invited account until its owner chooses a password: no password matches it. */
export const NO_PASSWORD = ''

const byId = prepareOnce(db =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)

export async function findUser(db: Reader, { id }: { id: string }): Promise<User | undefined> {
  return await byId(db).get({ id })
}

/** Returns the account with an email address. @param email in lowercase, as the contract's schema ensures */
export async function findUserByEmail(db: Reader, { email }: { email: string }): Promise<User | undefined> {
  const [user] = await db.select().from(users).where(eq(users.email, email)).limit(1)
  return user
}

export async function insertUser(db: Tx, user: typeof users.$inferInsert): Promise<void> {
  await db.insert(users).values({ ...user, sortName: sortNameOf(user.lastname) })
  await indexUsers(db, [user])
}

/** Fields of their own account that users may change. */
export type ProfileFields = Pick<User, 'firstname' | 'middlename' | 'lastname' | 'phone' | 'address'>

/** Updates the fields that owners may change themselves. @returns the updated account, or undefined if its version differs */
export async function updateProfile(
  db: Tx,
  { id, version, fields, now }: { id: string; version: number; fields: ProfileFields; now: number },
): Promise<User | undefined> {
  const { firstname, middlename, lastname, phone, address } = fields
  const [user] = await db
    .update(users)
    .set({
      firstname,
      middlename,
      lastname,
      sortName: sortNameOf(lastname),
      phone,
      address,
      version: sql`${users.version} + 1`,
      updatedAt: now,
    })
    .where(and(eq(users.id, id), eq(users.version, version)))
    .returning()
  if (user) await indexUsers(db, [user])
  return user
}

export async function updatePasswordHash(
  db: Tx,
  { id, passwordHash, now }: { id: string; passwordHash: string; now: number },
): Promise<void> {
  await db.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, id))
}

/** Replaces the password hash with a newer hash of the same password, unless the password was changed in the meantime. */
export async function replacePasswordHash(
  db: Tx,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, id), eq(users.passwordHash, from)))
}

/** Marks the email address as confirmed; if it already was, the earlier time is kept. */
export async function markVerified(db: Tx, { id, now }: { id: string; now: number }): Promise<void> {
  await db
    .update(users)
    .set({ verifiedAt: now, version: sql`${users.version} + 1`, updatedAt: now })
    .where(and(eq(users.id, id), isNull(users.verifiedAt)))
}

/** Counts the other accounts that can log in as super admin. */
export async function countOtherSuperAdmins(db: Reader, { id }: { id: string }): Promise<number> {
  const [counted] = await db
    .select({ total: count() })
    .from(users)
    .where(
      and(
        eq(users.role, 'super_admin'),
        eq(users.isEnabled, true),
        isNotNull(users.verifiedAt),
        ne(users.id, id),
      ),
    )
  return counted?.total ?? 0
}

/** The fields of an account that staff can change; `undefined` leaves a field unchanged. */
export interface AccountChange {
  firstname?: string | undefined
  lastname?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  address?: string | undefined
  role?: Role | undefined
  isEnabled?: boolean | undefined
  /** Null if the address must be confirmed again. */
  verifiedAt?: number | null | undefined
}

/**
 * Updates an account.
 * @returns the updated account, or undefined if its version differs
 * @throws the driver's unique violation if the email address is taken
 */
export async function updateAccount(
  db: Tx,
  { id, version, change, now }: { id: string; version: number; change: AccountChange; now: number },
): Promise<User | undefined> {
  const { lastname } = change
  const [user] = await db
    .update(users)
    .set({
      ...change,
      ...(lastname !== undefined && { sortName: sortNameOf(lastname) }),
      version: sql`${users.version} + 1`,
      updatedAt: now,
    })
    .where(and(eq(users.id, id), eq(users.version, version)))
    .returning()
  if (user) await indexUsers(db, [user])
  return user
}
