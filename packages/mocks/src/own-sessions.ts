import type { ownSessions as routes } from '@portal/contract/own-sessions'
import { accountMessages } from '@portal/rules/messages'
import { clientOf } from '@portal/rules/user-agent'
import { requirePassword } from './second-factor.ts'
import type { HandlersOf } from './serve.ts'
import { startOf } from './sessions.ts'

export const ownSessions: HandlersOf<typeof routes> = {
  list: ({ state, user, sid, now }) => ({
    sessions: state.sessions
      .filter(item => item.user_id === user.id && item.expires_at > now.toISOString())
      .toReversed()
      .map(item => ({
        started_at: startOf(item),
        expires_at: item.expires_at,
        current: item.sid === sid,
        ...clientOf(globalThis.navigator?.userAgent),
        ip_address: '127.0.0.1',
        last_used_at: item.sid === sid ? now.toISOString() : startOf(item),
      })),
  }),
  endOthers({ body, state, user, sid }) {
    requirePassword(user, body.current_password)
    const others = state.sessions.filter(session => session.user_id === user.id && session.sid !== sid)
    state.sessions = state.sessions.filter(session => !others.includes(session))
    return { message: accountMessages.loggedOutElsewhere, ended: others.length }
  },
}
