import type { ownSessions as routes } from '@portal/contract/own-sessions'
import { accountMessages } from '@portal/rules/messages'
import { clientOf } from '@portal/rules/user-agent'
import { requirePassword } from './second-factor.ts'
import type { HandlersOf } from './serve.ts'
import { startOf } from './sessions.ts'

export const ownSessions: HandlersOf<typeof routes> = {
  list: ({ state, user, sid, now }) => ({
    sessions: state.sessions
      .filter(each => each.user_id === user.id && each.expires_at > now.toISOString())
      .toReversed()
      .map(each => ({
        started_at: startOf(each),
        expires_at: each.expires_at,
        current: each.sid === sid,
        ...clientOf(globalThis.navigator?.userAgent),
        ip_address: '127.0.0.1',
        last_used_at: each.sid === sid ? now.toISOString() : startOf(each),
      })),
  }),
  endOthers({ body, state, user, sid }) {
    requirePassword(user, body.current_password)
    const others = state.sessions.filter(each => each.user_id === user.id && each.sid !== sid)
    state.sessions = state.sessions.filter(each => !others.includes(each))
    return { message: accountMessages.loggedOutElsewhere, ended: others.length }
  },
}
