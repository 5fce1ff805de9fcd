import type {
  Invitation,
  MemberRole,
  Organisation,
  OrganisationVerification,
} from '@portal/contract/organisation-shapes'

/* Organisations of the mocked API: plain data. Amounts are in minor units. */

export interface MockMember {
  user_id: string
  role: MemberRole
  joined_at: string
}

/** With the token of its link, which the API never shows. */
export interface MockInvitation extends Omit<Invitation, 'invited_by'> {
  token: string
  invited_by: string
}

export interface MockActivity {
  id: number
  at: string
  user_id: string | null
  activity: string
  details: string
}

type Shown = Pick<
  Organisation,
  | 'id'
  | 'name'
  | 'address'
  | 'contact_email'
  | 'phone'
  | 'registration_number'
  | 'website'
  | 'state'
  | 'state_reason'
  | 'vetted_at'
  | 'created_at'
  | 'version'
>

export interface MockOrganisation extends Shown {
  balance_minor: number
  held_minor: number
  debt_minor: number
  low_balance_alert_minor: number | null
  /** Oldest first. */
  members: MockMember[]
  /** Newest first. */
  invitations: MockInvitation[]
  /** Newest first. */
  activity: MockActivity[]
  /** Newest first. */
  verifications: (Omit<OrganisationVerification, 'requested_by'> & { requested_by: string | null })[]
}
