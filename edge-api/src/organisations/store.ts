import type { OrganisationProfile } from '@portal/contract/organisation-shapes'
import { addressLine } from '@portal/rules/organisations'
import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { users, userTexts } from '../db/schema/accounts.ts'
import { activityLog } from '../db/schema/activity.ts'
import { userCounters } from '../db/schema/counters.ts'
import { organisationBatches, organisationVerifications } from '../db/schema/organisation-money.ts'
import { organisationMembers, organisations } from '../db/schema/organisations.ts'
import { openStates } from '../db/schema/payment-states.ts'
import { payments } from '../db/schema/payments.ts'
import type { OrganisationRow } from '../membership/store.ts'
import { organisationEmail } from '../organisation-account.ts'

const columnsOf = ({ address, ...profile }: OrganisationProfile) => ({
  name: profile.name,
  line1: address.line1,
  line2: address.line2,
  city: address.city,
  region: address.state,
  country: address.country,
  contactEmail: profile.contact_email,
  phone: profile.phone,
  registrationNumber: profile.registration_number,
  website: profile.website,
})

/**
 * Returns the fields of the organisation's account: name and address as letters print them. The address starts with the name.
 */
const accountOf = (profile: OrganisationProfile) => ({
  firstname: profile.name,
  lastname: '',
  address: addressLine(profile),
})

/** Creates an organisation, and the account to which its payments and letters belong. */
export async function insertOrganisation(
  db: Tx,
  { id, profile, createdBy, at }: { id: string; profile: OrganisationProfile; createdBy: string; at: number },
): Promise<void> {
  await db.insert(users).values({
    id,
    ...accountOf(profile),
    email: organisationEmail(id),
    phone: '',
    passwordHash: '',
    role: 'user',
    isEnabled: false,
    verifiedAt: null,
    createdAt: at,
    updatedAt: at,
  })
  // `erasedAt` is set in a second step: the triggers that count people's accounts subtract one only when an account changes.
  await db.update(users).set({ erasedAt: at }).where(eq(users.id, id))
  await db.delete(userTexts).where(eq(userTexts.userId, id))
  await db
    .insert(organisations)
    .values({ id, ...columnsOf(profile), state: 'active', createdBy, createdAt: at, updatedAt: at })
}

/** Updates an organisation's profile. @returns false on a version conflict */
export async function updateOrganisation(
  db: Tx,
  { before, profile, at }: { before: OrganisationRow; profile: OrganisationProfile; at: number },
): Promise<boolean> {
  const isRenamed = before.name !== profile.name
  const { rowsAffected } = await db
    .update(organisations)
    .set({
      ...columnsOf(profile),
      ...(isRenamed && { vettedAt: null }),
      updatedAt: at,
      version: before.version + 1,
    })
    .where(and(eq(organisations.id, before.id), eq(organisations.version, before.version)))
  await db.update(users).set(accountOf(profile)).where(eq(users.id, before.id))
  return rowsAffected === 1
}

/** Changes fields of an organisation other than its profile and its money. */
export async function changeOrganisation(
  db: Tx,
  id: string,
  changes: Partial<Pick<OrganisationRow, 'state' | 'stateReason' | 'vettedAt'>> & { updatedAt: number },
): Promise<void> {
  await db
    .update(organisations)
    .set({ ...changes, version: sql`${organisations.version} + 1` })
    .where(eq(organisations.id, id))
}

/** Counts the organisations that an account owns, except closed ones. */
export async function countOwnedOrganisations(db: Reader, { userId }: { userId: string }): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(organisationMembers)
    .innerJoin(organisations, eq(organisations.id, organisationMembers.organisationId))
    .where(
      and(
        eq(organisationMembers.userId, userId),
        eq(organisationMembers.role, 'owner'),
        inArray(organisations.state, ['active', 'suspended']),
      ),
    )
  return row?.total ?? 0
}

export interface Statistics {
  total: number
  verified: number
  notFound: number
  spentMinor: number
}

/** Counts verifications by result, and adds up charges net of refunds. */
export async function readStatistics(db: Reader, { id }: { id: string }): Promise<Statistics> {
  const rows = await db
    .select({ result: organisationVerifications.result, total: count() })
    .from(organisationVerifications)
    .where(
      and(eq(organisationVerifications.organisationId, id), eq(organisationVerifications.livemode, true)),
    )
    .groupBy(organisationVerifications.result)
  const [counters] = await db.select().from(userCounters).where(eq(userCounters.userId, id)).limit(1)
  const totalOfResult = (result: string) => rows.find(row => row.result === result)?.total ?? 0
  return {
    total: rows.reduce((sum, row) => sum + row.total, 0),
    verified: totalOfResult('verified'),
    notFound: totalOfResult('not_found'),
    spentMinor: counters?.spentMinor ?? 0,
  }
}

/** True while a batch is running, or a top-up or any other payment is open. */
export async function hasOpenWork(db: Reader, { id }: { id: string }): Promise<boolean> {
  const [batch] = await db
    .select({ id: organisationBatches.id })
    .from(organisationBatches)
    .where(and(eq(organisationBatches.organisationId, id), eq(organisationBatches.status, 'processing')))
    .limit(1)
  if (batch) return true
  const [open] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.organisationId, id), inArray(payments.status, [...openStates])))
    .limit(1)
  return open !== undefined
}

export interface ActivityRow {
  id: number
  activity: string
  details: string
  userId: string | null
  userEmail: string | null
  at: number
  firstname: string | null
  lastname: string | null
  userRole: string | null
  memberRole: string | null
}

/** Lists the log entries of an organisation with their actors, newest first. */
export async function listActivity(
  db: Reader,
  { organisationId, limit, offset }: { organisationId: string; limit: number; offset: number },
): Promise<ActivityRow[]> {
  return await db
    .select({
      id: activityLog.id,
      activity: activityLog.activity,
      details: activityLog.details,
      userId: activityLog.userId,
      userEmail: activityLog.userEmail,
      at: activityLog.at,
      firstname: users.firstname,
      lastname: users.lastname,
      userRole: users.role,
      memberRole: organisationMembers.role,
    })
    .from(activityLog)
    .leftJoin(users, eq(users.id, activityLog.userId))
    .leftJoin(
      organisationMembers,
      and(
        eq(organisationMembers.userId, activityLog.userId),
        eq(organisationMembers.organisationId, organisationId),
      ),
    )
    .where(eq(activityLog.organisationId, organisationId))
    .orderBy(desc(activityLog.id))
    .limit(limit)
    .offset(offset)
}

export async function countActivity(
  db: Reader,
  { organisationId }: { organisationId: string },
): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(activityLog)
    .where(eq(activityLog.organisationId, organisationId))
  return row?.total ?? 0
}
