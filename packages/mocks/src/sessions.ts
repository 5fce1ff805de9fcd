import { newId } from './ids.ts'
import type { MockSession, MockState, MockUser } from './state.ts'
import { createMockToken } from './token.ts'

const LIFETIME_MS = 8 * 3_600_000

/** Starts a session for an account without checking a password. */
export function beginSession(state: MockState, user: MockUser, now: Date) {
  const sid = newId()
  const expires = new Date(now.getTime() + LIFETIME_MS)
  state.sessions.push({ sid, user_id: user.id, expires_at: expires.toISOString() })
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  const claims = { sub: user.id, sid, role: user.role, iat: seconds(now), exp: seconds(expires) }
  return { token: createMockToken(claims), user, expires_at: expires.toISOString() }
}

/** Returns the time when a session started, as ISO 8601. */
export const startOf = ({ expires_at }: MockSession): string =>
  new Date(Date.parse(expires_at) - LIFETIME_MS).toISOString()

/** Ends all sessions of an account other than `except`. */
export function endSessions(state: MockState, { id }: MockUser, except?: string): void {
  state.sessions = state.sessions.filter(session => session.user_id !== id || session.sid === except)
}
