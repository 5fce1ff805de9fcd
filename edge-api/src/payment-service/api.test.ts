import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildOrder,
  callbackUrl,
  type Harness,
  initiate,
  json,
  pay,
  startHarness,
  verify,
} from './test-harness.ts'

let h: Harness
beforeAll(async () => {
  h = await startHarness()
})
afterAll(() => h.stop())

describe('POST /payment and /certificate-payment', () => {
  it.each(['/payment', '/certificate-payment'])(
    '%s stores the order and returns the URL at which to pay',
    { tags: ['SPEC-7.15'] },
    async path => {
      const body = buildOrder({ amount_due: 5000.5 })
      const response = await h.post(path, body)
      expect(response.status).toBe(201)
      expect(await json(response)).toEqual({
        transaction_id: expect.stringMatching(/^SBX[0-9A-HJKMNP-TV-Z]{20}$/),
        request_id: body.request_id,
        payment_code: expect.stringMatching(/^\d{12}$/),
        payment_url: 'http://localhost:8081/checkout/entry',
        payment_data: {
          transaction_id: expect.any(String),
          request_id: body.request_id,
          payment_code: expect.any(String),
          amount: '5000.50',
          currency: 'NGN',
          hash: expect.stringMatching(/^[0-9a-f]{128}$/),
        },
        expires_at: expect.stringMatching(/Z$/),
      })
      expect(await verify(h, body.request_id)).toMatchObject({ status: 'PENDING', code: '', amount_paid: 0 })
    },
  )

  it('returns the same order for a repeated request, and refuses a different one with the same request ID', async () => {
    const body = buildOrder()
    const first = await h.post('/payment', body)
    const secondReply = await h.post('/payment', body)
    expect([first.status, secondReply.status]).toEqual([201, 200])
    expect(await secondReply.json()).toEqual(await first.json())
    const conflicting = await h.post('/payment', { ...body, amount_due: 1 })
    expect(conflicting.status).toBe(409)
    expect(await json(conflicting)).toMatchObject({ code: 'REQUEST_ID_CONFLICT', error: expect.any(String) })
  })

  it('stores only one of ten parallel orders with the same request ID', async () => {
    const body = buildOrder()
    const responses = await Promise.all(Array.from({ length: 10 }, () => h.post('/payment', body)))
    expect(responses.filter(response => response.status === 201)).toHaveLength(1)
    const ids = await Promise.all(responses.map(async response => (await json(response)).transaction_id))
    expect(new Set(ids).size).toBe(1)
  })

  it('refuses another order under a used Idempotency-Key', async () => {
    await initiate(h, {}, { 'idempotency-key': 'key-1' })
    const response = await h.post('/payment', buildOrder(), { 'idempotency-key': 'key-1' })
    expect(response.status).toBe(409)
    expect(await json(response)).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  })

  it('refuses an Idempotency-Key beyond 255 characters', async () => {
    const response = await h.post('/payment', buildOrder(), { 'idempotency-key': 'k'.repeat(256) })
    expect([response.status, (await json(response)).code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it.each([
    ['request_id', '1234567890123456'],
    ['request_id', 'a b'],
    ['amount_due', 0],
    ['amount_due', -5],
    ['amount_due', 1.005],
    ['amount_due', '5000'],
    ['currency', 'naira'],
    ['sname', ' '],
    ['fname', undefined],
    ['email', 'nobody'],
    ['regnum', 'x'.repeat(501)],
    ['callback_url', 'ftp://elsewhere.test/return'],
    ['callback_url', '/return'],
    ['callback_url', 'javascript:alert(1)'],
    ['callback_url', 'http://localhost:8080@elsewhere.test/'],
  ])('refuses %s = %j and names the field', async (field, value) => {
    const response = await h.post('/payment', buildOrder({ [field]: value }))
    expect(response.status).toBe(400)
    expect(await json(response)).toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: { [field]: expect.any(String) },
    })
  })
})

describe('errors without a message in the schema', () => {
  it.each([[[]], [null], ['text'], [5]])('reports a body that is %j in plain words', async body => {
    const response = await h.post('/payment', body)
    expect(response.status).toBe(400)
    expect(await json(response)).toEqual({
      code: 'VALIDATION_ERROR',
      error: 'Some fields are missing or wrong',
      fields: { body: 'Must be an object' },
    })
  })

  it.each([
    ['status=PAID&status=FAILED', 'status', 'Must be one text value'],
    ['cursor=1.A&cursor=2.B', 'cursor', 'Must be one text value'],
    ['transaction_id=', 'transaction_id', 'Is too short'],
    [`transaction_id=${'x'.repeat(65)}`, 'transaction_id', 'Is too long'],
  ])('reports GET /transaction?%.20s in plain words', async (query, field, words) => {
    const response = await h.call(`/transaction?${query}`)
    expect([response.status, (await json(response)).fields]).toEqual([400, { [field]: words }])
  })
})

describe('reading records', () => {
  it.each(['/payment', '/certificate-payment', '/transaction'])(
    'GET %s/{id} shows the record by either id',
    async path => {
      const { request_id, transaction_id } = await initiate(h)
      const byRequest = await json(await h.call(`${path}/${request_id}`))
      expect(byRequest).toEqual({
        transaction_id,
        request_id,
        transid: transaction_id,
        regnum: 'UG/2019/00123',
        sname: 'Ọláṣẹ́ńí',
        fname: 'Adébáyọ̀',
        email: 'payer@demo.test',
        currency: 'NGN',
        amount_due: 5000,
        amount_paid: 0,
        status_desc: 'PENDING',
        status: 'PENDING',
        code: '',
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      })
      expect(await json(await h.call(`${path}/${transaction_id}`))).toEqual(byRequest)
      const missing = await h.call(`${path}/NOPE`)
      expect([missing.status, (await json(missing)).code]).toEqual([404, 'NOT_FOUND'])
    },
  )

  it('POST /verify/{id} returns the current state', { tags: ['SPEC-7.15'] }, async () => {
    const initiation = await initiate(h)
    await pay(h, initiation)
    expect(await verify(h, initiation.transaction_id)).toEqual({
      request_id: initiation.request_id,
      transaction_id: initiation.transaction_id,
      status: 'APPROVED',
      code: '00',
      amount_paid: 5000,
      currency: 'NGN',
      mode: 'test',
    })
    const missing = await h.call('/verify/NOPE', { method: 'POST' })
    expect([missing.status, (await json(missing)).code]).toEqual([404, 'NOT_FOUND'])
  })

  it('GET /health reports the database', { tags: ['SPEC-7.15'] }, async () => {
    expect(await json(await h.call('/health'))).toEqual({ status: 'ok', database: 'ok', mode: 'test' })
  })
})

describe('GET /transaction', () => {
  let harness: Harness
  const ids: string[] = []
  beforeAll(async () => {
    harness = await startHarness()
    for (let day = 0; day < 5; day++) {
      harness.clock.offsetMs = Date.parse(`2030-01-0${day + 1}T12:00:00Z`) - Date.now()
      // Creates two within about a millisecond, which the pagination key must distinguish.
      const pair = await Promise.all([initiate(harness), initiate(harness)])
      ids.push(...pair.map(row => row.request_id))
    }
    await harness.control('settle', { request_id: ids[0], code: '00' })
  })
  afterAll(() => harness.stop())

  async function list(query: string) {
    const response = await harness.call(`/transaction?${query}`)
    return (await response.json()) as {
      transactions: { request_id: string }[]
      count: number
      next_cursor?: string
    }
  }

  it('returns all transactions in pages, newest first, each once', async () => {
    const listedIds: string[] = []
    let cursor = ''
    do {
      const page = await list(`limit=3${cursor && `&cursor=${cursor}`}`)
      expect(page.count).toBe(page.transactions.length)
      listedIds.push(...page.transactions.map(row => row.request_id))
      cursor = page.next_cursor ?? ''
    } while (cursor)
    expect(listedIds).toHaveLength(10)
    expect(new Set(listedIds)).toEqual(new Set(ids))
    expect(new Set(listedIds.slice(0, 2))).toEqual(new Set(ids.slice(8)))
  })

  it('filters by status, by ID and by UTC days, the last day included', async () => {
    expect((await list('status=approved')).transactions.map(row => row.request_id)).toEqual([ids[0]])
    expect((await list('status=PAID')).transactions.map(row => row.request_id)).toEqual([ids[0]])
    expect((await list(`transaction_id=${ids[3]}`)).count).toBe(1)
    expect((await list('date_from=2030-01-02&date_to=2030-01-03')).count).toBe(4)
    expect((await list('date_to=2030-01-01')).count).toBe(2)
    expect((await list('date_from=2030-01-05T12:30:00Z')).count).toBe(0)
  })

  it.each(['limit=101', 'limit=0', 'status=GONE', 'date_from=yesterday', 'cursor=x'])(
    'refuses %s',
    async query => {
      const response = await harness.call(`/transaction?${query}`)
      expect([response.status, (await json(response)).code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )
})

describe('invoices', () => {
  it('are bills without a checkout, which are paid elsewhere', { tags: ['SPEC-7.15'] }, async () => {
    const { callback_url: _, ...bill } = buildOrder()
    const response = await h.post('/invoice', bill)
    expect(response.status).toBe(201)
    const invoice = await json(response)
    expect(invoice).toMatchObject({
      invoice_id: expect.stringMatching(/^SBX/),
      payment_code: expect.stringMatching(/^\d{12}$/),
      request_id: bill.request_id,
      amount_due: 5000,
      status: 'PENDING',
    })
    expect((await h.post('/invoice', bill)).status).toBe(200)
    await h.control('settle', { request_id: bill.request_id, code: '00' })
    expect(await json(await h.call(`/invoice/${invoice.invoice_id}`))).toMatchObject({
      status: 'APPROVED',
      amount_paid: 5000,
    })
  })

  it('are not found under a payment id', async () => {
    const { request_id } = await initiate(h)
    expect((await h.call(`/invoice/${request_id}`)).status).toBe(404)
  })
})

describe('invalid calls', () => {
  it.each([
    [
      'malformed JSON',
      400,
      'MALFORMED_BODY',
      { headers: { 'content-type': 'application/json' }, body: '{"a":' },
    ],
    [
      'another content type',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { headers: { 'content-type': 'text/plain' }, body: '{}' },
    ],
    ['no content type', 415, 'UNSUPPORTED_MEDIA_TYPE', { body: new Uint8Array([1]) }],
    [
      'a body that is too large',
      413,
      'PAYLOAD_TOO_LARGE',
      { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ a: 'x'.repeat(70_000) }) },
    ],
    [
      'a list as the body',
      400,
      'VALIDATION_ERROR',
      { headers: { 'content-type': 'application/json' }, body: '[]' },
    ],
    [
      'an unknown scenario',
      400,
      'INVALID_SCENARIO',
      {
        headers: { 'content-type': 'application/json', 'x-scenario-key': 'requery:slow' },
        body: JSON.stringify({ ...buildOrder(), callback_url: callbackUrl }),
      },
    ],
  ])('%s gets status %d with code %s', async (_, status, code, init) => {
    const response = await h.call('/payment', { method: 'POST', ...init })
    expect([response.status, (await json(response)).code]).toEqual([status, code])
  })

  it('an unknown address or method is a 404 in JSON', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['DELETE', '/payment/x'],
      ['GET', '/verify/x'],
    ]) {
      const response = await h.call(path ?? '', { method: method ?? '' })
      expect([response.status, (await json(response)).code]).toEqual([404, 'NOT_FOUND'])
    }
  })
})

describe('request ids', () => {
  const id = '5f0c2a52-6c1f-4f6e-9d3c-0a1b2c3d4e5f'

  it('keep the client’s value, in the response and in the log', { tags: ['OPERATIONS-2'] }, async () => {
    const response = await h.call('/health', { headers: { 'x-request-id': id } })
    expect(response.headers.get('x-request-id')).toBe(id)
    expect(h.logs.filter(line => line.request_id === id)).toMatchObject([
      { event: 'request', route: '/health' },
    ])
  })

  it('replace an invalid value', async () => {
    const response = await h.call('/health', { headers: { 'x-request-id': `${id} and more` } })
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/)
  })
})
