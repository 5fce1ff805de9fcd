import type { transactions } from '@portal/contract/transactions'
import type { verification } from '@portal/contract/verification'
import type { bulkVerification } from '@portal/contract/verification-bulk'
import type { Account } from '../portal.ts'
import { type Call, type CasesOf, callBy, type MakeCall, type RouteCases } from './cases.ts'
import type { GatewayOutcome, World } from './world.ts'

const UNKNOWN_NUMBER = { certificate_number: 'UG/1901/00001' }

const newVerificationCall: MakeCall = async world => {
  const { certificate_number } = await world.certificate()
  return { token: (await world.user()).token, body: { certificate_number } }
}

const sharedVerificationCall: MakeCall = async world => {
  const { number } = await world.sharedVerification()
  return { token: (await world.user()).token, body: { certificate_number: number } }
}

const unprintableCall: MakeCall = async world => ({
  token: (await world.user()).token,
  body: { certificate_number: await world.newUnprintableNumber() },
})

const openPaymentCall: MakeCall = async world => {
  const account = await world.user()
  return { token: account.token, body: { certificate_number: (await world.startPayment(account)).number } }
}

/** Returns a call about a payment of `user()`, which is still open or has ended. */
function withPayment(
  path: (id: string) => string,
  ending?: GatewayOutcome,
  who: 'user' | 'otherUser' | 'admin' = 'user',
) {
  return async (world: World): Promise<Call> => {
    const account = await world.user()
    const paid = ending === 'pay' ? await world.sharedVerification() : undefined
    const start = paid ?? (await world.startPayment(account))
    if (ending && !paid) await world.endPayment(account, start, ending)
    const token = who === 'admin' ? await world.admin() : (await world[who]()).token
    return { token, path: path(start.transaction_id) }
  }
}

const statusCases = (path: (id: string) => string): RouteCases => ({
  succeeds: withPayment(path, 'pay'),
  also: {
    pending: withPayment(path),
    declined: withPayment(path, 'decline'),
    cancelled: withPayment(path, 'cancel'),
    'for staff': withPayment(path, 'pay', 'admin'),
  },
  refuses: { 'another user’s payment': withPayment(path, 'pay', 'otherUser') },
  // It depends on timing whether the gateway's own status has arrived before the call.
  ignoredFields: ['bpms_status'],
})

const check = (id: string) => `/verification/check-verification-status/${id}`

export const verificationCases: CasesOf<typeof verification> = {
  checkCertificate: {
    succeeds: newVerificationCall,
    also: { 'one that is paid for': sharedVerificationCall },
    refuses: {
      'an unknown number': callBy('user', { body: UNKNOWN_NUMBER }),
      'a certificate that the letter cannot print': unprintableCall,
      'an invalid number': callBy('user', { body: { certificate_number: 'x' } }),
      'a number with dashes': callBy('user', { body: { certificate_number: 'UG-1901-00001' } }),
      'a number with blanks': callBy('user', { body: { certificate_number: 'UG 1901 00001' } }),
    },
  },
  processPayment: {
    succeeds: newVerificationCall,
    also: {
      'one that is paid for': sharedVerificationCall,
      'one that is open': openPaymentCall,
      'an unknown number': callBy('user', { body: UNKNOWN_NUMBER }),
      'an unknown number with dashes': callBy('user', { body: { certificate_number: 'UG-1901-00001' } }),
    },
    refuses: { 'a certificate that the letter cannot print': unprintableCall },
    ignoredFields: ['payment_data'],
  },
  checkStatus: {
    ...statusCases(check),
    also: {
      ...statusCases(check).also,
      'by number': async world => {
        const { number, transaction_id } = await world.sharedVerification()
        const path = `${check(transaction_id)}?certificate_number=${encodeURIComponent(number)}`
        return { token: (await world.user()).token, path }
      },
    },
    refuses: {
      ...statusCases(check).refuses,
      'a number that is not in the payment': async world => {
        const { transaction_id } = await world.sharedVerification()
        const path = `${check(transaction_id)}?certificate_number=UG/1901/00001`
        return { token: (await world.user()).token, path }
      },
    },
  },
  paymentStatus: statusCases(id => `/verification/payment-status/${id}`),
  publicPaymentStatus: {
    ...statusCases(id => `/verification/public/payment-status/${id}`),
    refuses: {
      'an unknown id': () => ({ path: `/verification/public/payment-status/CVF${'0'.repeat(21)}` }),
    },
  },
  history: {
    // The history is newest first, so its first entry is the most recent payment or failure.
    succeeds: async world => {
      const account = await world.user()
      await world.payForVerification(account)
      return { token: account.token }
    },
    also: {
      'a failed payment': async world => {
        const account = await world.user()
        await world.endPayment(account, await world.startPayment(account), 'decline')
        return { token: account.token }
      },
      'nothing yet': async world => ({ token: (await world.otherUser()).token }),
      'a search by number': async world => {
        const account = await world.user()
        const { number } = await world.payForVerification(account)
        const search = encodeURIComponent(number)
        return {
          token: account.token,
          path: `/verification/history?outcome=success&sort=certificate_number&search=${search}`,
        }
      },
      'none of the period': async world => ({
        token: (await world.user()).token,
        path: '/verification/history?date_from=2001-01-01&date_to=2001-01-31',
      }),
    },
    refuses: {
      'an unknown outcome': callBy('user', { path: '/verification/history?outcome=lost' }),
      'an unknown order': callBy('user', { path: '/verification/history?sort=grade' }),
    },
  },
  statistics: { succeeds: callWithHistory },
  settings: { succeeds: () => ({}) },
}

async function callWithHistory(world: World): Promise<Call> {
  await world.sharedVerification()
  return { token: (await world.user()).token }
}

const numbers = async (world: World) => {
  const [one, two] = [await world.certificate(), await world.certificate()]
  return [one.certificate_number, two.certificate_number]
}

const withUnprintable: MakeCall = async world => {
  const { certificate_number } = await world.certificate()
  const body = { certificate_numbers: [await world.newUnprintableNumber(), certificate_number] }
  return { token: (await world.user()).token, body }
}

async function startBulk(world: World, { token }: Account) {
  const body = { certificate_numbers: await numbers(world) }
  return await world.callOk('POST', '/verification/process-bulk-payment', { token, body })
}

export const bulkCases: CasesOf<typeof bulkVerification> = {
  check: {
    succeeds: async world => ({
      token: (await world.user()).token,
      body: { certificate_numbers: await numbers(world) },
    }),
    also: {
      'one that is paid for': async world => ({
        token: (await world.user()).token,
        body: { certificate_numbers: [(await world.sharedVerification()).number] },
      }),
      'an unknown number': callBy('user', { body: { certificate_numbers: ['UG/1901/00001'] } }),
      'one that the letter cannot print': withUnprintable,
      'an invalid number': callBy('user', { body: { certificate_numbers: ['x', 'x'] } }),
      'numbers as typed': callBy('user', {
        body: { certificate_numbers: [' ug \\ 1901/00001. ', 'UG-1901-00001', 'UG 1901 00001'] },
      }),
      'one that is open': async world => {
        const account = await world.user()
        return {
          token: account.token,
          body: { certificate_numbers: [(await world.startPayment(account)).number] },
        }
      },
    },
    refuses: {
      'none at all': callBy('user', { body: { certificate_numbers: [] } }),
      'too many': callBy('user', { body: { certificate_numbers: Array.from({ length: 501 }, () => 'x') } }),
    },
  },
  pay: {
    succeeds: async world => ({
      token: (await world.user()).token,
      body: { certificate_numbers: await numbers(world) },
    }),
    also: {
      'nothing left to pay': async world => ({
        token: (await world.user()).token,
        body: { certificate_numbers: [(await world.sharedVerification()).number] },
      }),
      'one that the letter cannot print': withUnprintable,
      'only unknown numbers': callBy('user', { body: { certificate_numbers: ['UG/1901/00001'] } }),
      'a started payment': async world => {
        const account = await world.user()
        const { items } = await startBulk(world, account)
        const certificate_numbers = items.map(
          (item: { certificate_number: string }) => item.certificate_number,
        )
        return { token: account.token, body: { certificate_numbers } }
      },
    },
    ignoredFields: ['payment_data'],
  },
}

export const transactionCases: CasesOf<typeof transactions> = {
  certificate: {
    succeeds: async world => ({
      token: (await world.user()).token,
      path: `/verification/certificate/${(await world.sharedVerification()).certificateId}`,
    }),
    refuses: {
      'one that the caller has not paid for': async world => ({
        token: (await world.otherUser()).token,
        path: `/verification/certificate/${(await world.sharedVerification()).certificateId}`,
      }),
    },
  },
  requery: {
    succeeds: withPayment(id => `/verification/bpms/check/${id}`, 'pay'),
    refuses: {
      'another user’s payment': withPayment(id => `/verification/bpms/check/${id}`, 'pay', 'otherUser'),
    },
    ignoredFields: ['bpms_status'],
  },
  requeryAllPending: { succeeds: async world => ({ token: (await world.otherUser()).token }) },
  search: {
    succeeds: async world => ({
      token: (await world.user()).token,
      path: `/verification/transactions/search?transaction_id=${(await world.sharedVerification()).transaction_id}`,
    }),
    also: {
      'filtered by the gateway’s status': callBy('user', {
        path: '/verification/transactions/search?status=CANCELLED&limit=1&date_to=2001-01-01',
      }),
      'as staff': async world => ({
        token: await world.admin(),
        path: `/verification/transactions/search?transaction_id=${(await world.sharedVerification()).transaction_id}`,
      }),
    },
    refuses: {
      'an unknown status': callBy('user', { path: '/verification/transactions/search?status=lost' }),
      'a limit of 0': callBy('user', { path: '/verification/transactions/search?limit=0' }),
    },
    ignoredFields: ['transactions[].status_desc'],
  },
  logs: {
    succeeds: withPayment(id => `/verification/transactions/${id}/logs`, 'pay'),
    refuses: {
      'another user’s payment': withPayment(
        id => `/verification/transactions/${id}/logs`,
        'pay',
        'otherUser',
      ),
    },
  },
  bulkCheck: { succeeds: callBy('admin') },
}
