import {
  FORMER_MEMBER,
  type Invitation,
  type Member,
  type MemberRole,
  type Organisation,
  type OwnOrganisation,
} from '@portal/contract/organisation-shapes'
import { toMajor } from '@portal/format/money'
import { addressLine } from '@portal/rules/organisations'
import { fullName } from '../membership/requester.ts'
import type { MemberRow, OrganisationRow } from '../membership/store.ts'
import { CURRENCY } from '../settings/rules.ts'
import { iso, isoOrNull, majorOrNull } from '../wire.ts'
import type { SentInvitation } from './invitation-store.ts'
import type { ActivityRow } from './store.ts'

type Money = Pick<OrganisationRow, 'balanceMinor' | 'heldMinor' | 'debtMinor' | 'lowBalanceAlertMinor'>

export const toBalance = (row: Money) => ({
  balance: toMajor(row.balanceMinor),
  held: toMajor(row.heldMinor),
  available: toMajor(row.balanceMinor - row.heldMinor),
  debt: toMajor(row.debtMinor),
  currency: CURRENCY,
  low_balance_alert: majorOrNull(row.lowBalanceAlertMinor),
})

export const toOrganisation = (row: OrganisationRow): Organisation => ({
  id: row.id,
  name: row.name,
  address: {
    line1: row.line1,
    line2: row.line2,
    city: row.city,
    state: row.region,
    country: row.country,
  },
  contact_email: row.contactEmail,
  phone: row.phone,
  registration_number: row.registrationNumber,
  website: row.website,
  state: row.state,
  state_reason: row.stateReason,
  vetted_at: isoOrNull(row.vettedAt),
  ...toBalance(row),
  created_at: iso(row.createdAt),
  version: row.version,
})

/** Returns the address of an organisation in one line, as letters and invoices print it. */
export const addressOf = (row: OrganisationRow): string =>
  addressLine({ name: row.name, address: toOrganisation(row).address })

export const toOwnOrganisation = (row: OrganisationRow, role: MemberRole): OwnOrganisation => ({
  ...toOrganisation(row),
  role,
})

export const toMember = (row: MemberRow): Member => ({
  user_id: row.userId,
  name: fullName(row),
  email: row.email,
  role: row.role,
  joined_at: iso(row.joinedAt),
})

/**
 * Converts an invitation to the API's format.
 * @param members the current members; an inviter who is not among them is shown as a former member
 */
export function toInvitation(
  { invitation, inviter }: SentInvitation,
  members: readonly MemberRow[],
  now: number,
): Invitation {
  const { invitedBy } = invitation
  const isCurrentMember = members.some(({ userId }) => userId === invitedBy)
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    state: invitation.state === 'pending' && invitation.expiresAt <= now ? 'expired' : invitation.state,
    expires_at: iso(invitation.expiresAt),
    invited_by:
      invitedBy === null
        ? null
        : { user_id: invitedBy, name: isCurrentMember && inviter ? fullName(inviter) : FORMER_MEMBER },
    created_at: iso(invitation.createdAt),
  }
}

/** Returns the name of a log entry's actor, as members see it. */
function getActorName(row: ActivityRow): string {
  // For actions with an API key, the log has the key's name instead of an email address.
  if (row.userId === null) return row.userEmail ?? 'System'
  if (row.userRole === 'admin' || row.userRole === 'super_admin') return 'Staff'
  if (row.memberRole === null || row.firstname === null) return FORMER_MEMBER
  return fullName({ firstname: row.firstname, lastname: row.lastname ?? '' })
}

export const toActivity = (row: ActivityRow) => ({
  id: row.id,
  at: iso(row.at),
  actor: getActorName(row),
  activity: row.activity,
  details: row.details,
})
