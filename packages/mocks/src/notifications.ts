import type { notifications as routes } from '@portal/contract/notifications'
import { paginate } from '@portal/contract/shapes'
import { Fault } from './fault.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState, MockUser } from './state.ts'

const own = (state: MockState, user: MockUser) => state.notifications.filter(each => each.user_id === user.id)

const unread = (state: MockState, user: MockUser) => ({
  unread_count: own(state, user).filter(each => each.read_at === null).length,
})

export const notifications: HandlersOf<typeof routes> = {
  list({ query, user, state }) {
    const all = own(state, user)
    const from = (query.page - 1) * query.per_page
    return {
      notifications: all.slice(from, from + query.per_page),
      ...unread(state, user),
      pagination: paginate(query.page, query.per_page, all.length),
    }
  },
  read({ params, user, state, now }) {
    const notification = own(state, user).find(each => each.id === params.id)
    if (!notification) throw new Fault('NOT_FOUND')
    notification.read_at ??= now.toISOString()
    return unread(state, user)
  },
  readAll({ user, state, now }) {
    for (const notification of own(state, user)) notification.read_at ??= now.toISOString()
    return unread(state, user)
  },
}
