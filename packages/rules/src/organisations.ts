import type { MemberRole } from '@portal/contract/organisation-shapes'

/* The roles that have each permission in an organisation. The API, its mocks and the screens share them. */

const rolesByPermission = {
  /** Verify certificates, run batches, and see the shared history and the letters with names. */
  verify: ['owner', 'manager', 'member'],
  /** See the balance. */
  balance: ['owner', 'manager', 'member', 'finance'],
  /** Use top-ups, invoices, statements and the low-balance alert. */
  billing: ['owner', 'manager', 'finance'],
  /** See the profile and the members. */
  read: ['owner', 'manager', 'member', 'finance'],
  /** Invite, change and remove members; only owners may do this to other owners. */
  members: ['owner', 'manager'],
  /** Manage the profile, keys, webhooks and events, and see the activity. */
  manage: ['owner', 'manager'],
  /** Appoint owners, and close the organisation. */
  own: ['owner'],
} as const satisfies Record<string, readonly MemberRole[]>

export type Permission = keyof typeof rolesByPermission

/** True if a member with this role has the permission. */
export const may = (role: MemberRole, permission: Permission): boolean =>
  (rolesByPermission[permission] as readonly MemberRole[]).includes(role)

/** True if a member with this role may invite, change or remove a member whose role is `other`. */
export const mayManage = (role: MemberRole, other: MemberRole): boolean =>
  may(role, 'members') && (role === 'owner' || other !== 'owner')

/** Returns an organisation's address on one line that begins with its name, as letters and accounts have it. */
export const addressLine = ({
  name,
  address: { line1, line2, city, state, country },
}: {
  name: string
  address: { line1: string; line2: string | null; city: string; state: string; country: string }
}): string =>
  // No commas in the name, because letters take the part before the first comma as the name.
  [name.replaceAll(',', ' '), line1, line2, city, state, country]
    .flatMap(part => (part ? [part.replace(/\s+/g, ' ').trim()] : []))
    .join(', ')

/** Normalises a bank reference for comparisons, which ignore case and spaces. */
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
