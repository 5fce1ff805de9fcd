import type { secondFactor as routes } from '@portal/contract/second-factor'
import { accountMessages, secondFactorMessages } from '@portal/rules/messages'
import { Fault, invalidField } from './fault.ts'
import { randomCode } from './ids.ts'
import type { HandlersOf } from './serve.ts'
import { endSessions } from './sessions.ts'
import type { MockUser } from './state.ts'
import { userOrFail } from './user-or-fail.ts'

/** The only code that the mocks accept, because they cannot check codes of a real app. */
export const MOCK_APP_CODE = '123456'

const newCodes = () => Array.from({ length: 10 }, () => randomCode(24).replace(/(.{4})(?=.)/g, '$1-'))

/**
 * Checks the account's password.
 * @throws Fault `INVALID_CURRENT_PASSWORD`, with an error for the password field
 */
export function requirePassword(user: MockUser, password: string) {
  if (user.password === password) return
  throw new Fault('INVALID_CURRENT_PASSWORD', {
    current_password: accountMessages.wrongOwnPassword,
  })
}

/**
 * Checks a code of the authenticator app.
 * @param isExpectedState whether the app is in the state that the call requires: confirmed, or still being set up
 */
function requireCode(code: string, isExpectedState: boolean) {
  if (code !== MOCK_APP_CODE || !isExpectedState) throw invalidField('code', secondFactorMessages.wrongCode)
}

export const secondFactor: HandlersOf<typeof routes> = {
  read: ({ user, state }) => ({
    enrolled: user.recovery_codes !== undefined,
    required: state.settings.policies.staff_totp,
    recovery_codes_left: user.recovery_codes?.length ?? 0,
  }),
  begin({ body, user }) {
    requirePassword(user, body.current_password)
    if (user.recovery_codes) throw invalidField('code', secondFactorMessages.alreadySetUp)
    user.app_begun = true
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    return { secret, otpauth_url: `otpauth://totp/Mocks:${encodeURIComponent(user.email)}?secret=${secret}` }
  },
  confirm({ body, user, sid, state }) {
    requireCode(body.code, user.app_begun === true)
    delete user.app_begun
    user.recovery_codes = newCodes()
    endSessions(state, user, sid)
    return {
      message: secondFactorMessages.setUp,
      recovery_codes: user.recovery_codes,
    }
  },
  renewCodes({ body, user }) {
    requireCode(body.code, user.recovery_codes !== undefined)
    user.recovery_codes = newCodes()
    return {
      message: secondFactorMessages.newCodes,
      recovery_codes: user.recovery_codes,
    }
  },
  remove({ body, user }) {
    requirePassword(user, body.current_password)
    if (!user.recovery_codes?.includes(body.code)) requireCode(body.code, user.recovery_codes !== undefined)
    delete user.recovery_codes
    return { message: secondFactorMessages.removed }
  },
  reset({ params, body, user, state }) {
    requirePassword(user, body.current_password)
    const account = userOrFail(state, params.id)
    if (account.id === user.id)
      throw new Fault('FORBIDDEN', undefined, 'Remove your own authenticator app under Account Security.')
    delete account.recovery_codes
    endSessions(state, account)
    return { message: secondFactorMessages.reset }
  },
}
