import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GatewayRefusal, type Order, type PaymentGateway } from '../../src/payment-gateway.ts'
import { buildOrder, type Candidate, catchError, createHangGuard, NOW, openPage } from './candidate.ts'
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
  const { startsBy, approvedStatus, reports } = candidate
  let fake: Fake
  let gateway: PaymentGateway

  beforeEach(async () => {
    fake = await candidate.start()
    gateway = candidate.connect(fake, SECRETS)
  })
  afterEach(() => fake.server.close())

  /** Creates an order that the gateway knows, because the payer has opened its page. */
  async function startPayment(minor = 500_000): Promise<Order> {
    const order = buildOrder(minor)
    expect(await openPage(await gateway.initiate(order, createHangGuard()))).toBe(200)
    return order
  }
  const requery = (order: Order, signal = createHangGuard()) =>
    gateway.requery(order.reference, order.amount, signal)
  async function requeryEndedPayment(finalStatus: string, report?: Report, minor?: number) {
    const order = await startPayment(minor)
    fake.endPayment(order.reference, finalStatus, report)
    return requery(order)
  }

  describe(`${candidate.name}: start`, () => {
    test.each([1, 100, 500_000, 500_010, 123_456_789])('%d kobo reach the gateway unchanged', async minor => {
      const order = await startPayment(minor)
      expect(fake.requestedAmount(order.reference)).toBe(minor)
    })

    test('sends our return address and our reference to the gateway', async () => {
      await startPayment()
      const requestBodies = fake.server.requests.map(({ body }) => decodeURIComponent(body)).join('\n')
      expect(requestBodies).toContain('https://verify.example.org/api/payments/return')
      expect(requestBodies).toContain('CV0123456789ABC')
    })

    if (candidate.signedFields.length > 0) {
      test('signs the form so that the gateway refuses one that the payer changed', async () => {
        const { paymentUrl, fields } = await gateway.initiate(buildOrder(500_000), createHangGuard())
        for (const name of candidate.signedFields) {
          const changed = `${fields[name]}1`
          expect(await openPage({ paymentUrl, fields: { ...fields, [name]: changed } }), name).not.toBe(200)
        }
        expect(await openPage({ paymentUrl, fields })).toBe(200)
      })
    }

    if (startsBy === 'form') {
      test('leaves the call to the payer’s browser, and refuses a reference that is too long', async () => {
        await gateway.initiate(buildOrder(500_000), createHangGuard())
        expect(fake.server.requests).toEqual([])
        const longOrder = buildOrder(500_000, 'CV0123456789ABCD')
        await expect(gateway.initiate(longOrder, createHangGuard())).rejects.toBeInstanceOf(GatewayRefusal)
      })
    }

    if (startsBy === 'call') {
      test('treats a 400 response and a closed port as refusals', async () => {
        fake.server.fault = '400'
        await expect(gateway.initiate(buildOrder(500_000), createHangGuard())).rejects.toBeInstanceOf(
          GatewayRefusal,
        )
        await fake.server.close()
        await expect(gateway.initiate(buildOrder(500_000), createHangGuard())).rejects.toBeInstanceOf(
          GatewayRefusal,
        )
      })
    }

    if (startsBy === 'call') {
      test.each<Fault>(['429', '500', 'html', 'truncated', 'empty object', 'huge', 'redirect', 'closed'])(
        'treats the outcome as unknown after the fault "%s", and does not retry',
        async fault => {
          fake.server.fault = fault
          const failure = await catchError(gateway.initiate(buildOrder(500_000), createHangGuard()))
          expect(failure).toBeInstanceOf(Error)
          expect(failure).not.toBeInstanceOf(GatewayRefusal)
          expect(fake.server.requests).toHaveLength(1)
        },
      )
    }

    if (startsBy === 'call') {
      test('aborts a start without a response when its signal fires, and can requery the order', async () => {
        fake.server.fault = 'hang'
        const failure = await catchError(gateway.initiate(buildOrder(500_000), AbortSignal.timeout(300)))
        expect(failure).toMatchObject({ name: 'TimeoutError' })
        fake.server.fault = undefined
        fake.endPayment('CV0123456789ABC', approvedStatus)
        expect(await requery(buildOrder(500_000))).toMatchObject({ outcome: 'succeeded' })
      })
    }
  })

  describe(`${candidate.name}: requery`, () => {
    test('reports an approved payment with its exact amount', async () => {
      const response = await requeryEndedPayment(approvedStatus, undefined, 500_010)
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
      'reads the gateway’s status "%s" as %s',
      async (end, outcome, declineCode) => {
        const response = await requeryEndedPayment(end)
        expect(response).toMatchObject({ outcome, reference: 'CV0123456789ABC' })
        expect(response.declineCode).toBe(declineCode)
        expect(response.amountPaid).toBeUndefined()
      },
    )

    test('reports a reference that never reached the gateway as not found', async () => {
      expect(await requery(buildOrder(500_000))).toMatchObject({
        outcome: 'not_found',
        reference: 'CV0123456789ABC',
      })
    })

    test.each([
      ['a kobo under', 499_999],
      ['a kobo over', 500_001],
      ['naira mistaken for kobo', 5000],
      ['kobo mistaken for naira', 50_000_000],
    ])('reports the exact amount: %s', async (_, amount) => {
      const response = await requeryEndedPayment(approvedStatus, { amount })
      expect(response).toMatchObject({ outcome: 'succeeded', amountPaid: { minor: amount } })
    })

    if (reports.currency) {
      test('reports another currency unchanged', async () => {
        const response = await requeryEndedPayment(approvedStatus, { currency: 'USD' })
        expect(response.amountPaid?.currency).toBe('USD')
      })
    }

    if (reports.mode) {
      test('reports whether a success was in live mode', async () => {
        expect((await requeryEndedPayment(approvedStatus, { mode: 'live' })).mode).toBe('live')
      })
    }

    test('returns the reference of another payment if the response is about that payment', async () => {
      expect((await requeryEndedPayment(approvedStatus, { reference: 'CVOTHER00000000' })).reference).toBe(
        'CVOTHER00000000',
      )
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
    ])('fails without a retry after the fault "%s"', async fault => {
      const order = await startPayment()
      fake.endPayment(order.reference, approvedStatus)
      fake.server.fault = fault
      const countBefore = fake.server.requests.length
      expect(await catchError(requery(order))).toBeInstanceOf(Error)
      // The call was made once: it was neither repeated nor redirected.
      expect(fake.server.requests.slice(countBefore).map(({ path }) => path)).not.toContain('/elsewhere')
      expect(fake.server.requests).toHaveLength(countBefore + 1)
    })

    test('aborts a requery without a response when its signal fires', async () => {
      const order = await startPayment()
      fake.server.fault = 'hang'
      expect(await catchError(requery(order, AbortSignal.timeout(200)))).toMatchObject({
        name: 'TimeoutError',
      })
    })
  })

  describe(`${candidate.name}: callbacks`, () => {
    const parse = (raw: string, headers: Record<string, string>, listener = gateway) =>
      listener.parseWebhook(new TextEncoder().encode(raw), new Headers(headers), NOW)

    if (candidate.callbacks === 'signed') {
      test('accepts a signed callback, and returns the reference to requery', async () => {
        const { raw, headers } = fake.callBack('CV0123456789ABC', SECRET)
        const event = await parse(raw, headers, gateway)
        expect(event).toMatchObject({ verified: true, reference: 'CV0123456789ABC' })
        expect(event.eventKey).toMatch(/.+/)
        expect((await parse(raw, headers, gateway)).eventKey).toBe(event.eventKey)
      })
    }

    if (candidate.callbacks === 'signed') {
      test('accepts both secrets during a rotation, and only the newer one afterwards', async () => {
        const { raw, headers } = fake.callBack('CV0123456789ABC', PREVIOUS_SECRET)
        expect(await parse(raw, headers, gateway)).toMatchObject({ verified: true })
        const rotated = candidate.connect(fake, SECRET)
        expect(await parse(raw, headers, rotated)).toMatchObject({ verified: false })
      })
    }

    if (candidate.callbacks === 'signed') {
      test('refuses unsigned, wrongly signed, altered and reformatted callbacks', async () => {
        const { raw, headers } = fake.callBack('CV0123456789ABC', SECRET)
        const name = Object.keys(headers)[0] ?? ''
        const signature = headers[name] ?? ''
        const forged = fake.callBack('CV0123456789ABC', 'not-the-secret').headers
        const flipped = signature.replace(/.$/, last => (last === '0' ? '1' : '0'))
        const callbacks: [description: string, raw: string, headers: Record<string, string>][] = [
          ['unsigned', raw, {}],
          ['empty signature', raw, { [name]: '' }],
          ['the word undefined as signature', raw, { [name]: 'undefined' }],
          ['signed with another secret', raw, forged],
          ['one changed digit in the signature', raw, { [name]: flipped }],
          ['shortened signature', raw, { [name]: signature.slice(0, -2) }],
          ['altered', raw.replace('CV0123456789ABC', 'CV0123456789ABD'), headers],
          ['reformatted', JSON.stringify(JSON.parse(raw), null, 1), headers],
          ['empty body', '', headers],
        ]
        for (const [description, body, callbackHeaders] of callbacks) {
          expect(await parse(body, callbackHeaders, gateway), description).toMatchObject({ verified: false })
        }
      })
    }

    if (candidate.callbacks === 'unsigned') {
      test('never trusts an unsigned callback, and uses at most its reference', async () => {
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
        for (const content of ['', 'hello', '{}', 'request_id=%27%20or%201%3D1', '[1]']) {
          expect(await parse(content, headers, gateway)).toEqual({ verified: false, eventKey: '' })
        }
      })
    }
  })

  if (candidate.canListPayments) describeList(candidate, { fake: () => fake, gateway: () => gateway })
  else {
    test(`${candidate.name}: has no list of payments`, () => {
      expect(gateway.list).toBeUndefined()
    })
  }

  describe(`${candidate.name}: check`, () => {
    test('throws unless the gateway responds', async () => {
      await gateway.check(createHangGuard())
      await fake.server.close()
      await expect(gateway.check(createHangGuard())).rejects.toThrow()
    })
  })
}
