import type { adminAccountData, ownAccountData } from '@portal/contract/account-data'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { makeSuperAdminCall } from './accounts.ts'
import { type CasesOf, callBy, type MakeCall } from './cases.ts'
import type { ParityFixture } from './fixture.ts'

const ERASURE = '/account/erasure'
const password = { current_password: DEMO_PASSWORD }
const wrongPassword = { current_password: 'Wrong1234' }

/** Creates an account that has requested its erasure. */
async function createLeavingAccount(fixture: ParityFixture) {
  const account = await fixture.account()
  const body = { current_password: account.password }
  await fixture.callOk('POST', ERASURE, { token: account.token, body })
  return { token: account.token, body, id: account.id }
}

async function createOpenPaymentCall(fixture: ParityFixture) {
  const { token, password: current_password } = await fixture.account()
  await fixture.startPayment({ token })
  return { token, body: { current_password } }
}

/** Creates a separate account with a paid verification, because other cases change the shared one. */
async function createCustomer(fixture: ParityFixture) {
  const account = await fixture.account()
  await fixture.payForVerification(account)
  return account
}

export const ownAccountDataCases: CasesOf<typeof ownAccountData> = {
  read: {
    succeeds: async fixture => ({ token: (await createCustomer(fixture)).token }),
  },
  erasure: {
    succeeds: callBy('user'),
    also: {
      'a requested erasure': async fixture => ({ token: (await createLeavingAccount(fixture)).token }),
    },
  },
  requestErasure: {
    succeeds: async fixture => {
      const account = await fixture.account()
      return { token: account.token, body: { current_password: account.password } }
    },
    also: {
      'an erasure that was already requested': async fixture => {
        const { token, body } = await createLeavingAccount(fixture)
        return { token, body }
      },
    },
    refuses: {
      'a wrong password': callBy('user', { body: wrongPassword }),
      'an open payment': createOpenPaymentCall,
      'a staff account': callBy('admin', { body: password }),
    },
  },
  cancelErasure: {
    succeeds: async fixture => ({ token: (await createLeavingAccount(fixture)).token }),
    also: { 'an erasure that was not requested': callBy('user') },
  },
}

/** Returns a call of a super admin about an account that has requested its erasure. */
const leavingAccountCall =
  (suffix: string): MakeCall =>
  async fixture => ({
    token: await fixture.superAdmin(),
    path: `/admin/users/${(await createLeavingAccount(fixture)).id}${suffix}`,
  })

const userCall =
  (suffix: string): MakeCall =>
  async fixture => ({
    ...(await makeSuperAdminCall(fixture)),
    path: `/admin/users/${(await fixture.createAccount()).id}${suffix}`,
  })

export const adminAccountDataCases: CasesOf<typeof adminAccountData> = {
  read: {
    succeeds: async fixture => ({
      token: await fixture.superAdmin(),
      path: `/admin/users/${(await createCustomer(fixture)).id}/data`,
    }),
  },
  erasure: { succeeds: leavingAccountCall('/erasure') },
  requestErasure: {
    succeeds: userCall('/erasure'),
    refuses: {
      'a wrong password': callBy('superAdmin', { path: '/admin/users/nowhere/erasure', body: wrongPassword }),
      'an unknown account': callBy('superAdmin', { path: '/admin/users/nowhere/erasure', body: password }),
      'a colleague': callBy('superAdmin', {
        path: `/admin/users/${personas.admin.id}/erasure`,
        body: password,
      }),
    },
  },
  cancelErasure: { succeeds: leavingAccountCall('/erasure') },
}
