import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitOptions } from '../../test/hang-guards.ts'
import { type Harness, initiate, json, pay, type ReceivedWebhook, startHarness } from './test-harness.ts'
import { retryDelaysMs } from './webhooks.ts'

let h: Harness
const started: Harness[] = []
beforeEach(async () => {
  h = await startHarness()
  started.push(h)
})
afterAll(() => Promise.all(started.map(harness => harness.stop())))

/** Waits until this many webhooks have arrived, and none is being sent. */
async function waitForHooks(count: number): Promise<ReceivedWebhook[]> {
  await vi.waitFor(() => expect(h.hooks.length).toBeGreaterThanOrEqual(count), waitOptions)
  await h.service.idle()
  expect(h.hooks).toHaveLength(count)
  return h.hooks
}

async function listDeliveries() {
  const { deliveries } = await json(
    await h.call('/_control/deliveries', {
      headers: { authorization: 'Bearer test-control-token-0123456789' },
    }),
  )
  return deliveries as { event_id: string; status: string; attempts: number; last_status: number | null }[]
}

function eventsOf(hooks: ReceivedWebhook[]) {
  return hooks.map(hook => hook.body.event)
}

describe('webhooks', () => {
  it('report the end of a payment, with a signature', async () => {
    const began = Date.now()
    const initiated = await initiate(h)
    await pay(h, initiated)
    const [hook] = await waitForHooks(1)
    expect(hook?.body).toEqual({
      event_id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      event: 'transaction.approved',
      request_id: initiated.request_id,
      transaction_id: initiated.transaction_id,
      status: 'APPROVED',
      code: '00',
      amount_paid: 5000,
      currency: 'NGN',
      created_at: expect.stringMatching(/Z$/),
    })
    expect(hook?.hasValidSignature).toBe(true)
    const seconds = Number(/^t=(\d+)/.exec(hook?.signature ?? '')?.[1])
    expect(seconds).toBeGreaterThanOrEqual(Math.floor(began / 1000))
    expect(seconds).toBeLessThanOrEqual(Date.now() / 1000)
  })

  it.each([
    ['5060990000000000514', 'transaction.failed'],
    ['5060990000000000704', 'transaction.pending'],
    ['5060990000000000688', 'transaction.pending'],
    ['5060990000000000027', 'transaction.pending'],
  ])('for card %s report %s', async (number, event) => {
    await pay(h, await initiate(h), number)
    expect(eventsOf(await waitForHooks(1))).toEqual([event])
  })

  it('report cancellation and expiry', async () => {
    const { path } = await pay(h, await initiate(h), '5060990000000000027')
    await h.form(`${path}/cancel`, {})
    await initiate(h)
    await h.control('clock', { advance_seconds: 26 * 60 })
    expect(eventsOf(await waitForHooks(3)).sort()).toEqual([
      'transaction.cancelled',
      'transaction.expired',
      'transaction.pending',
    ])
  })

  it('contain the true time in the signature although the service’s clock was moved', async () => {
    const began = Date.now()
    await h.control('clock', { advance_seconds: 7200 })
    await pay(h, await initiate(h))
    const [hook] = await waitForHooks(1)
    const seconds = Number(/^t=(\d+)/.exec(hook?.signature ?? '')?.[1])
    expect(seconds).toBeGreaterThanOrEqual(Math.floor(began / 1000))
    expect(seconds).toBeLessThanOrEqual(Date.now() / 1000)
  })

  it('are retried with increasing delays and the same event and body, until the receiver responds with 200', async () => {
    h.responses.push(500, 302, 204)
    await pay(h, await initiate(h))
    await waitForHooks(1)
    await h.service.runScheduledJobs()
    // No retry is due yet: delays are whole seconds of the service's time, which the test advances.
    const advances = [1, 5, 30]
    for (const [index, seconds] of advances.entries()) {
      await h.control('clock', { advance_seconds: seconds })
      await h.service.runScheduledJobs()
      await waitForHooks(index + 2)
    }
    const hooks = await waitForHooks(4)
    expect(new Set(hooks.map(hook => hook.raw)).size).toBe(1)
    expect(hooks.every(hook => hook.hasValidSignature)).toBe(true)
    expect(await listDeliveries()).toMatchObject([{ status: 'delivered', attempts: 4, last_status: 200 }])
    await h.control('clock', { advance_seconds: 86_400 })
    await h.service.runScheduledJobs()
    await waitForHooks(4)
  })

  it('are abandoned after the last retry', async () => {
    const tries = retryDelaysMs.length + 1
    h.responses.push(...Array.from({ length: tries }, () => 503))
    await pay(h, await initiate(h))
    await waitForHooks(1)
    for (const wait of retryDelaysMs) {
      await h.control('clock', { advance_seconds: wait / 1000 })
      await h.service.runScheduledJobs()
    }
    await waitForHooks(tries)
    expect(await listDeliveries()).toMatchObject([{ status: 'failed', attempts: tries, last_status: 503 }])
  })

  it('survive a receiver that cannot be reached', async () => {
    const unreachable = await startHarness({ webhookUrl: 'http://127.0.0.1:1/nowhere' })
    started.push(unreachable)
    await pay(unreachable, await initiate(unreachable))
    await unreachable.service.idle()
    const rows = await unreachable.call('/_control/deliveries', {
      headers: { authorization: 'Bearer test-control-token-0123456789' },
    })
    expect(await json(rows)).toMatchObject({
      deliveries: [{ status: 'pending', attempts: 1, last_status: null }],
    })
  })

  it('are delivered once if several runs coincide', async () => {
    await pay(h, await initiate(h), '5060990000000000514')
    await Promise.all([
      h.service.runScheduledJobs(),
      h.service.runScheduledJobs(),
      h.service.runScheduledJobs(),
    ])
    await waitForHooks(1)
  })
})

describe('webhook faults', () => {
  const scenario = (text: string) => ({ 'x-scenario-key': text })

  it('dup: the same event is sent twice', async () => {
    await pay(h, await initiate(h, {}, scenario('webhook:dup')))
    const hooks = await waitForHooks(2)
    expect(hooks[0]?.raw).toBe(hooks[1]?.raw)
  })

  it('late: the event is sent only after half a minute', async () => {
    await pay(h, await initiate(h, {}, scenario('webhook:late')))
    await h.service.idle()
    await h.control('clock', { advance_seconds: 20 })
    await h.service.runScheduledJobs()
    await waitForHooks(0)
    await h.control('clock', { advance_seconds: 11 })
    await waitForHooks(1)
  })

  it('reorder: the pending event is sent after the final one', async () => {
    await pay(h, await initiate(h, {}, scenario('webhook:reorder')))
    const hooks = await waitForHooks(2)
    expect(eventsOf(hooks)).toEqual(['transaction.approved', 'transaction.pending'])
    const [finalAt, pendingAt] = hooks.map(hook => Date.parse(String(hook.body.created_at)))
    expect(pendingAt).toBeLessThanOrEqual(finalAt ?? 0)
  })

  it('reorder: the pending event is sent last even if a one-time password is entered in between', async () => {
    const { path } = await pay(h, await initiate(h, {}, scenario('webhook:reorder')), '5060990000000000027')
    await h.form(`${path}/otp`, { otp: '123456' })
    expect(eventsOf(await waitForHooks(2))).toEqual(['transaction.approved', 'transaction.pending'])
  })

  it('drop: the event is not sent until requested', async () => {
    const initiated = await initiate(h, {}, scenario('webhook:drop'))
    await pay(h, initiated)
    await h.control('clock', { advance_seconds: 86_400 })
    await h.service.runScheduledJobs()
    await waitForHooks(0)
    expect(await listDeliveries()).toMatchObject([{ status: 'dropped' }])
    await h.control('redeliver', { request_id: initiated.request_id })
    const [hook] = await waitForHooks(1)
    expect(hook?.body.event).toBe('transaction.approved')
    expect(hook?.hasValidSignature).toBe(true)
  })

  it('badsig: the signature is invalid', async () => {
    await pay(h, await initiate(h, {}, scenario('webhook:badsig')))
    const [hook] = await waitForHooks(1)
    expect(hook?.signature).toMatch(/^t=\d+,v1=[0-9a-f]{128}$/)
    expect(hook?.hasValidSignature).toBe(false)
  })

  it.each([
    ['amount:-1', 4999.99, 'NGN'],
    ['amount:+1', 5000.01, 'NGN'],
    ['amount:x100', 500_000, 'NGN'],
    ['currency:USD', 5000, 'USD'],
  ])('%s is reported in the same way by webhook and requery', async (text, amount_paid, currency) => {
    const initiated = await initiate(h, {}, scenario(text))
    await pay(h, initiated)
    const [hook] = await waitForHooks(1)
    expect(hook?.body).toMatchObject({ amount_paid, currency })
    const response = await h.call(`/verify/${initiated.request_id}`, { method: 'POST' })
    expect(await json(response)).toMatchObject({ status: 'APPROVED', amount_paid, currency })
  })
})
