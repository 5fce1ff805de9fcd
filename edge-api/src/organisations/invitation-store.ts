import { and, count, desc, eq, gt, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { organisationInvitations, organisations } from '../db/schema/organisations.ts'

export type InvitationRow = typeof organisationInvitations.$inferSelect

/** An invitation and the person who sent it. */
export interface SentInvitation {
  invitation: InvitationRow
  inviter: { firstname: string; lastname: string } | null
}

const selectSentInvitations = (db: Reader) =>
  db
    .select({
      invitation: organisationInvitations,
      inviter: { firstname: users.firstname, lastname: users.lastname },
    })
    .from(organisationInvitations)
    .leftJoin(users, eq(users.id, organisationInvitations.invitedBy))

/** Lists the pending invitations of an organisation, newest first, including expired ones. */
export const listPendingInvitations = (
  db: Reader,
  { organisationId }: { organisationId: string },
): Promise<SentInvitation[]> =>
  selectSentInvitations(db)
    .where(
      and(
        eq(organisationInvitations.organisationId, organisationId),
        eq(organisationInvitations.state, 'pending'),
      ),
    )
    .orderBy(desc(organisationInvitations.createdAt), desc(organisationInvitations.id))

export async function findInvitation(
  db: Reader,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<SentInvitation | undefined> {
  const [row] = await selectSentInvitations(db)
    .where(
      and(eq(organisationInvitations.organisationId, organisationId), eq(organisationInvitations.id, id)),
    )
    .limit(1)
  return row
}

const selectWithOrganisation = (db: Reader) =>
  db
    .select({ invitation: organisationInvitations, organisation: organisations })
    .from(organisationInvitations)
    .innerJoin(organisations, eq(organisations.id, organisationInvitations.organisationId))

/** Finds an invitation by its link's token, or by the invited address and its ID. */
export async function findReceivedInvitation(
  db: Reader,
  key: { tokenHash: string } | { id: string; email: string },
) {
  const [row] = await selectWithOrganisation(db)
    .where(
      'tokenHash' in key
        ? eq(organisationInvitations.tokenHash, key.tokenHash)
        : and(eq(organisationInvitations.id, key.id), eq(organisationInvitations.email, key.email)),
    )
    .limit(1)
  return row
}

/** Lists the pending, unexpired invitations sent to an address, newest first. */
export const listReceivedInvitations = (db: Reader, { email, now }: { email: string; now: number }) =>
  selectWithOrganisation(db)
    .where(
      and(
        eq(organisationInvitations.email, email),
        eq(organisationInvitations.state, 'pending'),
        gt(organisationInvitations.expiresAt, now),
        eq(organisations.state, 'active'),
      ),
    )
    .orderBy(desc(organisationInvitations.createdAt))

export async function countPendingInvitations(
  db: Reader,
  { organisationId, now }: { organisationId: string; now: number },
): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(organisationInvitations)
    .where(
      and(
        eq(organisationInvitations.organisationId, organisationId),
        eq(organisationInvitations.state, 'pending'),
        gt(organisationInvitations.expiresAt, now),
      ),
    )
  return row?.total ?? 0
}

export async function insertInvitation(db: Tx, row: InvitationRow): Promise<void> {
  await db.insert(organisationInvitations).values(row)
}

export async function changeInvitation(
  db: Tx,
  id: string,
  changes: Partial<Pick<InvitationRow, 'state' | 'tokenHash' | 'expiresAt'>>,
): Promise<void> {
  await db.update(organisationInvitations).set(changes).where(eq(organisationInvitations.id, id))
}

/** Revokes the pending invitations of an organisation, or only those for one address. Expired ones are marked as expired. */
export async function revokePendingInvitations(
  db: Tx,
  { organisationId, email, now }: { organisationId: string; email?: string; now: number },
): Promise<void> {
  await db
    .update(organisationInvitations)
    .set({ state: sql`iif(${organisationInvitations.expiresAt} > ${now}, 'revoked', 'expired')` })
    .where(
      and(
        eq(organisationInvitations.organisationId, organisationId),
        eq(organisationInvitations.state, 'pending'),
        email === undefined ? undefined : eq(organisationInvitations.email, email),
      ),
    )
}
