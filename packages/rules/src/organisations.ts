import type { MemberRole } from '@portal/contract/organisation-shapes'

/* The permissions of each role in an organisation, shared by the API, its mocks and the screens. */

const roles = {
  /** Verify, batches, shared history, letters with names. */
  verify: ['owner', 'manager', 'member'],
  /** Read the balance. */
  balance: ['owner', 'manager', 'member', 'finance'],
  /** Top-ups, invoices, statements, low-balance alert. */
  billing: ['owner', 'manager', 'finance'],
  /** Read the profile and the members. */
  read: ['owner', 'manager', 'member', 'finance'],
  /** Invite, remove and change members; only owners can do this to other owners. */
  members: ['owner', 'manager'],
  /** Profile, activity, keys, webhooks and events. */
  manage: ['owner', 'manager'],
  /** Appoint owners, close. */
  own: ['owner'],
} as const satisfies Record<string, readonly MemberRole[]>

export type Permission = keyof typeof roles

/** True if a member with this role has the permission. */
export const may = (role: MemberRole, permission: Permission): boolean =>
  (roles[permission] as readonly MemberRole[]).includes(role)

/** True if a member with this role may change, invite or remove a member whose role is `other`. */
export const mayManage = (role: MemberRole, other: MemberRole): boolean =>
  may(role, 'members') && (role === 'owner' || other !== 'owner')

/** Returns an organisation's address on one line starting with its name, in the format used on letters and in account records. */
export const addressLine = ({
  name,
  address: { line1, line2, city, state, country },
}: {
  name: string
  address: { line1: string; line2: string | null; city: string; state: string; country: string }
}): string =>
  // Letters take the part before the first comma as the name.
  [name.replaceAll(',', ' '), line1, line2, city, state, country]
    .flatMap(part => (part ? [part.replace(/\s+/g, ' ').trim()] : []))
    .join(', ')

/** Normalises a bank's reference for comparison, ignoring case and spaces. */
export const bankReferenceKey = (reference: string): string => reference.replace(/\s+/g, '').toUpperCase()

export const organisationMessages = {
  created: 'Organisation created.',
  updated: 'Organisation updated.',
  nameChanged: 'Organisation updated. Because the name changed, it must be vetted again.',
  closed: 'Organisation closed.',
  reopened: 'Organisation reopened.',
  suspended: 'Organisation suspended.',
  resumed: 'Organisation resumed.',
  vetted: 'Organisation vetted.',
  unvetted: 'Vetting removed.',
  roleChanged: 'Role changed.',
  removed: 'Member removed.',
  left: 'You have left the organisation.',
  ownerAppointed: 'Owner appointed.',
  invited: 'The invitation was sent.',
  resent: 'The invitation was sent again. The previous link no longer works.',
  revoked: 'Invitation revoked.',
  accepted: 'You are now a member.',
  declined: 'Invitation declined.',
  otherAddress: 'This invitation is for another email address. Please log in with the invited one.',
  staffCannotJoin: 'Staff accounts cannot create or join organisations.',
  referenceUsed: 'This bank reference has already been credited.',
  credited: 'Bank transfer credited.',
  reversed: 'Bank transfer reversed.',
  paidOut: 'Balance paid out.',
  refunded: 'The charge was returned to the balance, and its letter was withdrawn.',
  cancelledInvoice: 'Invoice cancelled.',
  keyRevoked: 'API key revoked.',
  alertSaved: 'Low-balance alert saved.',
  unprintable:
    'The letter for this certificate cannot be printed at the moment. Our staff have been notified.',
} as const
