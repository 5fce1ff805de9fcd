import { randomCode } from './ids.ts'
import type { MockLink, MockState, MockUser } from './state.ts'

const HOUR_MS = 3_600_000
const LIFETIME_MS: Record<MockLink['purpose'], number> = {
  'verify-email': 24 * HOUR_MS,
  'reset-password': HOUR_MS,
  invitation: 72 * HOUR_MS,
}
const SUBJECTS: Record<MockLink['purpose'], string> = {
  'verify-email': 'Verify your email address',
  'reset-password': 'Reset your password',
  invitation: 'You are invited to the certificate verification portal',
}

/** Emails a link to an account, and invalidates the previous link for the same purpose. */
export function mailLink(state: MockState, user: MockUser, purpose: MockLink['purpose'], now: Date) {
  const token = randomCode(32)
  const expires_at = new Date(now.getTime() + LIFETIME_MS[purpose]).toISOString()
  state.links = state.links.filter(link => link.user_id !== user.id || link.purpose !== purpose)
  state.links.push({ token, purpose, user_id: user.id, expires_at })
  const page = purpose === 'invitation' ? 'reset-password' : purpose
  state.mails.unshift({ to: user.email, subject: SUBJECTS[purpose], link: `/${page}/${token}` })
}

/**
 * Emails the link that an account needs before its first login: an invitation if it has no password, otherwise the verification
 * of its address.
 */
export const mailFirstLink = (state: MockState, user: MockUser, now: Date) =>
  mailLink(state, user, user.password === '' ? 'invitation' : 'verify-email', now)
