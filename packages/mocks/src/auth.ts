import type { auth as routes } from '@portal/contract/auth'
import { emailVerifiedNotice, passwordChangedNotice } from '@portal/format/notices'
import { accountMessages } from '@portal/rules/messages'
import { accountOf, recordAccountChange, versionOf } from './account-history.ts'
import { Fault } from './fault.ts'
import { requireVersion } from './history.ts'
import { newId } from './ids.ts'
import { mailFirstLink, mailLink } from './mail-link.ts'
import { notify } from './notify.ts'
import { MOCK_APP_CODE } from './second-factor.ts'
import type { HandlersOf } from './serve.ts'
import { beginSession, endSessions } from './sessions.ts'
import type { MockLink, MockState, MockUser } from './state.ts'

const findUserByEmail = (state: MockState, email: string) => state.users.find(user => user.email === email)

function linkOrFail(state: MockState, page: 'verify-email' | 'reset-password', token: string, now: Date) {
  const isReset = page === 'reset-password'
  const link = state.links.find(item => (item.purpose === 'verify-email') !== isReset && item.token === token)
  const user = state.users.find(item => item.id === link?.user_id)
  if (!link || !user) throw new Fault(isReset ? 'INVALID_RESET_TOKEN' : 'INVALID_VERIFICATION_TOKEN')
  if (link.expires_at <= now.toISOString()) {
    const message = link.purpose === 'invitation' ? 'This invitation has expired.' : undefined
    throw new Fault(isReset ? 'EXPIRED_RESET_TOKEN' : 'EXPIRED_VERIFICATION_TOKEN', undefined, message)
  }
  return { link, user }
}

const removeLink = (state: MockState, link: MockLink) => {
  state.links = state.links.filter(item => item !== link)
}

/** Verifies the address to which a link was emailed, unless it has already been verified. */
function confirmAddress({ state, now }: { state: MockState; now: Date }, user: MockUser) {
  if (user.is_verified) return
  const before = { ...user }
  user.is_verified = true
  notify(state, user.id, emailVerifiedNotice, 'verify', now)
  recordAccountChange({ state, now, user }, before, user, 'self')
}

export const auth: HandlersOf<typeof routes> = {
  register(call) {
    const { body, state, now } = call
    const existing = findUserByEmail(state, body.email)
    if (existing) {
      state.mails.unshift({ to: existing.email, subject: 'You already have an account', link: null })
    } else {
      const user: MockUser = {
        ...body,
        id: newId(),
        role: 'user',
        is_enabled: true,
        is_verified: false,
        created_at: now.toISOString(),
      }
      state.users.push(user)
      recordAccountChange({ ...call, user }, undefined, user, 'self')
      mailLink(state, user, 'verify-email', now)
    }
    return { message: accountMessages.registered }
  },
  login({ body, state, now }) {
    const user = findUserByEmail(state, body.email)
    if (!user || user.password !== body.password) throw new Fault('INVALID_CREDENTIALS')
    if (!user.is_verified) throw new Fault('EMAIL_NOT_VERIFIED')
    if (!user.is_enabled) throw new Fault('ACCOUNT_DISABLED')
    if (user.recovery_codes) {
      if (!body.code) throw new Fault('SECOND_FACTOR_REQUIRED')
      const index = user.recovery_codes.indexOf(body.code)
      if (index >= 0) user.recovery_codes.splice(index, 1)
      else if (body.code !== MOCK_APP_CODE) throw new Fault('INVALID_SECOND_FACTOR')
    }
    return beginSession(state, user, now)
  },
  logout({ sid, state }) {
    state.sessions = state.sessions.filter(session => session.sid !== sid)
    return { message: accountMessages.loggedOut }
  },
  forgotPassword({ body, state, now }) {
    const user = findUserByEmail(state, body.email)
    if (user) mailLink(state, user, 'reset-password', now)
    return { message: accountMessages.resetMailed }
  },
  checkResetToken({ params, state, now }) {
    const { link } = linkOrFail(state, 'reset-password', params.token, now)
    return { message: accountMessages.linkUsable, invited: link.purpose === 'invitation' }
  },
  resetPassword(call) {
    const { params, body, state, now } = call
    const { link, user } = linkOrFail(state, 'reset-password', params.token, now)
    user.password = body.password
    confirmAddress(call, user)
    state.links = state.links.filter(item => item.user_id !== user.id || item.purpose === 'verify-email')
    endSessions(state, user)
    if (link.purpose === 'invitation') return { message: accountMessages.passwordSet }
    notify(state, user.id, passwordChangedNotice, 'profile', now)
    return { message: accountMessages.passwordReset }
  },
  verifyEmail(call) {
    const { params, state, now } = call
    const { link, user } = linkOrFail(state, 'verify-email', params.token, now)
    confirmAddress(call, user)
    removeLink(state, link)
    return { message: accountMessages.verified }
  },
  resendVerification({ body, state, now }) {
    const user = findUserByEmail(state, body.email)
    if (user && !user.is_verified) mailFirstLink(state, user, now)
    return {
      message: accountMessages.verificationMailed,
    }
  },
  profile: ({ user }) => ({ user: accountOf(user) }),
  updateProfile(call) {
    const { user, body } = call
    requireVersion(call, versionOf(user))
    const before = { ...user }
    Object.assign(user, body)
    recordAccountChange(call, before, user, 'self')
    return { message: accountMessages.profileUpdated, user: accountOf(user) }
  },
  changePassword({ user, sid, body, state, now }) {
    if (user.password !== body.current_password) {
      throw new Fault('INVALID_CURRENT_PASSWORD', {
        current_password: accountMessages.wrongOwnPassword,
      })
    }
    user.password = body.new_password
    notify(state, user.id, passwordChangedNotice, 'profile', now)
    endSessions(state, user, sid)
    return { message: accountMessages.passwordChanged }
  },
}
