import type { notifications as routes } from '@portal/contract/notifications'
import { Fault } from './fault.ts'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState, MockUser } from './state.ts'

const listNotifications = (state: MockState, user: MockUser) =>
  state.notifications.filter(notification => notification.user_id === user.id)

const unreadCountOf = (state: MockState, user: MockUser) => ({
  unread_count: listNotifications(state, user).filter(item => item.read_at === null).length,
})

export const notifications: HandlersOf<typeof routes> = {
  list({ query, user, state }) {
    const { rows, pagination } = paginateRows(listNotifications(state, user), query)
    return { notifications: rows, ...unreadCountOf(state, user), pagination }
  },
  read({ params, user, state, now }) {
    const notification = listNotifications(state, user).find(item => item.id === params.id)
    if (!notification) throw new Fault('NOT_FOUND')
    notification.read_at ??= now.toISOString()
    return unreadCountOf(state, user)
  },
  readAll({ user, state, now }) {
    for (const notification of listNotifications(state, user)) notification.read_at ??= now.toISOString()
    return unreadCountOf(state, user)
  },
}
