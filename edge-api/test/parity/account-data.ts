import type { adminAccountData, ownAccountData } from '@portal/contract/account-data'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { bySuperAdmin } from './accounts.ts'
import { type CasesOf, callBy, type MakeCall } from './cases.ts'
import type { World } from './world.ts'

const ERASURE = '/account/erasure'
const password = { current_password: DEMO_PASSWORD }
const wrongPassword = { current_password: 'Wrong1234' }

/** Creates an account that has requested its erasure. */
async function createLeavingAccount(world: World) {
  const account = await world.account()
  const body = { current_password: account.password }
  await world.callOk('POST', ERASURE, { token: account.token, body })
  return { token: account.token, body, id: account.id }
}

async function createOpenPaymentCall(world: World) {
  const { token, password: current_password } = await world.account()
  await world.startPayment({ token })
  return { token, body: { current_password } }
}

/** Creates a separate account with a paid verification, because other cases change the shared one. */
async function createCustomer(world: World) {
  const account = await world.account()
  await world.payForVerification(account)
  return account
}

export const ownAccountDataCases: CasesOf<typeof ownAccountData> = {
  read: {
    succeeds: async world => ({ token: (await createCustomer(world)).token }),
  },
  erasure: {
    succeeds: callBy('user'),
    also: {
      'a requested erasure': async world => ({ token: (await createLeavingAccount(world)).token }),
    },
  },
  requestErasure: {
    succeeds: async world => {
      const account = await world.account()
      return { token: account.token, body: { current_password: account.password } }
    },
    also: {
      'an erasure that was already requested': async world => {
        const { token, body } = await createLeavingAccount(world)
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
    succeeds: async world => ({ token: (await createLeavingAccount(world)).token }),
    also: { 'an erasure that was not requested': callBy('user') },
  },
}

/** Returns a call of a super admin about an account that has requested its erasure. */
const leavingAccountCall =
  (suffix: string): MakeCall =>
  async world => ({
    token: await world.superAdmin(),
    path: `/admin/users/${(await createLeavingAccount(world)).id}${suffix}`,
  })

const userCall =
  (suffix: string): MakeCall =>
  async world => ({
    ...(await bySuperAdmin(world)),
    path: `/admin/users/${(await world.createAccount()).id}${suffix}`,
  })

export const adminAccountDataCases: CasesOf<typeof adminAccountData> = {
  read: {
    succeeds: async world => ({
      token: await world.superAdmin(),
      path: `/admin/users/${(await createCustomer(world)).id}/data`,
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
