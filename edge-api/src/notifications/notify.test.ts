import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { syncWithGateway } from '../payments/sync.ts'
import type { Principal } from '../principal.ts'
import { linkToPayment } from './links.ts'
import { listNotifications } from './store.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const syncPayment = (reference: string) =>
  syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')

async function notificationsOf({ id }: Pick<Principal, 'id'>) {
  const { rows } = await listNotifications(setup.database.read, { userId: id, page: 1, perPage: 100 })
  return rows.map(({ kind, title, body, link }) => ({ kind, title, body, link }))
}

async function endPayment(
  ...[outcome, response]: Parameters<TestSetup['gateway']['setOutcome']> extends [string, ...infer R]
    ? R
    : never
) {
  const payment = await setup.newPayment()
  setup.gateway.setOutcome(payment.reference, outcome, response)
  await syncPayment(payment.reference)
  return { ...payment, notifications: await notificationsOf(payment.user) }
}

async function newAdmin() {
  const admin = await setup.newUser()
  await setup.database.client.execute({
    sql: "update users set role = 'admin' where id = ?",
    args: [admin.id],
  })
  return admin
}

describe('notifies the payer', () => {
  test('exactly once, even after several callbacks, that the certificate is verified', async () => {
    const { number, reference, user } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded')
    await Promise.all(Array.from({ length: 10 }, () => syncPayment(reference)))
    expect(await notificationsOf(user)).toEqual([
      {
        kind: 'verified',
        title: 'Certificate verified',
        body: `${number}: the official letter is ready to print.`,
        link: '/dashboard/history',
      },
    ])
  })

  test('that more was paid than due', async () => {
    const paid = await endPayment('succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
    expect(paid.notifications).toMatchObject([
      { kind: 'verified', body: expect.stringContaining('You paid ₦1.00 too much; it will be refunded.') },
    ])
  })

  test('that the number was not found, if the policy charges for that result', async () => {
    await setup.setPolicy('charge')
    const { number, reference, user } = await setup.newPayment()
    await setup.removeCertificate(number)
    setup.gateway.setOutcome(reference, 'succeeded')
    await syncPayment(reference)
    expect(await notificationsOf(user)).toMatchObject([
      {
        kind: 'not_found',
        title: 'Certificate not found',
        body: `${number}: not found in our register. Payment reference ${reference}.`,
      },
    ])
  })

  test('of a refund due for a certificate that was deleted', async () => {
    const { number, reference, user } = await setup.newPayment()
    await setup.removeCertificate(number)
    setup.gateway.setOutcome(reference, 'succeeded')
    await syncPayment(reference)
    expect(await notificationsOf(user)).toMatchObject([
      {
        kind: 'refund_due',
        title: 'Refund due',
        body: expect.stringContaining('₦5,000.00 will be refunded.'),
      },
    ])
  })

  test('why a payment failed', async () => {
    const failed = await endPayment('failed', { declineCode: 'INSUFFICIENT_FUNDS', code: '51' })
    expect(failed.notifications).toEqual([
      {
        kind: 'payment_failed',
        title: 'Payment failed',
        body: `${failed.number}: Insufficient funds. Please check your account balance.`,
        link: '/dashboard/verify',
      },
    ])
  })

  test('that a payment expired, but not that it was cancelled', async () => {
    expect((await endPayment('expired')).notifications).toMatchObject([
      { kind: 'payment_expired', title: 'Payment expired' },
    ])
    expect((await endPayment('cancelled')).notifications).toEqual([])
  })

  test('that the gateway reversed the payment', async () => {
    const { reference, user } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded')
    await syncPayment(reference)
    setup.gateway.setOutcome(reference, 'reversed')
    await syncPayment(reference)
    const titles = (await notificationsOf(user)).map(({ title }) => title)
    // A paid payment is only requeried by reconciliation or after a callback, as here.
    expect(titles).toEqual(['Payment reversed', 'Certificate verified'])
  })
})

test('a mismatched payment notifies the payer of the refund and all administrators of the mismatch', async () => {
  const [admin, otherAdmin] = [await newAdmin(), await newAdmin()]
  const underpayment = await endPayment('succeeded', { amountPaid: { minor: 499_999, currency: 'NGN' } })
  expect(underpayment.notifications).toMatchObject([
    {
      kind: 'refund_due',
      body: expect.stringContaining('we received ₦4,999.99 instead of ₦5,000.00. It will be refunded.'),
    },
  ])
  const forStaff = [
    {
      kind: 'payment_mismatch',
      title: 'Payment does not match',
      body: `Payment ${underpayment.reference}: expected ₦5,000.00, received ₦4,999.99.`,
      link: linkToPayment(underpayment.transactionId),
    },
  ]
  expect(await notificationsOf(admin)).toEqual(forStaff)
  expect(await notificationsOf(otherAdmin)).toEqual(forStaff)
})

test('staff notifications link only to screens that their role can open', async () => {
  const { reference, user } = await setup.newPayment()
  await setup.database.client.execute({
    sql: "update users set role = 'admin' where id = ?",
    args: [user.id],
  })
  setup.gateway.setOutcome(reference, 'succeeded')
  await syncPayment(reference)
  expect(await notificationsOf(user)).toMatchObject([{ kind: 'verified', link: null }])
})
