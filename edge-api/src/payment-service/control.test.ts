import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { waitOptions } from '../../test/hang-guards.ts'
import {
  buildOrder,
  controlToken,
  type Harness,
  initiate,
  json,
  openCheckout,
  pay,
  startHarness,
  verify,
} from './test-harness.ts'

let h: Harness
beforeAll(async () => {
  h = await startHarness()
})
afterAll(() => h.stop())
afterEach(() => h.control('reset'))

describe('control calls', () => {
  it('do not exist without the right token', async () => {
    const withoutToken = await startHarness({ controlToken: undefined })
    try {
      const bearer = { authorization: `Bearer ${controlToken}` }
      for (const [service, headers] of [
        [h, {}],
        [h, { authorization: 'Bearer wrong' }],
        [h, { authorization: controlToken }],
        [withoutToken, bearer],
        [withoutToken, { authorization: 'Bearer ' }],
        [withoutToken, { authorization: 'Bearer undefined' }],
      ] as const) {
        for (const path of ['scenario', 'settle', 'redeliver', 'clock', 'reset', 'nothing']) {
          const response = await service.post(`/_control/${path}`, {}, { ...headers })
          expect(response.status).toBe(404)
          expect(await json(response)).toEqual({ error: 'This address was not found', code: 'NOT_FOUND' })
        }
        expect((await service.call('/_control/deliveries', { headers: { ...headers } })).status).toBe(404)
      }
    } finally {
      await withoutToken.stop()
    }
  })

  it('refuse unknown parameters', async () => {
    const { request_id } = await initiate(h)
    for (const [path, body, status] of [
      ['scenario', { scenario: 'webhook:sometimes' }, 400],
      ['scenario', {}, 400],
      ['settle', { request_id, code: '99' }, 400],
      ['settle', { request_id: 'NOPE', code: '00' }, 404],
      ['settle', { request_id, code: '00', amount_paid: -1 }, 400],
      ['redeliver', { request_id }, 404],
      ['clock', { advance_seconds: 'soon' }, 400],
    ] as const) {
      expect([path, body, (await h.control(path, body)).status]).toEqual([path, body, status])
    }
  })
})

describe('settle', () => {
  it('ends a transaction like its card page, including the webhook', async () => {
    const { request_id, transaction_id } = await initiate(h)
    const response = await h.control('settle', { request_id, code: '00' })
    expect(await json(response)).toEqual({
      request_id,
      transaction_id,
      status: 'APPROVED',
      code: '00',
      amount_paid: 5000,
      currency: 'NGN',
    })
    await vi.waitFor(
      () => expect(h.hooks.some(hook => hook.body.request_id === request_id)).toBe(true),
      waitOptions,
    )
  })

  it('can be repeated, from any status to any other, and sends one event each time', async () => {
    const { request_id } = await initiate(h)
    const steps = [
      ['51', 'FAILED'],
      ['00', 'APPROVED'],
      ['00', 'APPROVED'],
      ['Z5', 'EXPIRED'],
      ['00', 'APPROVED'],
      ['Z6', 'CANCELLED'],
      ['Z0', 'PROCESSING'],
    ]
    for (const [code, status] of steps) {
      await h.control('settle', { request_id, code })
      expect(await verify(h, request_id)).toMatchObject({ status, code })
    }
    const hooksOfPayment = () => h.hooks.filter(hook => hook.body.request_id === request_id)
    await vi.waitFor(() => expect(hooksOfPayment()).toHaveLength(steps.length), waitOptions)
    expect(new Set(hooksOfPayment().map(hook => hook.body.event_id)).size).toBe(steps.length)
    expect(hooksOfPayment().map(hook => hook.body.code)).toEqual(steps.map(([code]) => code))
  })

  it('accepts another amount and currency', async () => {
    const { request_id } = await initiate(h)
    await h.control('settle', { request_id, code: '00', amount_paid: 4999.99, currency: 'USD' })
    expect(await verify(h, request_id)).toMatchObject({ amount_paid: 4999.99, currency: 'USD' })
    expect(await json(await h.call(`/payment/${request_id}`))).toMatchObject({
      amount_due: 5000,
      amount_paid: 4999.99,
      currency: 'NGN',
    })
  })
})

describe('scenarios at initiation', () => {
  it('500: the call fails and stores nothing', async () => {
    const body = buildOrder()
    expect((await h.post('/payment', body, { 'x-scenario-key': 'initiate:500' })).status).toBe(500)
    expect((await h.call(`/verify/${body.request_id}`, { method: 'POST' })).status).toBe(404)
  })

  it('timeout: the client gets no response, although the transaction exists', async () => {
    const body = buildOrder()
    const response = h.call('/payment', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-scenario-key': 'initiate:timeout' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(700),
    })
    await expect(response).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(await verify(h, body.request_id)).toMatchObject({ status: 'PENDING' })
  })

  it('timeout: the response is finally a 504', async () => {
    const quick = await startHarness({ holdMs: 20 })
    try {
      const response = await quick.post('/payment', buildOrder(), { 'x-scenario-key': 'initiate:timeout' })
      expect([response.status, (await json(response)).code]).toEqual([504, 'TIMEOUT'])
    } finally {
      await quick.stop()
    }
  })
})

describe('scenarios at requery', () => {
  async function createPaidPayment(headers: Record<string, string> = {}) {
    const initiated = await initiate(h, {}, headers)
    await pay(h, initiated)
    return initiated.request_id
  }

  const faults: [string, (response: Response) => Promise<void>][] = [
    ['500', async response => expect(response.status).toBe(500)],
    [
      'html',
      async response => {
        expect(response.headers.get('content-type')).toContain('text/html')
        await expect(response.json()).rejects.toThrow()
      },
    ],
    [
      'stale',
      async response =>
        expect(await json(response)).toMatchObject({ status: 'PENDING', code: '', amount_paid: 0 }),
    ],
    [
      'notfound',
      async response => {
        expect(response.status).toBe(404)
        expect((await json(response)).code).toBe('NOT_FOUND')
      },
    ],
  ]

  it.each(faults)('%s applies to a single call if set in its header', async (fault, check) => {
    const id = await createPaidPayment()
    const headers = { 'x-scenario-key': `requery:${fault}` }
    await check(await h.call(`/verify/${id}`, { method: 'POST', headers }))
    expect(await verify(h, id)).toMatchObject({ status: 'APPROVED' })
  })

  it.each(faults)('%s applies to a single transaction if set at initiation', async (fault, check) => {
    const id = await createPaidPayment({ 'x-scenario-key': `requery:${fault}` })
    await check(await h.call(`/verify/${id}`, { method: 'POST' }))
    await check(await h.call(`/verify/${id}`, { method: 'POST' }))
    expect(await verify(h, await createPaidPayment())).toMatchObject({ status: 'APPROVED' })
  })

  it.each(faults)(
    '%s applies to all later requests, until changed, if set by a control call',
    async (fault, check) => {
      const id = await createPaidPayment()
      await h.control('scenario', { scenario: `requery:${fault}` })
      await check(await h.call(`/verify/${id}`, { method: 'POST' }))
      await h.control('scenario', { scenario: '' })
      expect(await verify(h, id)).toMatchObject({ status: 'APPROVED' })
    },
  )

  it('timeout: the client gets no response', async () => {
    const id = await createPaidPayment()
    const response = h.call(`/verify/${id}`, {
      method: 'POST',
      headers: { 'x-scenario-key': 'requery:timeout' },
      signal: AbortSignal.timeout(500),
    })
    await expect(response).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('the seed makes the choice among alternatives the same in every run', async () => {
    const id = await createPaidPayment()
    const collectStatuses = async () => {
      await h.control('scenario', { scenario: 'requery:500|notfound|ok&seed:3' })
      const statuses: number[] = []
      for (let i = 0; i < 12; i++) statuses.push((await h.call(`/verify/${id}`, { method: 'POST' })).status)
      return statuses
    }
    const first = await collectStatuses()
    expect(new Set(first)).toEqual(new Set([200, 404, 500]))
    expect(await collectStatuses()).toEqual(first)
  })
})

describe('clock and reset', () => {
  it('advancing the clock moves this service’s time, and only a reset moves it back', async () => {
    const before = Date.now()
    const { now, advanced_seconds } = await json(await h.control('clock', { advance_seconds: 3600 }))
    expect(Date.parse(String(now)) - before).toBeGreaterThanOrEqual(3_600_000)
    expect(advanced_seconds).toBe(3600)
    expect(await json(await h.control('clock', { advance_seconds: -600 }))).toMatchObject({
      advanced_seconds: 3000,
    })
  })

  it('reset clears scenario and clock, and keeps every transaction', async () => {
    const { request_id } = await initiate(h)
    await h.control('scenario', { scenario: 'requery:500' })
    await h.control('clock', { advance_seconds: 60 })
    expect(await json(await h.control('reset'))).toEqual({ scenario: '', advanced_seconds: 0 })
    expect(await verify(h, request_id)).toMatchObject({ status: 'PENDING' })
    expect(await json(await h.control('clock', { advance_seconds: 0 }))).toMatchObject({
      advanced_seconds: 0,
    })
  })

  it('deliveries are listed newest first, and on request only those of one order', async () => {
    const initiated = await initiate(h)
    const { path } = await pay(h, initiated, '5060990000000000027')
    await h.form(`${path}/otp`, { otp: '123456' })
    await h.service.idle()
    const headers = { authorization: `Bearer ${controlToken}` }
    const response = await h.call(`/_control/deliveries?request_id=${initiated.request_id}`, { headers })
    expect(await json(response)).toMatchObject({
      deliveries: ['transaction.approved', 'transaction.pending'].map(event => ({
        request_id: initiated.request_id,
        event_id: expect.stringMatching(/^evt_/),
        event,
        status: 'delivered',
        attempts: 1,
      })),
    })
  })

  it('an open checkout still works after a reset', async () => {
    const initiated = await initiate(h)
    const path = await openCheckout(h, initiated)
    await h.control('reset')
    expect((await h.call(path)).status).toBe(200)
  })
})
