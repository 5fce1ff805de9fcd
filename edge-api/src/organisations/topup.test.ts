import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findViolations, openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { syncWithGateway } from '../payments/sync.ts'

const FEE = 5000

let setup: TestSetup
let portal: TestPortal
let id: string
let token: string
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
  const newOrganisation = await portal.createOrganisation()
  id = newOrganisation.id
  token = newOrganisation.owner.token
})
afterEach(() => setup.close())

const startTopup = async (amount: number): Promise<{ transaction_id: string; payment_reference: string }> =>
  portal.callOk('POST', `/organisations/${id}/topups`, { token, body: { amount } })

/** Sets the state of a payment at the gateway, and syncs the payment. */
async function reportFromGateway(
  reference: string,
  ...outcome: [Parameters<TestSetup['gateway']['setOutcome']>[1], object?]
) {
  setup.gateway.setOutcome(reference, ...outcome)
  await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  expect(await findViolations(setup)).toEqual([])
}

const readBalance = async () => portal.callOk('GET', `/organisations/${id}/balance`, { token })
const amountPaidOf = (minor: number, currency = 'NGN') => ({ amountPaid: { minor, currency } })

describe('a top-up', () => {
  test('is started once per idempotency key, and a repeated request is marked as replayed', async () => {
    const headers = { 'idempotency-key': 'one' }
    const post = (amount: number) =>
      portal.call('POST', `/organisations/${id}/topups`, { token, body: { amount }, headers })
    const first = await post(10_000)
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    await reportFromGateway(first.body.payment_reference, 'failed')
    const secondReply = await post(10_000)
    expect(secondReply.body.transaction_id).toBe(first.body.transaction_id)
    expect(secondReply.headers.get('idempotent-replayed')).toBe('true')
    expect(await post(20_000)).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_MISMATCH' } })
    expect((await startTopup(10_000)).transaction_id).not.toBe(first.body.transaction_id)
  })

  test('credits the amount received, even if larger or late; another request for the same amount continues the attempt', {
    tags: ['ORGANISATION-13'],
  }, async () => {
    const first = await startTopup(10_000)
    expect((await startTopup(10_000)).transaction_id).toBe(first.transaction_id)
    await reportFromGateway(first.payment_reference, 'succeeded', amountPaidOf(1_200_000))
    expect(await readBalance()).toMatchObject({ balance: 12_000 })
    const second = await startTopup(10_000)
    expect(second.transaction_id).not.toBe(first.transaction_id)
    setup.ports.time += 86_400_000
    await reportFromGateway(second.payment_reference, 'expired')
    await reportFromGateway(second.payment_reference, 'succeeded', amountPaidOf(1_000_000))
    expect(await readBalance()).toMatchObject({ balance: 22_000 })
  })

  test('of another amount is a separate attempt: both are paid at the same time, and both are credited', {
    tags: ['ORGANISATION-12'],
  }, async () => {
    const topups = [await startTopup(10_000), await startTopup(20_000)]
    await Promise.all(
      topups.map(({ payment_reference: reference }) => {
        setup.gateway.setOutcome(reference, 'succeeded')
        return syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
      }),
    )
    expect(await findViolations(setup)).toEqual([])
    expect(await readBalance()).toMatchObject({ balance: 30_000 })
    const { movements } = await portal.callOk('GET', `/organisations/${id}/movements`, { token })
    expect(new Set(movements.map((movement: { transaction_id: string }) => movement.transaction_id))).toEqual(
      new Set(topups.map(item => item.transaction_id)),
    )
  })

  test.each([
    ['only in part', amountPaidOf(999_999)],
    ['in another currency', amountPaidOf(1_000_000, 'USD')],
  ])(
    'that is paid %s is not credited, and a refund is due',
    { tags: ['ORGANISATION-13'] },
    async (_, response) => {
      const { transaction_id, payment_reference } = await startTopup(10_000)
      await reportFromGateway(payment_reference, 'succeeded', response)
      expect(await readBalance()).toMatchObject({ balance: 0 })
      const topup = await portal.callOk('GET', `/organisations/${id}/topups/${transaction_id}`, { token })
      expect(topup).toMatchObject({ status: 'pending', resolution: 'refund_due' })
      const { rows } = await setup.database.client.execute(
        "select link from notifications where kind = 'refund_due'",
      )
      expect(rows.map(({ link }) => link)).toEqual([`/dashboard/organisations/${id}/billing`])
    },
  )

  test('that is paid after the organisation was closed is due for a refund', {
    tags: ['ORGANISATION-13'],
  }, async () => {
    const { payment_reference } = await startTopup(10_000)
    await setup.database.client.execute({
      sql: "update organisations set state = 'closed' where id = ?",
      args: [id],
    })
    await reportFromGateway(payment_reference, 'succeeded')
    const { refunds } = await setup.readRows()
    expect(refunds.map(({ reason, amountMinor }) => [reason, amountMinor])).toEqual([
      ['organisation_closed', 1_000_000],
    ])
    expect(await readBalance()).toMatchObject({ balance: 0 })
  })

  test('that is charged back after it was spent becomes debt, which blocks charges and is paid by the next credit', {
    tags: ['ORGANISATION-14'],
  }, async () => {
    const { payment_reference, transaction_id } = await startTopup(10_000)
    await reportFromGateway(payment_reference, 'succeeded')
    const verify = async () =>
      portal.call('POST', `/organisations/${id}/verifications`, {
        token,
        body: { certificate_number: await setup.newCertificate() },
      })
    expect((await verify()).status).toBe(201)
    await reportFromGateway(payment_reference, 'reversed')
    expect(await readBalance()).toMatchObject({ balance: 0, debt: FEE })
    await portal.fund(id, 3000)
    expect(await readBalance()).toMatchObject({ balance: 0, debt: 2000 })
    expect((await verify()).body.code).toBe('INSUFFICIENT_BALANCE')
    // The bank reverses the chargeback, which pays the rest of the debt.
    await reportFromGateway(payment_reference, 'succeeded')
    expect(await readBalance()).toMatchObject({ balance: 8000, debt: 0 })
    expect((await verify()).status).toBe(201)
    const tracked = await portal.callOk('GET', `/verification/public/payment-status/${transaction_id}`)
    expect(tracked.certificate_number).toBe('')
  })

  test('can be requeried and reconciled by staff, and read by its payer like any payment', async () => {
    const admin = await portal.createCaller('admin')
    const { transaction_id, payment_reference } = await startTopup(10_000)
    const topup = { transaction_id, payment_reference, certificate_number: '', certificate: null, items: [] }
    for (const reader of [token, admin.token])
      for (const path of ['check-verification-status', 'payment-status']) {
        const status = await portal.callOk('GET', `/verification/${path}/${transaction_id}`, {
          token: reader,
        })
        expect(status).toMatchObject({ ...topup, status: 'pending', amount_due: 10_000, paid_at: null })
      }
    const stranger = await portal.createCaller()
    const hiddenReply = await portal.call('GET', `/verification/payment-status/${transaction_id}`, {
      token: stranger.token,
    })
    expect(hiddenReply).toMatchObject({ status: 404, body: { code: 'TRANSACTION_NOT_FOUND' } })

    setup.gateway.setOutcome(payment_reference, 'succeeded')
    setup.ports.time += 6000
    const requery = `/verification/bpms/check/${transaction_id}`
    expect(await portal.callOk('POST', requery, { token })).toMatchObject({ ...topup, status: 'paid' })
    expect(await portal.callOk('POST', requery, { token: admin.token })).toMatchObject({ status: 'paid' })
    expect(
      await portal.callOk('POST', `/admin/bpms/reconcile/${transaction_id}`, { token: admin.token }),
    ).toMatchObject({ transaction_id, status: 'paid', amount_paid: 10_000, updated: false, mismatches: [] })
    expect(await readBalance()).toMatchObject({ balance: 10_000 })
  })

  test('by bank transfer cannot be reconciled, because the gateway does not know it; reconciling a charge changes nothing', async () => {
    const admin = await portal.createCaller('admin')
    const transfer = await portal.fund(id, 50_000)
    for (const path of ['/verification/bpms/check/', '/admin/bpms/reconcile/'])
      expect(await portal.call('POST', `${path}${transfer}`, { token: admin.token })).toMatchObject({
        status: 404,
        body: { code: 'TRANSACTION_NOT_FOUND' },
      })
    const { verification } = await portal.callOk('POST', `/organisations/${id}/verifications`, {
      token,
      body: { certificate_number: await setup.newCertificate() },
    })
    const reconciled = await portal.callOk('POST', `/admin/bpms/reconcile/${verification.transaction_id}`, {
      token: admin.token,
    })
    expect(reconciled).toMatchObject({ status: 'paid', updated: false, mismatches: [] })
  })
})
