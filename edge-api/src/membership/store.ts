import type { MemberRole } from '@portal/contract/organisation-shapes'
import { may } from '@portal/rules/organisations'
import { and, asc, count, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { organisationMembers, organisations } from '../db/schema/organisations.ts'
import type { Principal } from '../principal.ts'

/* Who belongs to which organisation. The membership of a disabled, erased or staff account does not count. */

export type OrganisationRow = typeof organisations.$inferSelect

/** True of the row of `users` joined to a membership that counts. */
const counts = and(eq(users.role, 'user'), eq(users.isEnabled, true), isNull(users.erasedAt))

export interface MemberRow {
  userId: string
  email: string
  firstname: string
  lastname: string
  role: MemberRole
  joinedAt: number
}

const members = {
  userId: organisationMembers.userId,
  email: users.email,
  firstname: users.firstname,
  lastname: users.lastname,
  role: organisationMembers.role,
  joinedAt: organisationMembers.joinedAt,
}

const listed = (db: Reader, where: SQL | undefined): Promise<MemberRow[]> =>
  db
    .select(members)
    .from(organisationMembers)
    .innerJoin(users, eq(users.id, organisationMembers.userId))
    .where(and(where, counts))
    .orderBy(asc(organisationMembers.joinedAt), asc(organisationMembers.userId))

export async function findOrganisation(
  db: Reader,
  { id }: { id: string },
): Promise<OrganisationRow | undefined> {
  const [row] = await db.select().from(organisations).where(eq(organisations.id, id)).limit(1)
  return row
}

/** The organisation and the role that the account has in it; undefined for anyone else. */
export async function findMembership(
  db: Reader,
  { organisationId, userId }: { organisationId: string; userId: string },
): Promise<{ organisation: OrganisationRow; role: MemberRole } | undefined> {
  const [row] = await db
    .select({ organisation: organisations, role: organisationMembers.role })
    .from(organisationMembers)
    .innerJoin(organisations, eq(organisations.id, organisationMembers.organisationId))
    .innerJoin(users, eq(users.id, organisationMembers.userId))
    .where(
      and(
        eq(organisationMembers.organisationId, organisationId),
        eq(organisationMembers.userId, userId),
        counts,
      ),
    )
    .limit(1)
  return row
}

/** The members, oldest first. */
export const listMembers = (db: Reader, { organisationId }: { organisationId: string }) =>
  listed(db, eq(organisationMembers.organisationId, organisationId))

/** The members with one of these roles: whom a notification or mail is for. */
export const membersWith = (
  db: Reader,
  { organisationId, roles }: { organisationId: string; roles: readonly MemberRole[] },
) =>
  listed(
    db,
    and(
      eq(organisationMembers.organisationId, organisationId),
      inArray(organisationMembers.role, [...roles]),
    ),
  )

export async function findMember(
  db: Reader,
  { organisationId, userId }: { organisationId: string; userId: string },
): Promise<MemberRow | undefined> {
  const [row] = await listed(
    db,
    and(eq(organisationMembers.organisationId, organisationId), eq(organisationMembers.userId, userId)),
  )
  return row
}

/** The organisations of an account, newest first, with its role in each. */
export async function organisationsOf(
  db: Reader,
  { userId }: { userId: string },
): Promise<{ organisation: OrganisationRow; role: MemberRole }[]> {
  return await db
    .select({ organisation: organisations, role: organisationMembers.role })
    .from(organisationMembers)
    .innerJoin(organisations, eq(organisations.id, organisationMembers.organisationId))
    .innerJoin(users, eq(users.id, organisationMembers.userId))
    .where(and(eq(organisationMembers.userId, userId), counts))
    .orderBy(sql`${organisations.createdAt} desc, ${organisations.id} desc`)
}

/** How many owners there are besides one account. */
export async function countOtherOwners(
  db: Reader,
  { organisationId, userId }: { organisationId: string; userId: string },
): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(organisationMembers)
    .innerJoin(users, eq(users.id, organisationMembers.userId))
    .where(
      and(
        eq(organisationMembers.organisationId, organisationId),
        eq(organisationMembers.role, 'owner'),
        ne(organisationMembers.userId, userId),
        counts,
      ),
    )
  return row?.total ?? 0
}

export async function insertMember(
  db: Tx,
  row: { organisationId: string; userId: string; role: MemberRole; joinedAt: number },
): Promise<void> {
  await db
    .insert(organisationMembers)
    .values(row)
    // The membership of an account that did not count when it was written.
    .onConflictDoUpdate({
      target: [organisationMembers.organisationId, organisationMembers.userId],
      set: { role: row.role },
    })
}

const one = ({ organisationId, userId }: { organisationId: string; userId: string }) =>
  and(eq(organisationMembers.organisationId, organisationId), eq(organisationMembers.userId, userId))

export async function setRole(
  db: Tx,
  { role, ...member }: { organisationId: string; userId: string; role: MemberRole },
): Promise<void> {
  await db.update(organisationMembers).set({ role }).where(one(member))
}

export async function removeMember(
  db: Tx,
  member: { organisationId: string; userId: string },
): Promise<void> {
  await db.delete(organisationMembers).where(one(member))
}

/**
 * The accounts whose letters a person holds: their own, and those of organisations in which they may verify.
 * @param change true where letters are changed, which only active organisations can
 */
export async function accountsOf(
  db: Reader,
  user: Pick<Principal, 'id' | 'role'>,
  { change = false } = {},
): Promise<string[]> {
  if (user.role !== 'user') return [user.id]
  const joined = await organisationsOf(db, { userId: user.id })
  const own = joined.filter(
    ({ role, organisation }) => may(role, 'verify') && (!change || organisation.state === 'active'),
  )
  return [user.id, ...own.map(({ organisation }) => organisation.id)]
}
