import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GatewayRefusal, type Order, type PaymentGateway } from '../../src/payment-gateway.ts'
import { buildOrder, type Candidate, failureOf, hangGuard, NOW, openPage } from './candidate.ts'
import { describeList } from './conformance-list.ts'
import type { FakeGateway, Fault, Report } from './fake-server.ts'

/*
 * The conformance suite for adapters of payment gateways, which runs over HTTP against a fake of each gateway. To test a new
 * adapter, add a `Candidate`.
 */

const SECRET = 'sk_test_the-secret-of-today'
const PREVIOUS_SECRET = 'sk_test_the-secret-of-yesterday'
const SECRETS = `${SECRET}, ${PREVIOUS_SECRET}`
/** Defines all tests of the suite for one adapter. */
export function testConformance<Fake extends FakeGateway>(candidate: Candidate<Fake>): void {
  const { startsBy, approved, reports } = candidate
  let fake: Fake
  let gateway: PaymentGateway

  beforeEach(async () => {
    fake = await candidate.start()
    gateway = candidate.connect(fake, SECRETS)
  })
  afterEach(() => fake.server.close())

  /** Creates an order that the gateway knows, because the payer has opened its page. */
  async function begin(minor = 500_000): Promise<Order> {
    const order = buildOrder(minor)
    expect(await openPage(await gateway.initiate(order, hangGuard()))).toBe(200)
    return order
  }
  const requery = (order: Order, signal = hangGuard()) =>
    gateway.requery(order.reference, order.amount, signal)
  async function settled(end: string, report?: Report, minor?: number) {
    const order = await begin(minor)
    fake.settle(order.reference, end, report)
    return requery(order)
  }

  describe(`${candidate.name}: start`, () => {
    test.each([1, 100, 500_000, 500_010, 123_456_789])('%d kobo reach the gateway unchanged', async minor => {
      const order = await begin(minor)
      expect(fake.requestedAmount(order.reference)).toBe(minor)
    })

    test('the payer returns to our address with our reference', async () => {
      await begin()
      const sent = fake.server.seen.map(({ body }) => decodeURIComponent(body)).join('\n')
      expect(sent).toContain('https://verify.example.org/api/payments/return')
      expect(sent).toContain('CV0123456789ABC')
    })

    if (candidate.signed.length > 0) {
      test('the gateway refuses a form that was changed by the payer', async () => {
        const { paymentUrl, fields } = await gateway.initiate(buildOrder(500_000), hangGuard())
        for (const name of candidate.signed) {
          const changed = `${fields[name]}1`
          expect(await openPage({ paymentUrl, fields: { ...fields, [name]: changed } }), name).not.toBe(200)
        }
        expect(await openPage({ paymentUrl, fields })).toBe(200)
      })
    }

    if (startsBy === 'form') {
      test('the gateway is called only by the payer’s browser', async () => {
        await gateway.initiate(buildOrder(500_000), hangGuard())
        expect(fake.server.seen).toEqual([])
        const long = buildOrder(500_000, 'CV0123456789ABCD')
        await expect(gateway.initiate(long, hangGuard())).rejects.toBeInstanceOf(GatewayRefusal)
      })
    }

    if (startsBy === 'call') {
      test('a 400 response and a closed port are refusals', async () => {
        fake.server.fault = '400'
        await expect(gateway.initiate(buildOrder(500_000), hangGuard())).rejects.toBeInstanceOf(
          GatewayRefusal,
        )
        await fake.server.close()
        await expect(gateway.initiate(buildOrder(500_000), hangGuard())).rejects.toBeInstanceOf(
          GatewayRefusal,
        )
      })
    }

    if (startsBy === 'call') {
      test.each<Fault>(['429', '500', 'html', 'truncated', 'empty object', 'huge', 'redirect', 'closed'])(
        'a response damaged by "%s" leaves the outcome unknown',
        async fault => {
          fake.server.fault = fault
          const failure = await failureOf(gateway.initiate(buildOrder(500_000), hangGuard()))
          expect(failure).toBeInstanceOf(Error)
          expect(failure).not.toBeInstanceOf(GatewayRefusal)
          expect(fake.server.seen).toHaveLength(1)
        },
      )
    }

    if (startsBy === 'call') {
      test('a start that gets no response ends with its signal, and the order is requeried', async () => {
        fake.server.fault = 'hang'
        const failure = await failureOf(gateway.initiate(buildOrder(500_000), AbortSignal.timeout(300)))
        expect(failure).toMatchObject({ name: 'TimeoutError' })
        fake.server.fault = undefined
        fake.settle('CV0123456789ABC', approved)
        expect(await requery(buildOrder(500_000))).toMatchObject({ outcome: 'succeeded' })
      })
    }
  })

  describe(`${candidate.name}: requery`, () => {
    test('reports an approved payment with its exact amount', async () => {
      const response = await settled(approved, undefined, 500_010)
      expect(response).toMatchObject({
        outcome: 'succeeded',
        reference: 'CV0123456789ABC',
        amountPaid: { minor: 500_010, currency: 'NGN' },
        mode: 'test',
      })
      expect(response.providerTxnId).toMatch(/.+/)
      expect(response.declineCode).toBeUndefined()
    })

    test.each(candidate.otherOutcomes)(
      'the gateway’s status "%s" is read as %s',
      async (end, outcome, declineCode) => {
        const response = await settled(end)
        expect(response).toMatchObject({ outcome, reference: 'CV0123456789ABC' })
        expect(response.declineCode).toBe(declineCode)
        expect(response.amountPaid).toBeUndefined()
      },
    )

    test('a reference that never reached the gateway is not found', async () => {
      expect(await requery(buildOrder(500_000))).toMatchObject({
        outcome: 'not_found',
        reference: 'CV0123456789ABC',
      })
    })

    test.each([
      ['a kobo under', 499_999],
      ['a kobo over', 500_001],
      ['naira taken for kobo', 5000],
      ['kobo taken for naira', 50_000_000],
    ])('%s is reported exactly', async (_, amount) => {
      const response = await settled(approved, { amount })
      expect(response).toMatchObject({ outcome: 'succeeded', amountPaid: { minor: amount } })
    })

    if (reports.currency) {
      test('reports another currency unchanged', async () => {
        const response = await settled(approved, { currency: 'USD' })
        expect(response.amountPaid?.currency).toBe('USD')
      })
    }

    if (reports.mode) {
      test('reports whether a success was in live mode', async () => {
        expect((await settled(approved, { mode: 'live' })).mode).toBe('live')
      })
    }

    test('an answer about another payment contains that payment’s reference', async () => {
      expect((await settled(approved, { reference: 'CVOTHER00000000' })).reference).toBe('CVOTHER00000000')
    })

    test.each<Fault>([
      '400',
      '404 page',
      '429',
      '500',
      'html',
      'truncated',
      'empty object',
      'huge',
      'redirect',
      'closed',
    ])('a response damaged by "%s" leaves the outcome open', async fault => {
      const order = await begin()
      fake.settle(order.reference, approved)
      fake.server.fault = fault
      const before = fake.server.seen.length
      expect(await failureOf(requery(order))).toBeInstanceOf(Error)
      // The call was made once: it was neither repeated nor redirected.
      expect(fake.server.seen.slice(before).map(({ path }) => path)).not.toContain('/elsewhere')
      expect(fake.server.seen).toHaveLength(before + 1)
    })

    test('a requery that gets no response ends with its signal', async () => {
      const order = await begin()
      fake.server.fault = 'hang'
      expect(await failureOf(requery(order, AbortSignal.timeout(200)))).toMatchObject({
        name: 'TimeoutError',
      })
    })
  })

  describe(`${candidate.name}: callbacks`, () => {
    const parse = (raw: string, headers: Record<string, string>, listener = gateway) =>
      listener.parseWebhook(new TextEncoder().encode(raw), new Headers(headers), NOW)

    if (candidate.callBacks === 'signed') {
      test('a signed callback names the reference to requery', async () => {
        const { raw, headers } = fake.callBack('CV0123456789ABC', SECRET)
        const hint = await parse(raw, headers, gateway)
        expect(hint).toMatchObject({ verified: true, reference: 'CV0123456789ABC' })
        expect(hint.eventKey).toMatch(/.+/)
        expect((await parse(raw, headers, gateway)).eventKey).toBe(hint.eventKey)
      })
    }

    if (candidate.callBacks === 'signed') {
      test('during a rotation both secrets are accepted, and after it only the newer one', async () => {
        const { raw, headers } = fake.callBack('CV0123456789ABC', PREVIOUS_SECRET)
        expect(await parse(raw, headers, gateway)).toMatchObject({ verified: true })
        const rotated = candidate.connect(fake, SECRET)
        expect(await parse(raw, headers, rotated)).toMatchObject({ verified: false })
      })
    }

    if (candidate.callBacks === 'signed') {
      test('unsigned, wrongly signed, altered and re-encoded callbacks are refused', async () => {
        const { raw, headers } = fake.callBack('CV0123456789ABC', SECRET)
        const name = Object.keys(headers)[0] ?? ''
        const signature = headers[name] ?? ''
        const forged = fake.callBack('CV0123456789ABC', 'not-the-secret').headers
        const flipped = signature.replace(/.$/, last => (last === '0' ? '1' : '0'))
        const webhooks: [what: string, raw: string, headers: Record<string, string>][] = [
          ['unsigned', raw, {}],
          ['empty signature', raw, { [name]: '' }],
          ['no signature at all', raw, { [name]: 'undefined' }],
          ['another secret', raw, forged],
          ['one digit of the signature', raw, { [name]: flipped }],
          ['shortened signature', raw, { [name]: signature.slice(0, -2) }],
          ['altered', raw.replace('CV0123456789ABC', 'CV0123456789ABD'), headers],
          ['reformatted', JSON.stringify(JSON.parse(raw), null, 1), headers],
          ['nothing', '', headers],
        ]
        for (const [what, body, head] of webhooks) {
          expect(await parse(body, head, gateway), what).toMatchObject({ verified: false })
        }
      })
    }

    if (candidate.callBacks === 'unsigned') {
      test('an unsigned callback is never trusted, and provides at most a reference', async () => {
        const { raw, headers } = fake.callBack('CV0123456789ABC', SECRET)
        expect(await parse(raw, headers, gateway)).toMatchObject({
          verified: false,
          reference: 'CV0123456789ABC',
        })
        const json = JSON.stringify({ request_id: 'CV0123456789ABC', 'status-code': '00' })
        expect(await parse(json, {}, gateway)).toMatchObject({
          verified: false,
          reference: 'CV0123456789ABC',
        })
        for (const other of ['', 'hello', '{}', 'request_id=%27%20or%201%3D1', '[1]']) {
          expect(await parse(other, headers, gateway)).toEqual({ verified: false, eventKey: '' })
        }
      })
    }
  })

  if (candidate.lists) describeList(candidate, { fake: () => fake, gateway: () => gateway })
  else {
    test(`${candidate.name}: has no list, so reconciliation requeries every reference`, () => {
      expect(gateway.list).toBeUndefined()
    })
  }

  describe(`${candidate.name}: check`, () => {
    test('`check` throws unless the gateway answers', async () => {
      await gateway.check(hangGuard())
      await fake.server.close()
      await expect(gateway.check(hangGuard())).rejects.toThrow()
    })
  })
}
