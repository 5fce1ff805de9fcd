import type { NotificationKind } from '@portal/contract/notifications'
import type { Role } from '@portal/contract/shapes'
import type { Notice } from '@portal/format/notices'
import { certificateNotices } from '@portal/format/notices'
import { newId } from './ids.ts'
import type { MockState } from './state.ts'

const KEPT = 200

type Page = 'verify' | 'history' | 'profile'

/** Staff have no such screens of their own. */
const linkTo = (page: Page, role: Role | undefined) => (role === 'user' ? `/dashboard/${page}` : null)

/** Tells one account something, and keeps its newest 200. */
export function notify(
  state: MockState,
  userId: string,
  notice: Notice<NotificationKind>,
  page: Page,
  now: Date,
): void {
  const role = state.users.find(user => user.id === userId)?.role
  state.notifications.unshift({
    ...notice,
    id: newId(),
    user_id: userId,
    link: linkTo(page, role),
    created_at: now.toISOString(),
    read_at: null,
  })
  const tooOld = state.notifications.filter(each => each.user_id === userId).slice(KEPT)
  state.notifications = state.notifications.filter(each => !tooOld.includes(each))
}

/** Tells everyone who holds a letter for a certificate what became of it. */
export function tellHolders(
  state: MockState,
  number: string,
  change: keyof typeof certificateNotices,
  now: Date,
): void {
  const holders = state.payments.filter(each => each.letter_code && each.certificate_number === number)
  for (const userId of new Set(holders.map(each => each.user_id))) {
    notify(state, userId, certificateNotices[change](number), 'history', now)
  }
}
