import type { MemberRole } from '@portal/contract/organisation-shapes'
import { may } from '@portal/rules/organisations'
import { and, asc, count, desc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { organisationEndpoints } from '../db/schema/organisation-events.ts'
import { organisationBatches, organisationVerifications } from '../db/schema/organisation-money.ts'
import {
  organisationInvitations,
  organisationKeys,
  organisationMembers,
  organisations,
} from '../db/schema/organisations.ts'
import type { Principal } from '../principal.ts'

/* Memberships. Those of disabled, erased and staff accounts are ignored. */

export type OrganisationRow = typeof organisations.$inferSelect

/** Condition for memberships that are not ignored, in queries that join `users`. */
const isEffective = and(eq(users.role, 'user'), eq(users.isEnabled, true), isNull(users.erasedAt))

export interface MemberRow {
  userId: string
  email: string
  firstname: string
  lastname: string
  role: MemberRole
  joinedAt: number
}

const memberColumns = {
  userId: organisationMembers.userId,
  email: users.email,
  firstname: users.firstname,
  lastname: users.lastname,
  role: organisationMembers.role,
  joinedAt: organisationMembers.joinedAt,
}

const listMembersWhere = (db: Reader, where: SQL | undefined): Promise<MemberRow[]> =>
  db
    .select(memberColumns)
    .from(organisationMembers)
    .innerJoin(users, eq(users.id, organisationMembers.userId))
    .where(and(where, isEffective))
    .orderBy(asc(organisationMembers.joinedAt), asc(organisationMembers.userId))

export async function findOrganisation(
  db: Reader,
  { id }: { id: string },
): Promise<OrganisationRow | undefined> {
  const [row] = await db.select().from(organisations).where(eq(organisations.id, id)).limit(1)
  return row
}

/** Returns an organisation and the account's role in it; undefined if the account is not a member. */
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
        isEffective,
      ),
    )
    .limit(1)
  return row
}

/** Lists the members of an organisation, oldest membership first. */
export const listMembers = (db: Reader, { organisationId }: { organisationId: string }) =>
  listMembersWhere(db, eq(organisationMembers.organisationId, organisationId))

/** Lists the members with one of these roles, as recipients of a notification or mail. */
export const listMembersByRole = (
  db: Reader,
  { organisationId, roles }: { organisationId: string; roles: readonly MemberRole[] },
) =>
  listMembersWhere(
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
  const [row] = await listMembersWhere(
    db,
    and(eq(organisationMembers.organisationId, organisationId), eq(organisationMembers.userId, userId)),
  )
  return row
}

/** Lists the organisations of an account, newest first, with its role in each. */
export async function listOrganisationsOf(
  db: Reader,
  { userId }: { userId: string },
): Promise<{ organisation: OrganisationRow; role: MemberRole }[]> {
  return await db
    .select({ organisation: organisations, role: organisationMembers.role })
    .from(organisationMembers)
    .innerJoin(organisations, eq(organisations.id, organisationMembers.organisationId))
    .innerJoin(users, eq(users.id, organisationMembers.userId))
    .where(and(eq(organisationMembers.userId, userId), isEffective))
    .orderBy(sql`${organisations.createdAt} desc, ${organisations.id} desc`)
}

/** Counts the owners other than this account. */
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
        isEffective,
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
    // The account may already have a membership that has been ignored so far, for example because it was disabled.
    .onConflictDoUpdate({
      target: [organisationMembers.organisationId, organisationMembers.userId],
      set: { role: row.role },
    })
}

const whereMembership = ({ organisationId, userId }: { organisationId: string; userId: string }) =>
  and(eq(organisationMembers.organisationId, organisationId), eq(organisationMembers.userId, userId))

export async function setRole(
  db: Tx,
  { role, ...member }: { organisationId: string; userId: string; role: MemberRole },
): Promise<void> {
  await db.update(organisationMembers).set({ role }).where(whereMembership(member))
}

export async function removeMember(
  db: Tx,
  member: { organisationId: string; userId: string },
): Promise<void> {
  await db.delete(organisationMembers).where(whereMembership(member))
}

/**
 * Returns the accounts whose letters a person can manage: their own, and those of organisations in which they may verify.
 * @param change true for calls that change letters, which require an active organisation
 */
export async function listLetterAccounts(
  db: Reader,
  user: Pick<Principal, 'id' | 'role'>,
  { change = false } = {},
): Promise<string[]> {
  if (user.role !== 'user') return [user.id]
  const joinedOrganisations = await listOrganisationsOf(db, { userId: user.id })
  const manageable = joinedOrganisations.filter(
    ({ role, organisation }) => may(role, 'verify') && (!change || organisation.state === 'active'),
  )
  return [user.id, ...manageable.map(({ organisation }) => organisation.id)]
}

/** Returns the IDs of organisations, except closed ones, of which an account is the only owner. */
export async function listSoleOwnerships(db: Reader, { userId }: { userId: string }): Promise<string[]> {
  const owned = (await listOrganisationsOf(db, { userId })).filter(
    ({ role, organisation }) => role === 'owner' && organisation.state !== 'closed',
  )
  const solelyOwned: string[] = []
  for (const { organisation } of owned)
    if ((await countOtherOwners(db, { organisationId: organisation.id, userId })) === 0)
      solelyOwned.push(organisation.id)
  return solelyOwned
}

/** Lists the invitations sent to an address, newest first. */
export const listInvitationsByEmail = (db: Reader, { email }: { email: string }) =>
  db
    .select({ invitation: organisationInvitations, organisation: organisations.name })
    .from(organisationInvitations)
    .innerJoin(organisations, eq(organisations.id, organisationInvitations.organisationId))
    .where(eq(organisationInvitations.email, email))
    .orderBy(desc(organisationInvitations.createdAt))

/** Lists the verification requests that an account made in organisations, newest first, without their results. */
export const listRequestsOfUser = (db: Reader, { userId }: { userId: string }) =>
  db
    .select({
      organisation: organisations.name,
      certificateNumber: organisationVerifications.certificateNumber,
      reference: organisationVerifications.reference,
      at: organisationVerifications.createdAt,
    })
    .from(organisationVerifications)
    .innerJoin(organisations, eq(organisations.id, organisationVerifications.organisationId))
    .where(eq(organisationVerifications.requestedBy, userId))
    .orderBy(desc(organisationVerifications.seq))

/**
 * Ends the memberships and invitations of an erased account. The organisations keep their records, but without the person's
 * name.
 */
export async function forgetMember(
  db: Tx,
  { userId, addresses }: { userId: string; addresses: readonly string[] },
): Promise<void> {
  await db.delete(organisationMembers).where(eq(organisationMembers.userId, userId))
  await db
    .update(organisationVerifications)
    .set({ requestedBy: null })
    .where(eq(organisationVerifications.requestedBy, userId))
  await db
    .update(organisationBatches)
    .set({ requestedBy: null, ipAddress: null })
    .where(eq(organisationBatches.requestedBy, userId))
  await db.update(organisationKeys).set({ createdBy: null }).where(eq(organisationKeys.createdBy, userId))
  await db.update(organisations).set({ createdBy: null }).where(eq(organisations.createdBy, userId))
  await db
    .update(organisationEndpoints)
    .set({ createdBy: null })
    .where(eq(organisationEndpoints.createdBy, userId))
  await db
    .update(organisationInvitations)
    .set({ invitedBy: null })
    .where(eq(organisationInvitations.invitedBy, userId))
  await db.delete(organisationInvitations).where(inArray(organisationInvitations.email, [...addresses]))
}
