import type { StatusDisplay } from './status.ts'

/* Labels for organisations, their members, verifications, batches and money. */

const UNKNOWN_DISPLAY: StatusDisplay = { label: 'Unknown', tone: 'neutral', icon: 'question' }

const createLookup =
  (displaysByState: Readonly<Record<string, StatusDisplay>>) =>
  (key: string): StatusDisplay =>
    displaysByState[key] ?? UNKNOWN_DISPLAY

/** Returns how to show the state of an organisation. */
export const organisationDisplay = createLookup({
  active: { label: 'Active', tone: 'success', icon: 'tick' },
  suspended: { label: 'Suspended', tone: 'danger', icon: 'ban' },
  closed: { label: 'Closed', tone: 'neutral', icon: 'ban' },
})

/** Returns how to show whether staff have vetted an organisation. */
export const vettedDisplay = (vettedAt: string | null): StatusDisplay =>
  vettedAt
    ? { label: 'Vetted', tone: 'success', icon: 'tick' }
    : { label: 'Not vetted', tone: 'neutral', icon: 'question' }

/** Returns how to show the state of an invitation. */
export const invitationDisplay = createLookup({
  pending: { label: 'Pending', tone: 'warning', icon: 'hourglass' },
  accepted: { label: 'Accepted', tone: 'success', icon: 'tick' },
  declined: { label: 'Declined', tone: 'neutral', icon: 'cross' },
  revoked: { label: 'Revoked', tone: 'neutral', icon: 'ban' },
  expired: { label: 'Expired', tone: 'neutral', icon: 'hourglass' },
})

const waiting: StatusDisplay = { label: 'Waiting for consent', tone: 'warning', icon: 'hourglass' }
const cancelled: StatusDisplay = { label: 'Cancelled', tone: 'neutral', icon: 'ban' }
const refused: StatusDisplay = { label: 'Consent refused', tone: 'danger', icon: 'cross' }
const expired: StatusDisplay = { label: 'Expired', tone: 'neutral', icon: 'hourglass' }
const found: StatusDisplay = { label: 'Certificate Found', tone: 'success', icon: 'tick' }
const notFound: StatusDisplay = { label: 'Certificate Not Found', tone: 'danger', icon: 'cross' }

/** Returns how to show the status of an organisation's verification or, once it is completed, its result. */
export const verificationDisplay = ({ status, result }: { status: string; result: string | null }) =>
  status === 'completed'
    ? result === 'verified'
      ? found
      : notFound
    : createLookup({ awaiting_consent: waiting, refused, expired, cancelled })(status)

/** Returns how to show the status of a batch. */
export const batchDisplay = createLookup({
  processing: { label: 'Processing', tone: 'info', icon: 'progress' },
  completed: { label: 'Completed', tone: 'success', icon: 'tick' },
  cancelled,
})

/** Returns how to show the status of one number of a batch. */
export const batchItemDisplay = createLookup({
  pending: { label: 'Pending', tone: 'info', icon: 'progress' },
  verified: found,
  already_paid: { label: 'Already paid for', tone: 'success', icon: 'tick' },
  not_found: notFound,
  invalid: { label: 'Invalid number', tone: 'neutral', icon: 'ban' },
  awaiting_consent: waiting,
  refused,
  expired,
  cancelled,
})

/** Returns how to show the state of an invoice. */
export const invoiceDisplay = createLookup({
  open: { label: 'Open', tone: 'warning', icon: 'hourglass' },
  paid: { label: 'Paid', tone: 'success', icon: 'tick' },
  cancelled,
  expired,
})

const movements: Readonly<Record<string, string>> = {
  topup: 'Top-up',
  bank_credit: 'Bank transfer',
  charge: 'Verification',
  charge_returned: 'Charge returned',
  payout: 'Payout',
  credit_reversed: 'Bank transfer reversed',
  chargeback: 'Chargeback',
  debt_settled: 'Debt settled',
}

/** Returns the label of a type of balance movement. */
export const movementLabel = (type: string): string => movements[type] ?? type.replaceAll('_', ' ')

/** Returns a movement's label and, as a second line, its description; only the description if that starts with the label. */
export function movementLines({
  type,
  description,
}: {
  type: string
  description: string
}): [string, string?] {
  const label = movementLabel(type)
  return description.startsWith(label) ? [description] : [label, description]
}

const memberRoleLabels = { owner: 'Owner', manager: 'Manager', member: 'Member', finance: 'Finance' } as const

/** Returns the label of a member's role. */
export const memberRoleLabel = (role: keyof typeof memberRoleLabels): string => memberRoleLabels[role]

/** Descriptions of what members with each role may do, for the person who chooses a role. */
export const memberRoleMeanings = {
  owner: 'Can do everything, including closing the organisation.',
  manager: 'Can verify, pay, invite members and edit the profile.',
  member: 'Can verify certificates and view the shared history.',
  finance: 'Can top up the balance and view statements, but not names or grades.',
} as const

const sources: Readonly<Record<string, string>> = { portal: 'Portal', batch: 'Batch', api: 'API' }

/** Returns how a verification was started. */
export const sourceLabel = (source: string): string => sources[source] ?? source

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]

/** Formats `2026-01` as `January 2026`. */
export function formatMonth(month: string): string {
  const [year, number] = month.split('-')
  const name = months[Number(number) - 1]
  return name ? `${name} ${year}` : month
}
