import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFakePaystack } from '../../test/gateways/fake-paystack.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { paystackGateway } from '../adapters/gateway-paystack.ts'
import { notifications } from '../db/schema/accounts.ts'
import { activityLog } from '../db/schema/activity.ts'
import { disputes } from '../db/schema/disputes.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { insertCallback } from '../payments/inbox-store.ts'
import { approveRefund } from '../payments/refund-approval.ts'
import { syncWithGateway } from '../payments/sync.ts'
import { queueAnswer, saveNote } from './answers.ts'
import { processDispute, processDueDisputes } from './queue.ts'

/* Tests disputes through the core and the adapter, with a fake Paystack. */

const HOUR = 3_600_000
let fake: Awaited<ReturnType<typeof startFakePaystack>>
let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
  fake = await startFakePaystack(() => setup.ports.time)
  const { url } = fake.server
  const { secretKey } = fake
  const paystack = paystackGateway({ url, checkoutUrl: url, secretKey, fetch, allowLoopback: true })
  // Payments of the test set-up are started at its default provider, so Paystack takes its place.
  setup.ports.gateways = { sandbox: paystack }
  await setup.newUser('admin')
})
afterEach(async () => {
  await setup.close()
  await fake.server.close()
})

const readDisputes = () => setup.database.read.select().from(disputes)
const onlyDispute = async () => {
  const [row] = await readDisputes()
  if (!row) throw new Error('no dispute')
  return row
}
const runJobs = () => runScheduledJobs(setup.ports, setup.database)
async function runJobsAfter(milliseconds: number) {
  setup.ports.time += milliseconds
  await runJobs()
}

async function newPaidPayment(minor = 500_000) {
  const started = await setup.newPayment()
  const { reference } = started
  fake.endPayment(reference, 'success', { amount: minor })
  await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  return started
}

type OpenedDispute = ReturnType<typeof fake.disputes.open>

/** Stores a callback that the gateway has signed, as the route does. */
async function callBack(dispute: OpenedDispute, event: string) {
  const { raw, headers } = fake.disputes.callBack(dispute, event, fake.secretKey)
  const gateway = setup.ports.gateways.sandbox
  const webhook = await gateway?.parseWebhook(
    new TextEncoder().encode(raw),
    new Headers(headers),
    setup.ports.time,
  )
  if (!webhook?.verified) throw new Error('not verified')
  const { eventKey, reference, disputeId } = webhook
  const receivedAt = setup.ports.time
  await setup.database.write(tx =>
    insertCallback(tx, { provider: 'sandbox', eventKey, reference, disputeId, raw, receivedAt }),
  )
}

async function newDispute(minor?: number, changes?: Partial<OpenedDispute>) {
  const started = await newPaidPayment(minor)
  const dispute = fake.disputes.open(started.reference, changes)
  await callBack(dispute, 'charge.dispute.create')
  await runJobs()
  return { ...started, dispute, ...(await onlyDispute()) }
}

async function answer(kind: 'accept' | 'contest', note = '') {
  const { id } = await onlyDispute()
  const user = { id: 'boss', email: 'boss@users.test' }
  const call = { db: setup.database, ports: setup.ports, address: '192.0.2.1', requestId: 'r', user }
  await queueAnswer(call, { id, answer: kind, note })
  return processDispute(setup.ports, setup.database, id)
}

async function readBalances() {
  const { ledger } = await setup.readRows()
  const found = new Map<string, number>()
  for (const { account, amountMinor } of ledger) found.set(account, (found.get(account) ?? 0) + amountMinor)
  expect([...found.values()].reduce((sum, item) => sum + item, 0)).toBe(0)
  // Adds the gateway's fee to the clearing account, so that the balances do not depend on it.
  found.set('gateway_clearing', (found.get('gateway_clearing') ?? 0) + (found.get('fees') ?? 0))
  found.delete('fees')
  return Object.fromEntries([...found].filter(([, minor]) => minor !== 0))
}

const listNotifications = async (kind: string) =>
  (await setup.database.read.select().from(notifications)).filter(item => item.kind === kind)
const listMails = async () =>
  (await setup.readRows()).outbox.filter(({ dedupeKey }) => dedupeKey?.startsWith('dispute:'))

describe('a dispute is found', () => {
  test('by its callback, with the figures of the API, and staff are notified once', async () => {
    const { reference } = await newPaidPayment()
    const dispute = fake.disputes.open(reference, { amount: 300_000 })
    await callBack(dispute, 'charge.dispute.create')
    await callBack(dispute, 'charge.dispute.create')
    await callBack(dispute, 'charge.dispute.remind')
    await runJobs()
    expect(await readDisputes()).toMatchObject([
      {
        state: 'open',
        providerDisputeId: '358950',
        amountMinor: 300_000,
        heldMinor: 300_000,
        dueAt: Date.parse(dispute.dueAt ?? ''),
        reason: 'Customer complained about debit without value',
      },
    ])
    expect(await listNotifications('dispute_opened')).toHaveLength(1)
    expect(await listMails()).toHaveLength(1)
    expect((await listNotifications('dispute_opened'))[0]?.body).toContain(reference)
    expect(await readBalances()).toEqual({ gateway_clearing: 200_000, disputes: 300_000, revenue: -500_000 })
  })

  test('without its callback, in the list of the gateway', async () => {
    const { reference } = await newPaidPayment()
    await runJobs()
    fake.disputes.open(reference)
    await runJobs()
    expect(await readDisputes()).toEqual([])
    await runJobsAfter(16 * 60_000)
    expect(await readDisputes()).toMatchObject([{ state: 'open', amountMinor: 500_000 }])
  })

  test('despite an unreadable entry in the list, which is read later', async () => {
    const [malformed, valid] = [await newPaidPayment(), await newPaidPayment()]
    await runJobs()
    const dispute = fake.disputes.open(malformed.reference, { status: '' })
    const validDispute = fake.disputes.open(valid.reference)
    await runJobsAfter(16 * 60_000)
    expect(await readDisputes()).toMatchObject([{ providerDisputeId: String(validDispute.id) }])
    dispute.status = 'awaiting-merchant-feedback'
    await runJobsAfter(60 * 60_000)
    expect(await readDisputes()).toHaveLength(2)
  })

  test('after it has ended, if callbacks arrive in the wrong order', async () => {
    const { reference } = await newPaidPayment()
    const dispute = fake.disputes.open(reference)
    Object.assign(dispute, { status: 'resolved', resolution: 'auto-accepted', amount: 500_000 })
    await callBack(dispute, 'charge.dispute.resolve')
    await callBack(dispute, 'charge.dispute.create')
    await runJobs()
    expect(await readDisputes()).toMatchObject([{ state: 'expired', lostMinor: 500_000, heldMinor: 0 }])
    expect(await listNotifications('dispute_opened')).toEqual([])
    expect(await listNotifications('dispute_ended')).toHaveLength(1)
  })

  test('but only logged if the portal does not know the payment', async () => {
    const { reference } = await newPaidPayment()
    fake.disputes.open(reference)
    await setup.database.client.execute("update payments set provider_reference = 'OTHER'")
    await runJobs()
    expect(await readDisputes()).toEqual([])
    expect(setup.ports.lines).toContainEqual(expect.objectContaining({ event: 'dispute_of_unknown_payment' }))
  })
})

describe('an answer', () => {
  test('that contests the dispute sends the file, the evidence and the note, and nothing is recorded as lost', async () => {
    await newDispute()
    await answer('contest', 'Opened by three people.')
    expect(fake.disputes.resolutions).toMatchObject([
      { resolution: 'declined', message: 'Opened by three people.', refund_amount: 0, evidence: 21 },
    ])
    const [file] = fake.disputes.files.values()
    expect(file?.type).toBe('application/pdf')
    expect(fake.disputes.evidence).toMatchObject([
      {
        customer_email: expect.stringContaining('@'),
        service_details: expect.stringContaining('certificate'),
      },
    ])
    expect(await onlyDispute()).toMatchObject({ state: 'contested', answer: 'contest', heldMinor: 500_000 })
    expect(await readBalances()).toEqual({ disputes: 500_000, revenue: -500_000 })
    await runJobsAfter(46 * 24 * HOUR)
    expect(await onlyDispute()).toMatchObject({ state: 'won', heldMinor: 0 })
    expect(await readBalances()).toEqual({ gateway_clearing: 500_000, revenue: -500_000 })
    expect((await setup.readRows()).letters).toMatchObject([{ status: 'valid' }])
  })

  test('that accepts the dispute reverses the payment and withdraws its letter once, even if the gateway lists other states later', async () => {
    const { reference } = await newDispute()
    await answer('accept')
    expect(fake.disputes.resolutions).toMatchObject([
      { resolution: 'merchant-accepted', refund_amount: 500_000 },
    ])
    expect(await onlyDispute()).toMatchObject({ state: 'accepted', lostMinor: 500_000 })
    const expectReversal = async () => {
      const rows = await setup.readRows()
      expect(rows.payments).toMatchObject([{ status: 'reversed' }])
      expect(rows.letters).toMatchObject([{ status: 'withdrawn' }])
      expect(await readBalances()).toEqual({})
      expect(rows.refunds).toEqual([])
    }
    await expectReversal()
    // The gateway lists the refund days later. Until then, it reports the transaction as successful.
    await syncWithGateway(setup.ports, setup.database, { reference }, 'reconcile')
    await expectReversal()
    fake.endPayment(reference, 'reversed', { amount: 500_000 })
    await syncWithGateway(setup.ports, setup.database, { reference }, 'reconcile')
    await expectReversal()
  })

  test('that loses part of the payment does not withdraw the letter', async () => {
    await newDispute(500_000, { amount: 200_000 })
    await answer('accept')
    const rows = await setup.readRows()
    expect(rows.payments).toMatchObject([{ status: 'paid' }])
    expect(rows.letters).toMatchObject([{ status: 'valid' }])
    expect(await readBalances()).toEqual({ gateway_clearing: 300_000, revenue: -300_000 })
  })

  test('is stored while the gateway is down, and sent once it is available again', async () => {
    await newDispute()
    fake.server.fault = '500'
    expect(await answer('accept')).toMatchObject({ reason: expect.any(String) })
    expect(await onlyDispute()).toMatchObject({ state: 'open', answer: 'accept', acknowledgedAt: null })
    fake.server.fault = undefined
    await runJobsAfter(20 * 60_000)
    expect(await onlyDispute()).toMatchObject({ state: 'accepted' })
    expect(fake.disputes.resolutions).toHaveLength(1)
  })

  test('whose confirmation was lost is looked up at the gateway, and not sent again', async () => {
    await newDispute()
    // The gateway receives everything, and the process dies before it gets the response.
    fake.server.affectedPaths = /resolve$/
    fake.server.fault = 'closed'
    await answer('contest')
    fake.server.fault = undefined
    expect(fake.disputes.resolutions).toHaveLength(1)
    expect(await onlyDispute()).toMatchObject({ acknowledgedAt: null })
    await runJobsAfter(20 * 60_000)
    expect(await onlyDispute()).toMatchObject({ state: 'contested' })
    expect(fake.disputes.resolutions).toHaveLength(1)
    expect(fake.disputes.evidence).toHaveLength(1)
  })

  test('sent twice at the same time arrives once', async () => {
    await newDispute()
    await Promise.allSettled([
      answer('contest'),
      answer('contest'),
      processDueDisputes(setup.ports, setup.database),
    ])
    await runJobsAfter(20 * 60_000)
    expect(fake.disputes.resolutions).toHaveLength(1)
  })

  test('that comes too late is reported as such', async () => {
    const { dispute } = await newDispute()
    Object.assign(dispute, { status: 'resolved', resolution: 'auto-accepted', amount: 500_000 })
    await answer('contest')
    expect(await onlyDispute()).toMatchObject({ state: 'expired', lostMinor: 500_000 })
    expect(fake.disputes.resolutions).toEqual([])
  })

  test('and a note are refused once an answer has been confirmed', async () => {
    const { id } = await newDispute()
    await answer('contest')
    await expect(answer('accept')).rejects.toMatchObject({ code: 'DISPUTE_CLOSED' })
    const user = { id: 'boss', email: 'boss@users.test' }
    const call = { db: setup.database, ports: setup.ports, address: '', requestId: 'r', user }
    await expect(saveNote(call, { id, note: 'late' })).rejects.toMatchObject({ code: 'DISPUTE_CLOSED' })
  })
})

describe('after an answer', () => {
  test('the bank can open the dispute again, with a new deadline', async () => {
    const { dispute } = await newDispute()
    await answer('contest')
    const dueAt = new Date(setup.ports.time + 72 * HOUR).toISOString()
    Object.assign(dispute, {
      status: 'awaiting-merchant-feedback',
      resolution: null,
      resolvedAt: null,
      dueAt,
    })
    await callBack(dispute, 'charge.dispute.remind')
    await runJobs()
    expect(await onlyDispute()).toMatchObject({ state: 'open', answer: null, dueAt: Date.parse(dueAt) })
    expect(await listNotifications('dispute_opened')).toHaveLength(2)
    await answer('accept')
    expect(await onlyDispute()).toMatchObject({ state: 'accepted' })
  })

  test('money that is returned after a loss is due to the payer, while the letter is withdrawn', async () => {
    const { dispute } = await newDispute()
    await answer('accept')
    Object.assign(dispute, {
      resolution: 'declined',
      resolvedAt: new Date(setup.ports.time - 46 * 24 * HOUR).toISOString(),
    })
    await callBack(dispute, 'charge.dispute.resolve')
    await runJobs()
    expect(await onlyDispute()).toMatchObject({ state: 'won', lostMinor: 0 })
    const { refunds } = await setup.readRows()
    expect(refunds).toMatchObject([{ reason: 'reversal_undone', amountMinor: 500_000 }])
  })
})

describe('with refunds', () => {
  const boss = { id: 'boss', email: 'boss@users.test' }
  const approve = (id: string, bankReference: string | null = null) =>
    approveRefund(setup.ports, setup.database, {
      id,
      actor: boss,
      bankReference,
      address: '',
      requestId: 'r',
    })

  test('a disputed payment cannot also be refunded by the gateway', async () => {
    await newDispute(600_000, { amount: 100_000 })
    const [refund] = (await setup.readRows()).refunds
    await expect(approve(refund?.id ?? '')).rejects.toMatchObject({ code: 'PAYMENT_DISPUTED' })
    expect(fake.refunded).toEqual([])
    // Accepting the dispute already refunds the payer.
    await answer('accept')
    expect((await setup.readRows()).refunds).toMatchObject([{ status: 'processed' }])
    expect(await readBalances()).toEqual({ gateway_clearing: 500_000, revenue: -500_000 })
  })

  test('earlier refunds are reported, and accepting does not return them twice', async () => {
    const { reference } = await newPaidPayment(600_000)
    const [refund] = (await setup.readRows()).refunds
    await approve(refund?.id ?? '')
    const dispute = fake.disputes.open(reference, { amount: 100_000 })
    await callBack(dispute, 'charge.dispute.create')
    await runJobs()
    expect((await listNotifications('dispute_opened'))[0]?.body).toContain('has already been refunded')
    await expect(answer('accept')).rejects.toMatchObject({ code: 'DISPUTE_ALREADY_REFUNDED' })
    await answer('contest')
    expect(await onlyDispute()).toMatchObject({ state: 'contested' })
  })
})

describe('reminders', () => {
  test('are sent to staff halfway to the deadline and four hours before it, once each', async () => {
    await newDispute()
    await runJobsAfter(7 * HOUR)
    expect(await listNotifications('dispute_due')).toEqual([])
    await runJobsAfter(HOUR)
    await runJobsAfter(10 * 60_000)
    expect(await listNotifications('dispute_due')).toHaveLength(1)
    await runJobsAfter(4 * HOUR)
    await runJobsAfter(HOUR)
    expect(await listNotifications('dispute_due')).toHaveLength(2)
    expect(await listMails()).toHaveLength(3)
    expect(
      (await setup.database.read.select().from(activityLog)).filter(
        ({ activity }) => activity === 'Payment dispute reminder sent',
      ),
    ).toHaveLength(2)
  })

  test('are not sent for an answered dispute, which ends when the gateway reports its outcome', async () => {
    const { dispute } = await newDispute()
    await answer('contest')
    await runJobsAfter(13 * HOUR)
    expect(await listNotifications('dispute_due')).toEqual([])
    Object.assign(dispute, { status: 'resolved', resolution: 'auto-accepted' })
    await runJobsAfter(25 * HOUR)
    expect(await listNotifications('dispute_ended')).toHaveLength(1)
  })

  test('are not sent for times before the dispute was found, which is reported once', async () => {
    const { reference } = await newPaidPayment()
    const dueAt = new Date(setup.ports.time + HOUR).toISOString()
    fake.disputes.open(reference, { dueAt, createdAt: new Date(setup.ports.time - 15 * HOUR).toISOString() })
    await runJobs()
    await runJobsAfter(60_000)
    expect(await listNotifications('dispute_opened')).toHaveLength(1)
    expect(await listNotifications('dispute_due')).toEqual([])
  })
})
