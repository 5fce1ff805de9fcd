import type { NotificationKind } from '@portal/contract/notifications'
import type { StatusIcon, Tone } from '@portal/format/status'

const success = { tone: 'success', icon: 'tick' } as const
const failure = { tone: 'danger', icon: 'cross' } as const
const attention = { tone: 'warning', icon: 'warning' } as const
const neutralStyle = { tone: 'info', icon: 'info' } as const

const styles: Record<NotificationKind, { tone: Tone; icon: StatusIcon }> = {
  verified: success,
  refund_sent: success,
  certificate_restored: success,
  job_finished: success,
  email_verified: success,
  balance_credited: success,
  batch_completed: success,
  not_found: failure,
  payment_failed: failure,
  payment_reversed: failure,
  refund_trouble: failure,
  job_failed: failure,
  webhook_disabled: failure,
  refund_due: attention,
  payment_expired: attention,
  payment_review: attention,
  payment_mismatch: attention,
  payment_orphan: attention,
  dispute_opened: attention,
  dispute_due: attention,
  certificate_withdrawn: attention,
  letter_unprintable: attention,
  balance_low: attention,
  dispute_ended: neutralStyle,
  certificate_corrected: neutralStyle,
  password_changed: neutralStyle,
  organisation_invitation: neutralStyle,
  organisation_state: neutralStyle,
}

/**
 * Returns the icon and colour of a notification: success, failure, warning or neutral. A newer API may send kinds that are
 * unknown here.
 */
export const notificationStyle = (kind: string) => styles[kind as NotificationKind] ?? neutralStyle
