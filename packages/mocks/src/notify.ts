import type { NotificationKind } from '@portal/contract/notifications'
import type { Role } from '@portal/contract/shapes'
import type { Notice } from '@portal/format/notices'
import { letterStatusNotices } from '@portal/format/notices'
import { newId } from './ids.ts'
import { toLetterLink } from './letter-status.ts'
import type { MockState } from './state.ts'

const MAX_NOTIFICATIONS = 200

type Page = 'verify' | 'history' | 'profile'

/** Returns the link to a user's page; null for staff, who do not have these screens. */
const linkTo = (page: Page, role: Role | undefined) => (role === 'user' ? `/dashboard/${page}` : null)

/** Notifies one account, with a link to one of its pages. */
export function notify(
  state: MockState,
  userId: string,
  notice: Notice<NotificationKind>,
  page: Page,
  now: Date,
): void {
  const role = state.users.find(user => user.id === userId)?.role
  pushNotification(state, userId, notice, linkTo(page, role), now)
}

/** Adds a notification to an account, which keeps only its newest 200. */
export function pushNotification(
  state: MockState,
  userId: string,
  notice: Notice<NotificationKind>,
  link: string | null,
  now: Date,
): void {
  state.notifications.unshift({
    ...notice,
    id: newId(),
    user_id: userId,
    link,
    created_at: now.toISOString(),
    read_at: null,
  })
  const tooOld = state.notifications
    .filter(notification => notification.user_id === userId)
    .slice(MAX_NOTIFICATIONS)
  state.notifications = state.notifications.filter(notification => !tooOld.includes(notification))
}

/** Makes a change to the register, and notifies everyone whose letters changed their status because of it. */
export function notifyLetterHolders(state: MockState, now: Date, change: () => void): void {
  const paymentsWithLetters = state.payments.filter(item => item.letter_code)
  const previousStatuses = new Map(paymentsWithLetters.map(item => [item, toLetterLink(state, item)?.status]))
  change()
  for (const payment of paymentsWithLetters) {
    const status = toLetterLink(state, payment)?.status
    if (status === undefined || status === previousStatuses.get(payment)) continue
    payment.letter_status_at = now.toISOString()
    notify(state, payment.user_id, letterStatusNotices[status]([payment.certificate_number]), 'history', now)
  }
}
