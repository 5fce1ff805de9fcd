import type { auth } from '@portal/contract/auth'
import type { notifications } from '@portal/contract/notifications'
import type { ownSessions } from '@portal/contract/own-sessions'
import type { secondFactor } from '@portal/contract/second-factor'
import { makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { type CasesOf, callBy } from './cases.ts'
import { invitation } from './staff.ts'
import type { World } from './world.ts'

const NEW_PASSWORD = 'Changed1234'

async function createResetPath(world: World) {
  const person = await world.registerAccount()
  await world.callOk('POST', '/auth/forgot-password', { body: { email: person.email } })
  return `/auth/reset-password/${await world.mailedToken('reset-password', person.email)}`
}

async function createInvitationPath(world: World) {
  const body = invitation()
  await world.callOk('POST', '/admin/users', { token: await world.superAdmin(), body })
  return `/auth/reset-password/${await world.mailedToken('reset-password', body.email)}`
}

async function useVerificationLink(world: World) {
  const { email } = await world.registerAccount()
  const path = `/auth/verify-email/${await world.mailedToken('verify-email', email)}`
  await world.callOk('GET', path)
  return { path }
}

export const authCases: CasesOf<typeof auth> = {
  register: {
    succeeds: () => ({ body: makeUser() }),
    also: { 'a known address': () => ({ body: makeUser({ email: personas.user.email }) }) },
    refuses: {
      'a weak password': () => ({ body: makeUser({ password: 'weak' }) }),
      'a wrong address and phone': () => ({ body: makeUser({ email: 'nobody', phone: '12' }) }),
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
  logout: { succeeds: async world => ({ token: (await world.signIn(personas.user.email)).token }) },
  forgotPassword: {
    succeeds: async world => ({ body: { email: (await world.registerAccount()).email } }),
    also: { 'an unknown address': () => ({ body: { email: 'nobody@users.test' } }) },
  },
  checkResetToken: {
    succeeds: async world => ({ path: await createResetPath(world) }),
    also: { 'an invitation': async world => ({ path: await createInvitationPath(world) }) },
  },
  resetPassword: {
    succeeds: async world => ({ path: await createResetPath(world), body: { password: NEW_PASSWORD } }),
    also: {
      'an invitation': async world => ({
        path: await createInvitationPath(world),
        body: { password: NEW_PASSWORD },
      }),
    },
    refuses: {
      'an unknown link': () => ({ path: '/auth/reset-password/x', body: { password: NEW_PASSWORD } }),
      'a weak password': () => ({ path: '/auth/reset-password/x', body: { password: 'weak' } }),
    },
  },
  verifyEmail: {
    succeeds: async world => {
      const { email } = await world.registerAccount()
      return { path: `/auth/verify-email/${await world.mailedToken('verify-email', email)}` }
    },
    refuses: { 'a link that was used': useVerificationLink },
  },
  resendVerification: {
    succeeds: async world => ({ body: { email: (await world.registerAccount()).email } }),
    also: { 'an unknown address': () => ({ body: { email: 'nobody@users.test' } }) },
  },
  profile: { succeeds: callBy('user') },
  updateProfile: {
    succeeds: async world => {
      const { email: _, password: __, ...profile } = makeUser()
      return { token: (await world.otherUser()).token, body: profile }
    },
    refuses: {
      'another version': async world => {
        const { email: _, password: __, ...profile } = makeUser()
        return { token: (await world.otherUser()).token, body: profile, headers: { 'if-match': '"99"' } }
      },
    },
  },
  changePassword: {
    succeeds: async world => {
      const { token, password } = await world.account()
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
  list: { succeeds: async world => ({ token: (await world.account()).token }) },
  endOthers: {
    succeeds: async world => {
      const { email, password } = await world.account()
      const { token } = await world.signIn(email, password)
      return { token, body: { current_password: password } }
    },
    refuses: { 'a wrong password': callBy('user', { body: { current_password: 'Wrong1234' } }) },
  },
}

/** Returns an admin with an authenticator app; `code` returns a code that has not been used yet. */
async function newEnrolledAccount(world: World) {
  const admin = await world.newAdmin()
  const { token, password } = admin
  const enrolment = await world.callOk('POST', '/auth/second-factor', {
    token,
    body: { current_password: password },
  })
  await world.callOk('POST', '/auth/second-factor/confirm', {
    token,
    body: { code: world.authenticatorCode(enrolment.secret, 0) },
  })
  return { ...admin, code: world.authenticatorCode(enrolment.secret, 1) }
}

/** Returns a call that requires the demo super admin's own password. */
export const bySuperAdmin = async (world: World) => ({
  token: await world.superAdmin(),
  body: { current_password: DEMO_PASSWORD },
})

const RESET_ADMIN = `/admin/users/${personas.admin.id}/reset-second-factor`

export const secondFactorCases: CasesOf<typeof secondFactor> = {
  read: { succeeds: callBy('admin') },
  begin: {
    succeeds: async world => {
      const { token, password } = await world.newAdmin()
      return { token, body: { current_password: password } }
    },
    refuses: { 'a wrong password': callBy('admin', { body: { current_password: 'Wrong1234' } }) },
  },
  confirm: {
    succeeds: async world => {
      const { token, password } = await world.newAdmin()
      const body = { current_password: password }
      const { secret } = await world.callOk('POST', '/auth/second-factor', { token, body })
      return { token, body: { code: world.authenticatorCode(secret, 0) } }
    },
    refuses: { 'a code before set-up has started': callBy('admin', { body: { code: '654321' } }) },
  },
  renewCodes: {
    succeeds: async world => {
      const { token, code } = await newEnrolledAccount(world)
      return { token, body: { code } }
    },
    refuses: { 'without an app': callBy('admin', { body: { code: '654321' } }) },
  },
  remove: {
    succeeds: async world => {
      const { token, code, password } = await newEnrolledAccount(world)
      return { token, body: { code, current_password: password } }
    },
    refuses: {
      'a wrong password': callBy('admin', { body: { code: '654321', current_password: 'Wrong1234' } }),
      'without an app': callBy('admin', { body: { code: '654321', current_password: DEMO_PASSWORD } }),
    },
  },
  reset: {
    succeeds: async world => {
      const { id } = await newEnrolledAccount(world)
      return { ...(await bySuperAdmin(world)), path: `/admin/users/${id}/reset-second-factor` }
    },
    also: {
      'an account without an app': async world => {
        const { id } = await world.createAccount('admin')
        return { ...(await bySuperAdmin(world)), path: `/admin/users/${id}/reset-second-factor` }
      },
    },
    refuses: {
      'a wrong password': callBy('superAdmin', {
        path: RESET_ADMIN,
        body: { current_password: 'Wrong1234' },
      }),
      'one’s own': callBy('superAdmin', {
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
async function readConfirmationNotice(world: World) {
  const { token } = await world.otherUser()
  const { notifications: list } = await world.callOk('GET', '/notifications', { token })
  return { token, path: `/notifications/${list[0].id}/read` }
}

export const notificationCases: CasesOf<typeof notifications> = {
  list: { succeeds: async world => ({ token: (await world.otherUser()).token }) },
  read: {
    succeeds: readConfirmationNotice,
    refuses: {
      'another’s': async world => ({
        ...(await readConfirmationNotice(world)),
        token: (await world.user()).token,
      }),
    },
  },
  readAll: { succeeds: async world => ({ token: (await world.otherUser()).token }) },
}
