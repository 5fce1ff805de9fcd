import type { transactions } from '@portal/contract/transactions'
import type { verification } from '@portal/contract/verification'
import type { bulkVerification } from '@portal/contract/verification-bulk'
import type { Account } from '../portal.ts'
import { type Call, type CasesOf, callBy, type MakeCall, type RouteCases } from './cases.ts'
import type { GatewayOutcome, ParityFixture } from './fixture.ts'

const UNKNOWN_NUMBER = { certificate_number: 'UG/1901/00001' }

const newVerificationCall: MakeCall = async fixture => {
  const { certificate_number } = await fixture.certificate()
  return { token: (await fixture.user()).token, body: { certificate_number } }
}

const sharedVerificationCall: MakeCall = async fixture => {
  const { number } = await fixture.sharedVerification()
  return { token: (await fixture.user()).token, body: { certificate_number: number } }
}

const unprintableCall: MakeCall = async fixture => ({
  token: (await fixture.user()).token,
  body: { certificate_number: await fixture.newUnprintableNumber() },
})

const openPaymentCall: MakeCall = async fixture => {
  const account = await fixture.user()
  return { token: account.token, body: { certificate_number: (await fixture.startPayment(account)).number } }
}

/** Returns a call about a payment of `user()`, which is still open or has ended. */
function withPayment(
  path: (id: string) => string,
  ending?: GatewayOutcome,
  caller: 'user' | 'otherUser' | 'admin' = 'user',
) {
  return async (fixture: ParityFixture): Promise<Call> => {
    const account = await fixture.user()
    const paid = ending === 'pay' ? await fixture.sharedVerification() : undefined
    const start = paid ?? (await fixture.startPayment(account))
    if (ending && !paid) await fixture.endPayment(account, start, ending)
    const token = caller === 'admin' ? await fixture.admin() : (await fixture[caller]()).token
    return { token, path: path(start.transaction_id) }
  }
}

const statusCases = (path: (id: string) => string): RouteCases => ({
  succeeds: withPayment(path, 'pay'),
  also: {
    'a pending payment': withPayment(path),
    'a declined payment': withPayment(path, 'decline'),
    'a cancelled payment': withPayment(path, 'cancel'),
    'by staff': withPayment(path, 'pay', 'admin'),
  },
  refuses: { 'another user’s payment': withPayment(path, 'pay', 'otherUser') },
  // It depends on timing whether the gateway's own status has arrived before the call.
  ignoredFields: ['bpms_status'],
})

const checkPath = (id: string) => `/verification/check-verification-status/${id}`

export const verificationCases: CasesOf<typeof verification> = {
  checkCertificate: {
    succeeds: newVerificationCall,
    also: { 'a certificate that is already paid for': sharedVerificationCall },
    refuses: {
      'an unknown number': callBy('user', { body: UNKNOWN_NUMBER }),
      'a certificate that the letter cannot print': unprintableCall,
      'an invalid number': callBy('user', { body: { certificate_number: 'x' } }),
      'a number with dashes': callBy('user', { body: { certificate_number: 'UG-1901-00001' } }),
      'a number with spaces': callBy('user', { body: { certificate_number: 'UG 1901 00001' } }),
    },
  },
  processPayment: {
    succeeds: newVerificationCall,
    also: {
      'a certificate that is already paid for': sharedVerificationCall,
      'a certificate with an open payment': openPaymentCall,
      'an unknown number': callBy('user', { body: UNKNOWN_NUMBER }),
      'an unknown number with dashes': callBy('user', { body: { certificate_number: 'UG-1901-00001' } }),
    },
    refuses: { 'a certificate that the letter cannot print': unprintableCall },
    ignoredFields: ['payment_data'],
  },
  checkStatus: {
    ...statusCases(checkPath),
    also: {
      ...statusCases(checkPath).also,
      'with a certificate number': async fixture => {
        const { number, transaction_id } = await fixture.sharedVerification()
        const path = `${checkPath(transaction_id)}?certificate_number=${encodeURIComponent(number)}`
        return { token: (await fixture.user()).token, path }
      },
    },
    refuses: {
      ...statusCases(checkPath).refuses,
      'a number that is not in the payment': async fixture => {
        const { transaction_id } = await fixture.sharedVerification()
        const path = `${checkPath(transaction_id)}?certificate_number=UG/1901/00001`
        return { token: (await fixture.user()).token, path }
      },
    },
  },
  paymentStatus: statusCases(id => `/verification/payment-status/${id}`),
  publicPaymentStatus: {
    ...statusCases(id => `/verification/public/payment-status/${id}`),
    refuses: {
      'an unknown ID': () => ({ path: `/verification/public/payment-status/CVF${'0'.repeat(21)}` }),
    },
  },
  history: {
    // The history is newest first, so its first entry is the most recent payment or failure.
    succeeds: async fixture => {
      const account = await fixture.user()
      await fixture.payForVerification(account)
      return { token: account.token }
    },
    also: {
      'a failed payment': async fixture => {
        const account = await fixture.user()
        await fixture.endPayment(account, await fixture.startPayment(account), 'decline')
        return { token: account.token }
      },
      'an empty history': async fixture => ({ token: (await fixture.otherUser()).token }),
      'a search by number': async fixture => {
        const account = await fixture.user()
        const { number } = await fixture.payForVerification(account)
        const search = encodeURIComponent(number)
        return {
          token: account.token,
          path: `/verification/history?outcome=success&sort=certificate_number&search=${search}`,
        }
      },
      'a period without verifications': async fixture => ({
        token: (await fixture.user()).token,
        path: '/verification/history?date_from=2001-01-01&date_to=2001-01-31',
      }),
    },
    refuses: {
      'an unknown outcome': callBy('user', { path: '/verification/history?outcome=lost' }),
      'an unknown sort order': callBy('user', { path: '/verification/history?sort=grade' }),
    },
  },
  statistics: { succeeds: callWithHistory },
  settings: { succeeds: () => ({}) },
}

async function callWithHistory(fixture: ParityFixture): Promise<Call> {
  await fixture.sharedVerification()
  return { token: (await fixture.user()).token }
}

const createTwoNumbers = async (fixture: ParityFixture) => {
  const [first, second] = [await fixture.certificate(), await fixture.certificate()]
  return [first.certificate_number, second.certificate_number]
}

const withUnprintable: MakeCall = async fixture => {
  const { certificate_number } = await fixture.certificate()
  const body = { certificate_numbers: [await fixture.newUnprintableNumber(), certificate_number] }
  return { token: (await fixture.user()).token, body }
}

async function startBulk(fixture: ParityFixture, { token }: Account) {
  const body = { certificate_numbers: await createTwoNumbers(fixture) }
  return await fixture.callOk('POST', '/verification/process-bulk-payment', { token, body })
}

export const bulkCases: CasesOf<typeof bulkVerification> = {
  check: {
    succeeds: async fixture => ({
      token: (await fixture.user()).token,
      body: { certificate_numbers: await createTwoNumbers(fixture) },
    }),
    also: {
      'a certificate that is already paid for': async fixture => ({
        token: (await fixture.user()).token,
        body: { certificate_numbers: [(await fixture.sharedVerification()).number] },
      }),
      'an unknown number': callBy('user', { body: { certificate_numbers: ['UG/1901/00001'] } }),
      'a certificate that the letter cannot print': withUnprintable,
      'an invalid number': callBy('user', { body: { certificate_numbers: ['x', 'x'] } }),
      'numbers as typed': callBy('user', {
        body: { certificate_numbers: [' ug \\ 1901/00001. ', 'UG-1901-00001', 'UG 1901 00001'] },
      }),
      'a certificate with an open payment': async fixture => {
        const account = await fixture.user()
        return {
          token: account.token,
          body: { certificate_numbers: [(await fixture.startPayment(account)).number] },
        }
      },
    },
    refuses: {
      'no numbers': callBy('user', { body: { certificate_numbers: [] } }),
      'too many numbers': callBy('user', {
        body: { certificate_numbers: Array.from({ length: 501 }, () => 'x') },
      }),
    },
  },
  pay: {
    succeeds: async fixture => ({
      token: (await fixture.user()).token,
      body: { certificate_numbers: await createTwoNumbers(fixture) },
    }),
    also: {
      'nothing left to pay': async fixture => ({
        token: (await fixture.user()).token,
        body: { certificate_numbers: [(await fixture.sharedVerification()).number] },
      }),
      'a certificate that the letter cannot print': withUnprintable,
      'only unknown numbers': callBy('user', { body: { certificate_numbers: ['UG/1901/00001'] } }),
      'a payment that was already started': async fixture => {
        const account = await fixture.user()
        const { items } = await startBulk(fixture, account)
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
    succeeds: async fixture => ({
      token: (await fixture.user()).token,
      path: `/verification/certificate/${(await fixture.sharedVerification()).certificateId}`,
    }),
    refuses: {
      'a certificate that the caller has not paid for': async fixture => ({
        token: (await fixture.otherUser()).token,
        path: `/verification/certificate/${(await fixture.sharedVerification()).certificateId}`,
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
  requeryAllPending: { succeeds: async fixture => ({ token: (await fixture.otherUser()).token }) },
  search: {
    succeeds: async fixture => ({
      token: (await fixture.user()).token,
      path: `/verification/transactions/search?transaction_id=${(await fixture.sharedVerification()).transaction_id}`,
    }),
    also: {
      'filtered by the gateway’s status': callBy('user', {
        path: '/verification/transactions/search?status=CANCELLED&limit=1&date_to=2001-01-01',
      }),
      'as staff': async fixture => ({
        token: await fixture.admin(),
        path: `/verification/transactions/search?transaction_id=${(await fixture.sharedVerification()).transaction_id}`,
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
