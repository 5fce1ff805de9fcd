import type { NotificationKind } from '@portal/contract/notifications'
import type { StatusIcon, Tone } from '@portal/format/status'

const good = { tone: 'success', icon: 'tick' } as const
const bad = { tone: 'danger', icon: 'cross' } as const
const attention = { tone: 'warning', icon: 'warning' } as const
const news = { tone: 'info', icon: 'info' } as const

const styles: Record<NotificationKind, { tone: Tone; icon: StatusIcon }> = {
  verified: good,
  refund_sent: good,
  certificate_restored: good,
  job_finished: good,
  email_verified: good,
  balance_credited: good,
  batch_completed: good,
  not_found: bad,
  payment_failed: bad,
  payment_reversed: bad,
  refund_trouble: bad,
  job_failed: bad,
  webhook_disabled: bad,
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
  dispute_ended: news,
  certificate_corrected: news,
  password_changed: news,
  organisation_invitation: news,
  organisation_state: news,
}

/**
 * Returns the icon and colour of a notification: success, warning, failure or news. A newer API may send other kinds.
 */
export const notificationStyle = (kind: string) => styles[kind as NotificationKind] ?? news
