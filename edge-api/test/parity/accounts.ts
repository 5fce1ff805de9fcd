import type { auth } from '@portal/contract/auth'
import type { notifications } from '@portal/contract/notifications'
import type { ownSessions } from '@portal/contract/own-sessions'
import type { secondFactor } from '@portal/contract/second-factor'
import { makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { type CasesOf, callBy } from './cases.ts'
import type { ParityFixture } from './fixture.ts'
import { makeInvitation } from './staff.ts'

const NEW_PASSWORD = 'Changed1234'

async function createResetPath(fixture: ParityFixture) {
  const person = await fixture.registerAccount()
  await fixture.callOk('POST', '/auth/forgot-password', { body: { email: person.email } })
  return `/auth/reset-password/${await fixture.waitForMailedToken('reset-password', person.email)}`
}

async function createInvitationPath(fixture: ParityFixture) {
  const body = makeInvitation()
  await fixture.callOk('POST', '/admin/users', { token: await fixture.superAdmin(), body })
  return `/auth/reset-password/${await fixture.waitForMailedToken('reset-password', body.email)}`
}

async function createUsedVerificationLink(fixture: ParityFixture) {
  const { email } = await fixture.registerAccount()
  const path = `/auth/verify-email/${await fixture.waitForMailedToken('verify-email', email)}`
  await fixture.callOk('GET', path)
  return { path }
}

export const authCases: CasesOf<typeof auth> = {
  register: {
    succeeds: () => ({ body: makeUser() }),
    also: {
      'an address that is already registered': () => ({ body: makeUser({ email: personas.user.email }) }),
    },
    refuses: {
      'a weak password': () => ({ body: makeUser({ password: 'weak' }) }),
      'an invalid address and phone number': () => ({ body: makeUser({ email: 'nobody', phone: '12' }) }),
    },
  },
  login: {
    succeeds: () => ({ body: { email: personas.user.email, password: DEMO_PASSWORD } }),
    refuses: {
      'a wrong password': () => ({ body: { email: personas.user.email, password: 'Wrong1234' } }),
      'an unknown address': () => ({ body: { email: 'nobody@users.test', password: DEMO_PASSWORD } }),
      'an unverified account': () => ({
        body: { email: personas.unverified.email, password: DEMO_PASSWORD },
      }),
      'a disabled account': () => ({ body: { email: personas.disabled.email, password: DEMO_PASSWORD } }),
    },
  },
  logout: { succeeds: async fixture => ({ token: (await fixture.signIn(personas.user.email)).token }) },
  forgotPassword: {
    succeeds: async fixture => ({ body: { email: (await fixture.registerAccount()).email } }),
    also: { 'an unknown address': () => ({ body: { email: 'nobody@users.test' } }) },
  },
  checkResetToken: {
    succeeds: async fixture => ({ path: await createResetPath(fixture) }),
    also: { 'an invitation': async fixture => ({ path: await createInvitationPath(fixture) }) },
  },
  resetPassword: {
    succeeds: async fixture => ({ path: await createResetPath(fixture), body: { password: NEW_PASSWORD } }),
    also: {
      'an invitation': async fixture => ({
        path: await createInvitationPath(fixture),
        body: { password: NEW_PASSWORD },
      }),
    },
    refuses: {
      'an unknown link': () => ({ path: '/auth/reset-password/x', body: { password: NEW_PASSWORD } }),
      'a weak password': () => ({ path: '/auth/reset-password/x', body: { password: 'weak' } }),
    },
  },
  verifyEmail: {
    succeeds: async fixture => {
      const { email } = await fixture.registerAccount()
      return { path: `/auth/verify-email/${await fixture.waitForMailedToken('verify-email', email)}` }
    },
    refuses: { 'a link that was used': createUsedVerificationLink },
  },
  resendVerification: {
    succeeds: async fixture => ({ body: { email: (await fixture.registerAccount()).email } }),
    also: { 'an unknown address': () => ({ body: { email: 'nobody@users.test' } }) },
  },
  profile: { succeeds: callBy('user') },
  updateProfile: {
    succeeds: async fixture => {
      const { email: _, password: __, ...profile } = makeUser()
      return { token: (await fixture.otherUser()).token, body: profile }
    },
    refuses: {
      'an outdated version': async fixture => {
        const { email: _, password: __, ...profile } = makeUser()
        return { token: (await fixture.otherUser()).token, body: profile, headers: { 'if-match': '"99"' } }
      },
    },
  },
  changePassword: {
    succeeds: async fixture => {
      const { token, password } = await fixture.account()
      return { token, body: { current_password: password, new_password: NEW_PASSWORD } }
    },
    refuses: {
      'a wrong password': callBy('user', {
        body: { current_password: 'Wrong1234', new_password: NEW_PASSWORD },
      }),
    },
  },
}

export const ownSessionCases: CasesOf<typeof ownSessions> = {
  list: { succeeds: async fixture => ({ token: (await fixture.account()).token }) },
  endOthers: {
    succeeds: async fixture => {
      const { email, password } = await fixture.account()
      const { token } = await fixture.signIn(email, password)
      return { token, body: { current_password: password } }
    },
    refuses: { 'a wrong password': callBy('user', { body: { current_password: 'Wrong1234' } }) },
  },
}

/** Creates an admin with an authenticator app. @returns the account, and a code that has not been used yet */
async function newEnrolledAccount(fixture: ParityFixture) {
  const admin = await fixture.newAdmin()
  const { token, password } = admin
  const enrolment = await fixture.callOk('POST', '/auth/second-factor', {
    token,
    body: { current_password: password },
  })
  await fixture.callOk('POST', '/auth/second-factor/confirm', {
    token,
    body: { code: fixture.getAuthenticatorCode(enrolment.secret, 0) },
  })
  return { ...admin, code: fixture.getAuthenticatorCode(enrolment.secret, 1) }
}

/** Returns a call that requires the demo super admin's own password. */
export const makeSuperAdminCall = async (fixture: ParityFixture) => ({
  token: await fixture.superAdmin(),
  body: { current_password: DEMO_PASSWORD },
})

const RESET_ADMIN = `/admin/users/${personas.admin.id}/reset-second-factor`

export const secondFactorCases: CasesOf<typeof secondFactor> = {
  read: { succeeds: callBy('admin') },
  begin: {
    succeeds: async fixture => {
      const { token, password } = await fixture.newAdmin()
      return { token, body: { current_password: password } }
    },
    refuses: { 'a wrong password': callBy('admin', { body: { current_password: 'Wrong1234' } }) },
  },
  confirm: {
    succeeds: async fixture => {
      const { token, password } = await fixture.newAdmin()
      const body = { current_password: password }
      const { secret } = await fixture.callOk('POST', '/auth/second-factor', { token, body })
      return { token, body: { code: fixture.getAuthenticatorCode(secret, 0) } }
    },
    refuses: { 'a code before set-up has started': callBy('admin', { body: { code: '654321' } }) },
  },
  renewCodes: {
    succeeds: async fixture => {
      const { token, code } = await newEnrolledAccount(fixture)
      return { token, body: { code } }
    },
    refuses: { 'an account without an app': callBy('admin', { body: { code: '654321' } }) },
  },
  remove: {
    succeeds: async fixture => {
      const { token, code, password } = await newEnrolledAccount(fixture)
      return { token, body: { code, current_password: password } }
    },
    refuses: {
      'a wrong password': callBy('admin', { body: { code: '654321', current_password: 'Wrong1234' } }),
      'an account without an app': callBy('admin', {
        body: { code: '654321', current_password: DEMO_PASSWORD },
      }),
    },
  },
  reset: {
    succeeds: async fixture => {
      const { id } = await newEnrolledAccount(fixture)
      return { ...(await makeSuperAdminCall(fixture)), path: `/admin/users/${id}/reset-second-factor` }
    },
    also: {
      'an account without an app': async fixture => {
        const { id } = await fixture.createAccount('admin')
        return { ...(await makeSuperAdminCall(fixture)), path: `/admin/users/${id}/reset-second-factor` }
      },
    },
    refuses: {
      'a wrong password': callBy('superAdmin', {
        path: RESET_ADMIN,
        body: { current_password: 'Wrong1234' },
      }),
      'the caller’s own app': callBy('superAdmin', {
        path: `/admin/users/${personas.superAdmin.id}/reset-second-factor`,
        body: { current_password: DEMO_PASSWORD },
      }),
      'an unknown account': callBy('superAdmin', {
        path: '/admin/users/nowhere/reset-second-factor',
        body: { current_password: DEMO_PASSWORD },
      }),
    },
  },
}

/** Returns a call about a separate account's notification that its address was confirmed. */
async function readConfirmationNotice(fixture: ParityFixture) {
  const { token } = await fixture.otherUser()
  const { notifications: list } = await fixture.callOk('GET', '/notifications', { token })
  return { token, path: `/notifications/${list[0].id}/read` }
}

export const notificationCases: CasesOf<typeof notifications> = {
  list: { succeeds: async fixture => ({ token: (await fixture.otherUser()).token }) },
  read: {
    succeeds: readConfirmationNotice,
    refuses: {
      'another user’s notification': async fixture => ({
        ...(await readConfirmationNotice(fixture)),
        token: (await fixture.user()).token,
      }),
    },
  },
  readAll: { succeeds: async fixture => ({ token: (await fixture.otherUser()).token }) },
}
