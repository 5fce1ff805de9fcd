import type { StatusDisplay } from './status.ts'

const displays = {
  payment_required: { label: 'To be paid', tone: 'info', icon: 'info' },
  pending: { label: 'Payment Pending', tone: 'warning', icon: 'hourglass' },
  already_paid: { label: 'Already verified', tone: 'success', icon: 'tick' },
  found: { label: 'Certificate Found', tone: 'success', icon: 'tick' },
  missed: { label: 'Certificate Not Found', tone: 'danger', icon: 'cross' },
  refund_due: { label: 'Refund due', tone: 'warning', icon: 'warning' },
  review: { label: 'Under review', tone: 'warning', icon: 'hourglass' },
  reversed: { label: 'Payment reversed', tone: 'danger', icon: 'ban' },
  refunded: { label: 'Refunded', tone: 'neutral', icon: 'info' },
  failed: { label: 'Not paid', tone: 'danger', icon: 'cross' },
  not_found: { label: 'Not Found', tone: 'danger', icon: 'cross' },
  limited: { label: 'Not checked', tone: 'warning', icon: 'warning' },
  unprintable: { label: 'Letter cannot be printed', tone: 'warning', icon: 'warning' },
  invalid: { label: 'Invalid number', tone: 'neutral', icon: 'ban' },
} as const satisfies Record<string, StatusDisplay>

/** Status of one number in a bulk verification, which depends on the check and on the payment. */
export type BulkState = keyof typeof displays

/** All statuses, in the order in which they are displayed. */
export const bulkStates = Object.keys(displays) as BulkState[]

export const bulkDisplay = (state: BulkState): StatusDisplay => displays[state]
