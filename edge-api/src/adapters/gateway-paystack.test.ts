import { createHangSignal } from '@portal/fixtures/hang-guards'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFakePaystack } from '../../test/gateways/fake-paystack.ts'
import { GatewayRefusal, type Order } from '../payment-gateway.ts'
import { paystackGateway } from './gateway-paystack.ts'

/*
 * Tests the Paystack adapter with the responses published at https://paystack.com/docs/api
 * (github.com/PaystackOSS/doc-code-snippets, dist/api at 94af513), and cases that the suite for all gateways does not cover:
 * repeated references, refunds and the list.
 */

let fake: Awaited<ReturnType<typeof startFakePaystack>>
beforeEach(async () => {
  fake = await startFakePaystack()
})
afterEach(() => fake.server.close())

const connect = () => {
  const { secretKey, server } = fake
  return paystackGateway({ url: server.url, checkoutUrl: server.url, secretKey, fetch, allowLoopback: true })
}
const signal = createHangSignal
const buildOrder = (reference: string): Order => ({
  reference,
  amount: { minor: 500_010, currency: 'NGN' },
  customer: { firstname: 'Ada', lastname: 'Eze', email: 'ada@users.test', phone: '', address: '' },
  description: 'UG/2019/00123',
  returnUrl: 'https://verify.example.org/api/payments/return',
  expiresAt: new Date('2026-01-15T12:30:00Z'),
  idempotencyKey: `CVF${reference}`,
})

const options = {
  url: 'https://api.paystack.co',
  checkoutUrl: 'https://checkout.paystack.com',
  secretKey: 'sk_live_example',
}
/** Returns an adapter with the published addresses, whose gateway responds with `body`. */
const gatewayReturning = (body: unknown, status = 200) =>
  paystackGateway({ ...options, fetch: async () => Response.json(body, { status }) })

// transactions/initialize/response.json
const buildInitializeReply = (data: object = {}) => ({
  status: true,
  message: 'Authorization URL created',
  data: {
    authorization_url: 'https://checkout.paystack.com/3ni8kdavz62431k',
    access_code: '3ni8kdavz62431k',
    reference: 're4lyvq3s3',
    ...data,
  },
})

test('reads the published response to initialize', async () => {
  expect(await gatewayReturning(buildInitializeReply()).initiate(buildOrder('re4lyvq3s3'), signal())).toEqual(
    {
      paymentUrl: 'https://checkout.paystack.com/3ni8kdavz62431k',
      fields: {},
      providerRef: '3ni8kdavz62431k',
    },
  )
})

test.each([
  ['another reference', { reference: 'other' }],
  [
    'a page on another host',
    { authorization_url: 'https://checkout.paystack.com.evil.test/3ni8kdavz62431k' },
  ],
  ['a page on this machine', { authorization_url: 'http://localhost/3ni8kdavz62431k' }],
  ['a script', { authorization_url: 'javascript:alert(1)' }],
])('a response to initialize with %s is rejected', async (_, data) => {
  await expect(
    gatewayReturning(buildInitializeReply(data)).initiate(buildOrder('re4lyvq3s3'), signal()),
  ).rejects.toThrow()
})

test('initialize sends kobo, our reference and key, and the return URL', async () => {
  await connect().initiate(buildOrder('CV0123456789ABC'), signal())
  const [sentRequest] = fake.server.requests
  expect(sentRequest).toMatchObject({ method: 'POST', path: '/transaction/initialize' })
  expect(sentRequest?.headers.authorization).toBe('Bearer sk_test_of_the_fake')
  expect(JSON.parse(sentRequest?.body ?? '')).toMatchObject({
    email: 'ada@users.test',
    amount: 500_010,
    currency: 'NGN',
    reference: 'CV0123456789ABC',
    callback_url: 'https://verify.example.org/api/payments/return?request_id=CV0123456789ABC',
  })
})

test('"duplicate reference" is not a refusal, because a payment may exist', async () => {
  const gateway = connect()
  await gateway.initiate(buildOrder('CV0123456789ABC'), signal())
  const repeatedError = await gateway
    .initiate(buildOrder('CV0123456789ABC'), signal())
    .catch((error: unknown) => error)
  expect(repeatedError).toBeInstanceOf(Error)
  expect(repeatedError).not.toBeInstanceOf(GatewayRefusal)
  // The older format, in which responses have no code.
  const olderGateway = gatewayReturning({ status: false, message: 'Duplicate Transaction Reference' }, 400)
  const olderError = await olderGateway
    .initiate(buildOrder('CV0123456789ABC'), signal())
    .catch((error: unknown) => error)
  expect(olderError).not.toBeInstanceOf(GatewayRefusal)
})

test('a wrong key is a refusal', async () => {
  const gateway = gatewayReturning({ status: false, message: 'Invalid key' }, 401)
  await expect(gateway.initiate(buildOrder('re4lyvq3s3'), signal())).rejects.toBeInstanceOf(GatewayRefusal)
  await expect(gateway.requery('re4lyvq3s3', { minor: 40_333, currency: 'NGN' }, signal())).rejects.toThrow(
    '401',
  )
})

test('reads what was paid, what was requested and the added fee from the published response to verify', async () => {
  const data = {
    id: 4_099_260_516,
    domain: 'test',
    status: 'success',
    reference: 're4lyvq3s3',
    receipt_number: null,
    amount: 40_333,
    message: null,
    gateway_response: 'Successful',
    paid_at: '2024-08-22T09:15:02.000Z',
    channel: 'card',
    currency: 'NGN',
    fees: 10_283,
    requested_amount: 30_050,
  }
  const gateway = gatewayReturning({ status: true, message: 'Verification successful', data })
  expect(await gateway.requery('re4lyvq3s3', { minor: 30_050, currency: 'NGN' }, signal())).toMatchObject({
    outcome: 'succeeded',
    reference: 're4lyvq3s3',
    amountPaid: { minor: 40_333, currency: 'NGN' },
    requestedMinor: 30_050,
    feeMinor: 10_283,
    providerTxnId: '4099260516',
    mode: 'test',
    status: 'success',
  })
})

test.each([
  [400, { message: 'Transaction not found', type: 'validation_error', code: 'transaction_not_found' }],
  [404, { message: 'Transaction reference not found.' }],
])('%d %j is "not found", but another message leaves the outcome open', async (status, response) => {
  const requery = (body: object) =>
    gatewayReturning(body, status).requery('re4lyvq3s3', { minor: 1, currency: 'NGN' }, signal())
  expect(await requery({ status: false, ...response })).toMatchObject({ outcome: 'not_found' })
  await expect(requery({ status: false, message: 'Invalid key' })).rejects.toThrow()
})

test('the key determines test or live mode', () => {
  const modeOf = (secretKey: string) => paystackGateway({ ...options, secretKey, fetch }).mode
  expect([modeOf('sk_live_a,sk_live_b'), modeOf('sk_test_a')]).toEqual(['live', 'test'])
})

test('verifies the published signature, an HMAC-SHA512 of the body with the secret key, here computed with openssl', async () => {
  const raw =
    '{"event":"charge.success","data":{"id":302961,"domain":"live","status":"success","reference":"qTPrJoy9Bx","amount":10000,"currency":"NGN"}}'
  const signature =
    'e3f2c54974b0de9c13649333811d71e27ba7dcfc495105e3438e398f7d5d9675eb9e4f899a06f4ed1ac71b424ed199cda970265bce57f0429bfbc56cdbecdfd9'
  const headers = new Headers({ 'x-paystack-signature': signature })
  const gateway = paystackGateway({ ...options, fetch })
  expect(await gateway.parseWebhook(new TextEncoder().encode(raw), headers, 0)).toMatchObject({
    verified: true,
    reference: 'qTPrJoy9Bx',
  })
})

test.each([
  [{ event: 'refund.processed', data: { transaction_reference: 'CV1', status: 'processed' } }, 'CV1'],
  [{ event: 'charge.dispute.create', data: { id: 1, transaction: { reference: 'CV2' } } }, 'CV2'],
  [{ event: 'transfer.success', data: { transaction: 3 } }, undefined],
])('the event %j is about %s', async (event, reference) => {
  const raw = JSON.stringify(event)
  const { createHmac } = await import('node:crypto')
  const signature = createHmac('sha512', options.secretKey).update(raw).digest('hex')
  const webhook = await paystackGateway({ ...options, fetch }).parseWebhook(
    new TextEncoder().encode(raw),
    new Headers({ 'x-paystack-signature': signature }),
    0,
  )
  expect(webhook.verified).toBe(true)
  expect(webhook.reference).toBe(reference)
})

test('a refund is made once per key, however often it is requested', { tags: ['FAULT-35'] }, async () => {
  const gateway = connect()
  await gateway.initiate(buildOrder('CV0123456789ABC'), signal())
  fake.endPayment('CV0123456789ABC', 'success')
  const { providerTxnId = '' } = await gateway.requery(
    'CV0123456789ABC',
    { minor: 500_010, currency: 'NGN' },
    signal(),
  )
  const refund = (idempotencyKey: string, minor: number) =>
    gateway.refund?.(
      { reference: 'CV0123456789ABC', providerTxnId, amount: { minor, currency: 'NGN' }, idempotencyKey },
      signal(),
    )
  const first = await refund('key-1', 200_000)
  expect(first).toEqual({ refundId: '3018284', status: 'pending' })
  expect(fake.refunded).toMatchObject([{ transaction: providerTxnId, amount: 200_000 }])

  const refundMade = fake.refunded[0]
  for (const [gatewayStatus, status] of [
    ['processing', 'pending'],
    ['processed', 'processed'],
    ['failed', 'failed'],
    ['needs-attention', 'needs_attention'],
  ] as const) {
    if (refundMade) refundMade.status = gatewayStatus
    expect(await refund('key-1', 200_000)).toEqual({ refundId: '3018284', status })
  }
  expect(fake.refunded).toHaveLength(1)
  expect(await refund('key-2', 1)).toMatchObject({ refundId: '3018285' })
  await expect(refund('key-3', 500_011)).rejects.toBeInstanceOf(GatewayRefusal)
})

test('a refund whose response was lost is found, and not requested again', {
  tags: ['FAULT-34'],
}, async () => {
  const gateway = connect()
  await gateway.initiate(buildOrder('CV0123456789ABC'), signal())
  fake.endPayment('CV0123456789ABC', 'success')
  const order = {
    reference: 'CV0123456789ABC',
    providerTxnId: '4099260516',
    amount: { minor: 1, currency: 'NGN' as const },
    idempotencyKey: 'k',
  }
  let calls = 0
  const lossyGateway = paystackGateway({
    url: fake.server.url,
    checkoutUrl: fake.server.url,
    secretKey: fake.secretKey,
    allowLoopback: true,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      calls++
      if (init?.method === 'POST') throw new TypeError('connection lost')
      return response
    },
  })
  await expect(lossyGateway.refund?.(order, signal())).rejects.toThrow('connection lost')
  expect(calls).toBe(2)
  expect(await gateway.refund?.(order, signal())).toEqual({ refundId: '3018284', status: 'pending' })
  expect(fake.refunded).toHaveLength(1)
})

test('a refund that the gateway has acknowledged is requeried by its ID, and never requested again', async () => {
  const gateway = connect()
  await gateway.initiate(buildOrder('CV0123456789ABC'), signal())
  fake.endPayment('CV0123456789ABC', 'success')
  const order = {
    reference: 'CV0123456789ABC',
    providerTxnId: '4099260516',
    amount: { minor: 1, currency: 'NGN' as const },
    idempotencyKey: 'k',
  }
  const { refundId = '' } = (await gateway.refund?.(order, signal())) ?? {}
  const [refund] = fake.refunded
  if (refund) Object.assign(refund, { status: 'processed', merchant_note: 'edited there' })
  expect(await gateway.refund?.({ ...order, refundId }, signal())).toEqual({ refundId, status: 'processed' })
  expect(fake.refunded).toHaveLength(1)
})

test('a refund of the same amount made elsewhere prevents another, and leaves a note for staff', async () => {
  const gateway = connect()
  await gateway.initiate(buildOrder('CV0123456789ABC'), signal())
  fake.endPayment('CV0123456789ABC', 'success')
  const transaction = fake.idOf('CV0123456789ABC')
  const foreignRefund = {
    id: 1,
    transaction,
    amount: 100,
    merchant_note: '',
    status: 'processed',
    dispute: null,
  }
  fake.refunded.push(foreignRefund)
  const refund = (minor: number) =>
    gateway.refund?.(
      {
        reference: 'CV0123456789ABC',
        providerTxnId: transaction,
        amount: { minor, currency: 'NGN' },
        idempotencyKey: `k${minor}`,
      },
      signal(),
    )
  await expect(refund(100)).rejects.toMatchObject({ staffNote: expect.stringContaining('same amount') })
  expect(fake.refunded).toHaveLength(1)
  expect(await refund(99)).toMatchObject({ status: 'pending' })
})

test('the checkout offers the configured channels, and shows the certificate number and the requester', async () => {
  await connect().initiate(buildOrder('CV0123456789ABC'), signal())
  const sent = JSON.parse(fake.server.requests.find(({ path }) => path.endsWith('/initialize'))?.body ?? '')
  expect(sent.channels).toEqual(['card'])
  expect(JSON.parse(sent.metadata)).toEqual({
    cancel_action: 'https://verify.example.org/api/payments/return?request_id=CV0123456789ABC',
    custom_fields: [
      { display_name: 'Certificate number', variable_name: 'certificate_number', value: 'UG/2019/00123' },
      { display_name: 'Requester', variable_name: 'requester', value: 'Ada Eze' },
    ],
  })
  const { secretKey, server } = fake
  const fakeOptions = { url: server.url, checkoutUrl: server.url, secretKey, fetch, allowLoopback: true }
  await paystackGateway({ ...fakeOptions, channels: ['card', 'ussd'] }).initiate(buildOrder('CV1'), signal())
  expect(JSON.parse(server.requests.at(-1)?.body ?? '').channels).toEqual(['card', 'ussd'])
})

test.each([null, '', 'null'])('the cursor %o ends a list', async next => {
  const gateway = gatewayReturning({
    status: true,
    message: 'Transactions retrieved',
    data: [],
    meta: { next },
  })
  const page = await gateway.list?.(new Date(0), new Date(1), undefined, signal())
  expect(page?.nextCursor).toBeUndefined()
})

test.each([
  ['card', 'Declined', 'CARD_DECLINED'],
  ['bank_transfer', 'Declined', 'PAYMENT_FAILED'],
  ['ussd', 'Insufficient Funds', 'INSUFFICIENT_FUNDS'],
])('a payment by %s that ends with "%s" is reported as %s', async (channel, gatewayResponse, declineCode) => {
  const data = {
    ...{ id: 1, domain: 'test', status: 'failed', reference: 'CV1', amount: 1, currency: 'NGN' },
    ...{ channel, gateway_response: gatewayResponse },
  }
  const requery = gatewayReturning({ status: true, data }).requery(
    'CV1',
    { minor: 1, currency: 'NGN' },
    signal(),
  )
  expect(await requery).toMatchObject({ outcome: 'failed', declineCode })
})

test('reads all pages of the list, with the amounts received', async () => {
  const gateway = connect()
  for (const reference of ['CV1', 'CV2', 'CV3', 'CV4', 'CV5']) {
    await gateway.initiate(buildOrder(reference), signal())
  }
  fake.endPayment('CV2', 'success')
  fake.endPayment('CV3', 'failed')
  const from = new Date('2026-01-15T12:00:01Z')
  const to = new Date('2026-01-15T13:00:00Z')
  const found: unknown[] = []
  for (let cursor: string | undefined, pages = 0; pages < 5; pages++) {
    const page = await gateway.list?.(from, to, cursor, signal())
    found.push(...(page?.items ?? []))
    cursor = page?.nextCursor
    if (!cursor) break
  }
  expect(found).toEqual([
    { reference: 'CV5', outcome: 'pending', mode: 'test', providerTxnId: '4099260520' },
    { reference: 'CV4', outcome: 'pending', mode: 'test', providerTxnId: '4099260519' },
    { reference: 'CV3', outcome: 'failed', mode: 'test', providerTxnId: '4099260518' },
    {
      reference: 'CV2',
      outcome: 'succeeded',
      mode: 'test',
      providerTxnId: '4099260517',
      amountPaid: { minor: 500_010, currency: 'NGN' },
      feeMinor: 10_283,
    },
  ])
})

test('reads the list by the published cursor if pages are not numbered', async () => {
  const requested: string[] = []
  const gateway = paystackGateway({
    ...options,
    fetch: async input => {
      requested.push(new URL(String(input)).search)
      // transactions/list/response.json
      const next = requested.length === 1 ? 'dW5kZWZpbmVkOjQwMTM3MDk2MzU=' : null
      return Response.json({ status: true, data: [], meta: { next, previous: null, perPage: 50 } })
    },
  })
  const day = new Date('2026-01-15T00:00:00Z')
  const first = await gateway.list?.(day, day, undefined, signal())
  const second = await gateway.list?.(day, day, first?.nextCursor, signal())
  expect(second).toEqual({ items: [] })
  expect(requested[1]).toContain('use_cursor=true&next=dW5kZWZpbmVkOjQwMTM3MDk2MzU%3D')
})

test('reads the published responses about settlements and their transactions', async () => {
  const requested: string[] = []
  const gateway = paystackGateway({
    ...options,
    fetch: async input => {
      const url = new URL(String(input))
      requested.push(`${url.pathname}${url.search}`)
      const isList = url.pathname === '/settlement'
      // settlements/list/response.json and settlements/transactions/response.json
      const settled = {
        id: 2_856_168,
        domain: 'live',
        status: 'success',
        currency: 'NGN',
        integration: 463_433,
        total_amount: 9610,
        effective_amount: 9610,
        total_fees: 390,
        total_processed: 10_000,
        deductions: null,
        settlement_date: '2022-09-02T00:00:00.000Z',
        settled_by: null,
      }
      const pending = { ...settled, id: 1_986_550, status: 'pending' }
      const paid = {
        id: 2_067_030_515,
        reference: 'da8ed5u8sz6yn95',
        amount: 10_000,
        fees: 390,
        currency: 'NGN',
      }
      const page = Number(url.searchParams.get('page'))
      const meta = { total: 1, skipped: 0, perPage: 50, page, pageCount: isList ? 2 : 1 }
      return Response.json({ status: true, data: isList ? [settled, pending] : [paid], meta })
    },
  })
  const [from, to] = [new Date('2022-09-01T00:00:00Z'), new Date('2022-09-03T00:00:00Z')]
  expect(await gateway.settlements?.list(from, to, undefined, signal())).toEqual({
    items: [
      {
        reference: '2856168',
        currency: 'NGN',
        settledAt: new Date('2022-09-02T00:00:00Z'),
        paidOutMinor: 9610,
      },
    ],
    nextCursor: '2',
  })
  expect(await gateway.settlements?.list(from, to, '2', signal())).not.toHaveProperty('nextCursor')
  expect(await gateway.settlements?.listLines('2856168', undefined, signal())).toEqual({
    items: [{ reference: 'da8ed5u8sz6yn95', amountMinor: 10_000, feeMinor: 390 }],
  })
  expect(requested[0]).toContain('status=success&from=2022-09-01')
  expect(requested[2]).toBe('/settlement/2856168/transactions?perPage=100&page=1')
})
