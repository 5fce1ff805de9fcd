import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPage } from '../../test/gateways/candidate.ts'
import { fakeBpms } from '../../test/gateways/fake-bpms.ts'
import { fakeInterswitch } from '../../test/gateways/fake-interswitch.ts'
import { fakePaystack } from '../../test/gateways/fake-paystack.ts'
import { fakeSandbox } from '../../test/gateways/fake-sandbox.ts'
import type { FakeGateway, Fault } from '../../test/gateways/fake-server.ts'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { recount } from '../../test/recount.ts'
import type { PaymentGateway } from '../payment-gateway.ts'
import { settle } from '../payments/settle.ts'
import { bpmsGateway } from './gateway-bpms.ts'
import { interswitchGateway } from './gateway-interswitch.ts'
import { paystackGateway } from './gateway-paystack.ts'
import { sandboxGateway } from './gateway-sandbox.ts'

/*
 * The faults of a gateway, under the whole payment core, against the fake of every gateway over HTTP. The numbers are
 * those of the list in docs/quality.md. What only the core decides is in payments/faults.test.ts.
 */

interface Entry {
  name: string
  start: (now: () => number) => Promise<{ fake: FakeGateway; gateway: PaymentGateway }>
  approved: string
  declined: string
  /** What its answers name; one that names no currency cannot report another. */
  names: { currency: boolean; mode: boolean; fee?: boolean }
  /** Our server tells it of an order; else the payer's browser does. */
  startsByCall: boolean
}

const local = { fetch, allowLoopback: true }

const entries: Entry[] = [
  {
    name: 'sandbox',
    async start(now) {
      const fake = await fakeSandbox(now)
      const gateway = sandboxGateway({ url: fake.server.url, webhookSecret: 'secret-of-the-faults', fetch })
      return { fake, gateway }
    },
    approved: '00',
    declined: '51',
    names: { currency: true, mode: true },
    startsByCall: true,
  },
  {
    name: 'bpms',
    async start(now) {
      const fake = await fakeBpms()
      const { server, schoolCode, publicKey, privateKey } = fake
      const keys = { schoolCode, publicKey, privateKey, revenueCode: 'CV01', mode: 'test' as const }
      return { fake, gateway: bpmsGateway({ ...local, ...keys, url: `${server.url}/checkout`, now }) }
    },
    approved: '00',
    declined: '51',
    names: { currency: false, mode: false },
    startsByCall: false,
  },
  ...(['product', 'merchant'] as const).map(
    (variant): Entry => ({
      name: `interswitch (${variant})`,
      async start() {
        const fake = await fakeInterswitch(variant)
        const { server, productId, macKey, merchantCode, payItemId } = fake
        const gateway = interswitchGateway({
          ...local,
          payUrl: `${server.url}/collections/w/pay`,
          queryUrl: `${server.url}/collections/api/v1/gettransaction.json`,
          payItemId,
          account: variant === 'product' ? { productId, macKey } : { merchantCode },
          mode: 'test',
        })
        return { fake, gateway }
      },
      approved: '00',
      declined: '51',
      names: { currency: false, mode: false },
      startsByCall: false,
    }),
  ),
  {
    name: 'paystack',
    async start() {
      const fake = await fakePaystack()
      const { server, secretKey } = fake
      return {
        fake,
        gateway: paystackGateway({ ...local, url: server.url, checkoutUrl: server.url, secretKey }),
      }
    },
    approved: 'success',
    declined: 'failed',
    names: { currency: true, mode: true, fee: true },
    startsByCall: true,
  },
]

describe.each(entries)('$name', ({ start, approved, declined, names, startsByCall }) => {
  let bench: Bench
  let fake: FakeGateway
  beforeEach(async () => {
    bench = await openBench()
    const started = await start(() => bench.ports.time)
    fake = started.fake
    bench.ports.gateways = { sandbox: started.gateway }
  })
  afterEach(async () => {
    // Whatever went wrong, the books add up, and no more went out than came in.
    const { ledger } = await bench.rows()
    expect(ledger.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
    expect(await recount(bench.database.client)).toEqual([])
    await bench.close()
    await fake.server.close()
  })

  const hear = async (reference: string) =>
    (await settle(bench.ports, bench.database, { reference }, 'webhook'))?.payment
  const letters = async () => (await bench.rows()).letters.filter(({ status }) => status === 'valid').length
  const refunds = async () =>
    (await bench.rows()).refunds.map(({ reason, amountMinor }) => [reason, amountMinor])

  /** A payment whose payer has opened the gateway's page. */
  async function opened() {
    const payment = await bench.newPayment()
    const row = (await bench.rows()).payments.find(each => each.transactionId === payment.transactionId)
    const page = { paymentUrl: row?.paymentUrl ?? '', fields: row?.paymentFields ?? {} }
    expect(await openPage(page)).toBe(200)
    return payment
  }

  test('paid as asked: one letter, nothing due back', async () => {
    const { reference } = await opened()
    fake.settle(reference, approved)
    expect(await hear(reference)).toMatchObject({ status: 'paid', resolution: 'verified' })
    await hear(reference)
    expect([await letters(), await refunds()]).toEqual([1, []])
  })

  test.runIf(startsByCall).each<Fault>(['500', 'html', 'truncated', 'closed'])(
    'faults 1 and 2: a start answered by "%s" is never begun again; paid there, it is delivered',
    async fault => {
      const user = await bench.newUser()
      const number = await bench.newCertificate()
      fake.server.fault = fault
      await expect(bench.start(user, number)).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
      fake.server.fault = undefined
      const [row] = (await bench.rows()).payments
      const reference = row?.providerReference ?? ''
      expect(row?.status).toBe('unknown')
      if (fake.askedFor(reference) === undefined) return
      fake.settle(reference, approved)
      expect(await hear(reference)).toMatchObject({ status: 'paid', resolution: 'verified' })
    },
  )

  test.each<Fault>(['429', '500', 'html', 'truncated', 'empty object', 'closed', 'redirect', '404 page'])(
    'faults 3 and 4: a requery answered by "%s" decides nothing',
    async fault => {
      const { reference } = await opened()
      fake.settle(reference, approved)
      fake.server.fault = fault
      expect(await hear(reference)).toMatchObject({ status: 'pending' })
      fake.server.fault = undefined
      expect(await hear(reference)).toMatchObject({ status: 'paid' })
    },
  )

  test('fault 6 and 11: what fails after it was paid stays paid', async () => {
    const { reference } = await opened()
    fake.settle(reference, approved)
    await hear(reference)
    fake.settle(reference, declined)
    expect(await hear(reference)).toMatchObject({ status: 'paid', resolution: 'verified' })
    expect(await letters()).toBe(1)
  })

  test('fault 12: paid after it failed brings the letter', async () => {
    const { reference } = await opened()
    fake.settle(reference, declined)
    expect(await hear(reference)).toMatchObject({ status: 'failed' })
    fake.settle(reference, approved)
    expect(await hear(reference)).toMatchObject({ status: 'paid', resolution: 'verified' })
  })

  test('faults 5, 9 and 26: late money of an expired attempt is delivered; a second payment is due back', async () => {
    const { reference, user, number } = await opened()
    bench.ports.time += 31 * 60_000
    const again = await bench.start(user, number)
    if (again.kind !== 'initiated') throw new Error(again.kind)
    const second = again.payment.providerReference
    expect(second).not.toBe(reference)
    await openPage({ paymentUrl: again.paymentUrl, fields: again.payment.paymentFields ?? {} })
    fake.settle(reference, approved)
    expect(await hear(reference)).toMatchObject({ status: 'paid', resolution: 'verified' })
    fake.settle(second, approved)
    expect(await hear(second)).toMatchObject({ status: 'paid', resolution: 'refund_due' })
    expect([await letters(), await refunds()]).toEqual([1, [['duplicate', 500_000]]])
  })

  test.each([
    ['19: one kobo too little', 499_999, 'mismatched', 499_999],
    ['22: naira taken for kobo', 5000, 'mismatched', 5000],
    ['20: one kobo too much', 500_001, 'paid', 1],
    ['22: kobo taken for naira', 50_000_000, 'paid', 49_500_000],
  ])('fault %s: %d kobo are %s, with %d due back', async (_, amount, status, due) => {
    const { reference } = await opened()
    fake.settle(reference, approved, { amount })
    expect(await hear(reference)).toMatchObject({ status })
    expect((await refunds()).map(([, minor]) => minor)).toEqual([due])
    expect(await letters()).toBe(status === 'paid' ? 1 : 0)
  })

  test.runIf(names.fee)('a fee that the gateway adds for the payer is no overpayment', async () => {
    const { reference } = await opened()
    fake.settle(reference, approved, { amount: 510_283, fees: 10_283 })
    expect(await hear(reference)).toMatchObject({ status: 'paid', passedOnMinor: 10_283 })
    expect([await letters(), await refunds()]).toEqual([1, []])
  })

  test.runIf(names.currency)('fault 21: dollars are no naira', async () => {
    const { reference } = await opened()
    fake.settle(reference, approved, { currency: 'USD' })
    expect(await hear(reference)).toMatchObject({ status: 'mismatched' })
    expect(await letters()).toBe(0)
  })

  test.runIf(names.mode)('fault 23: a success in the other mode brings no letter and no refund', async () => {
    const { reference } = await opened()
    fake.settle(reference, approved, { mode: 'live' })
    expect(await hear(reference)).toMatchObject({ status: 'mismatched' })
    expect([await letters(), await refunds()]).toEqual([0, []])
  })

  test('fault 36: an answer about another reference is no answer', async () => {
    const { reference } = await opened()
    fake.settle(reference, approved, { reference: 'CVANOTHER000000' })
    expect(await hear(reference)).toMatchObject({ status: 'pending' })
    expect(await letters()).toBe(0)
  })

  test('fault 7: ten hints at once bring one letter', async () => {
    const { reference } = await opened()
    fake.settle(reference, approved)
    await Promise.all(Array.from({ length: 10 }, () => hear(reference)))
    expect([await letters(), await refunds()]).toEqual([1, []])
  })
})
