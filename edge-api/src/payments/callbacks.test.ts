import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, ScriptedGateway, type TestSetup } from '../../test/payment-setup.ts'
import { sandboxGateway } from '../adapters/gateway-sandbox.ts'
import { createApp } from '../app.ts'

/* Tests callbacks and browser returns through the whole app, with signatures like those of the sandbox gateway. */

const SECRET = 'webhook-secret-of-the-unit-tests'

class SignedGateway extends ScriptedGateway {
  private readonly sandbox = sandboxGateway({ url: 'http://gateway.test', webhookSecret: SECRET, fetch })
  override parseWebhook = this.sandbox.parseWebhook
}

let setup: TestSetup
let app: ReturnType<typeof createApp>
beforeEach(async () => {
  setup = await openTestSetup(new SignedGateway())
  app = createApp(setup.ports)
})
afterEach(() => setup.close())

const approvalEvent = (reference: string, id = 'evt_1') =>
  JSON.stringify({ event_id: id, event: 'transaction.approved', request_id: reference, status: 'APPROVED' })

function sign(raw: string, at = setup.ports.time, secret = SECRET): string {
  const t = Math.floor(at / 1000)
  return `t=${t},v1=${createHmac('sha512', secret).update(`${t}.${raw}`).digest('hex')}`
}

async function deliver(raw: string, signatureHeader: string | undefined, provider = 'sandbox') {
  const headers = {
    'content-type': 'application/json',
    ...(signatureHeader && { 'x-sandbox-signature': signatureHeader }),
  }
  const url = `http://localhost:8080/api/payments/webhooks/${provider}`
  return app.fetch(new Request(url, { method: 'POST', headers, body: raw }))
}

test('a signed callback is stored, gets the response 200, and starts a requery', async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  const raw = approvalEvent(reference)
  const response = await deliver(raw, sign(raw))
  expect(response.status).toBe(200)
  await setup.waitUntilIdle()
  const rows = await setup.readRows()
  expect(rows.payments[0]?.status).toBe('paid')
  expect(rows.inbox).toMatchObject([
    { provider: 'sandbox', eventKey: 'evt_1', raw, processedAt: setup.ports.time },
  ])
  expect(setup.ports.sent).toHaveLength(1)
})

test('a callback alone changes nothing while the gateway still reports the payment as pending', {
  tags: ['INVARIANT-3'],
}, async () => {
  const { reference } = await setup.newPayment()
  const raw = approvalEvent(reference)
  expect((await deliver(raw, sign(raw))).status).toBe(200)
  await setup.waitUntilIdle()
  expect((await setup.readRows()).payments[0]?.status).toBe('pending')
})

test('fault 7: ten parallel copies of a callback are stored once and lead to one letter, and a later replay does nothing', {
  tags: ['QUALITY-22', 'FAULT-7'],
}, async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  const raw = approvalEvent(reference)
  const responses = await Promise.all(Array.from({ length: 10 }, () => deliver(raw, sign(raw))))
  expect(responses.map(response => response.status)).toEqual(Array(10).fill(200))
  await setup.waitUntilIdle()
  const requeriesBefore = setup.gateway.requeries
  expect((await deliver(raw, sign(raw))).status).toBe(200)
  await setup.waitUntilIdle()
  expect(setup.gateway.requeries).toBe(requeriesBefore)
  const rows = await setup.readRows()
  expect(rows.inbox).toHaveLength(1)
  expect(rows.letters).toHaveLength(1)
})

test('fault 14, 15: unsigned, altered and late callbacks have no effect', {
  tags: ['QUALITY-22', 'FAULT-14', 'FAULT-15'],
}, async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  const raw = approvalEvent(reference)
  const invalidCallbacks: [string, string | undefined][] = [
    [raw, undefined],
    [raw, 't=1,v1=00'],
    [raw, sign(raw, setup.ports.time, 'another secret')],
    [raw.replace('APPROVED', 'FAILED'), sign(raw)],
    [JSON.stringify(JSON.parse(raw), null, 2), sign(raw)],
    [raw, sign(raw, setup.ports.time - 301_000)],
  ]
  for (const [body, signatureHeader] of invalidCallbacks) {
    const response = await deliver(body, signatureHeader)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'UNAUTHENTICATED' })
  }
  await setup.waitUntilIdle()
  const rows = await setup.readRows()
  expect(rows.inbox).toEqual([])
  expect(rows.payments[0]?.status).toBe('pending')
  expect(setup.gateway.requeries).toBe(0)
})

test('a callback is accepted while requeries of its gateway fail, and stays unprocessed until it is retried', async () => {
  const { reference } = await setup.newPayment()
  setup.gateway.onRequery = async () => {
    throw new Error('down')
  }
  const raw = approvalEvent(reference)
  expect((await deliver(raw, sign(raw))).status).toBe(200)
  await setup.waitUntilIdle()
  expect((await setup.readRows()).inbox).toMatchObject([{ processedAt: null, attempts: 1 }])
})

test('if allowed addresses are configured, callbacks from other addresses are refused, even if signed', async () => {
  setup.ports.gateways = { paystack: setup.gateway }
  setup.ports.environment = {
    ...setup.ports.environment,
    PAYMENT_WEBHOOK_ADDRESSES: ['52.31.139.75', '52.49.173.169'],
    TRUST_PROXY: 1,
  }
  const limitedApp = createApp(setup.ports)
  const raw = approvalEvent('CV1')
  const deliverFrom = (address: string) =>
    limitedApp.fetch(
      new Request('http://localhost:8080/api/payments/webhooks/paystack', {
        method: 'POST',
        headers: { 'x-sandbox-signature': sign(raw), 'x-forwarded-for': address },
        body: raw,
      }),
    )
  expect((await deliverFrom('192.0.2.7')).status).toBe(401)
  expect((await deliverFrom('52.31.139.75, 192.0.2.7')).status).toBe(401)
  expect((await setup.readRows()).inbox).toEqual([])
  expect((await deliverFrom('52.49.173.169')).status).toBe(200)
})

test('a callback with an oversized body, an unknown provider or another method than POST is refused', async () => {
  const large = 'x'.repeat(64 * 1024 + 1)
  expect((await deliver(large, sign(large))).status).toBe(413)
  expect((await deliver('{}', sign('{}'), 'unknown')).status).toBe(404)
  expect((await deliver('{}', sign('{}'), 'constructor')).status).toBe(404)
  const get = await app.fetch(new Request('http://localhost:8080/api/payments/webhooks/sandbox'))
  expect(get.status).toBe(405)
})

const returnFromGateway = (query: string, init: RequestInit = {}) =>
  app.fetch(new Request(`http://localhost:8080/api/payments/return${query}`, init))

test('the return from the gateway syncs the payment, and its page names the transaction and can still reach the page that opened it', async () => {
  const { reference, transactionId } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  const response = await returnFromGateway(`?request_id=${reference}&status-code=00&status-msg=Approved`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/html')
  expect(response.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.get('x-robots-tag')).toBe('noindex')
  const html = await response.text()
  expect(html).toContain(`data-transaction="${transactionId}"`)
  expect(html).toContain('<script src="/api/payments/return.js" defer></script>')
  expect(html).not.toMatch(/<script>|onload=|style=/)
  expect((await setup.readRows()).payments[0]?.status).toBe('paid')

  for (const [file, type] of [
    ['return.js', 'text/javascript'],
    ['return.css', 'text/css'],
  ]) {
    const asset = await app.fetch(new Request(`http://localhost:8080/api/payments/${file}`))
    expect(asset.headers.get('content-type')).toContain(type)
  }
})

test('fault 17: a forged return does not mark the payment as paid', { tags: ['FAULT-17'] }, async () => {
  const { reference } = await setup.newPayment()
  const forged = await returnFromGateway('', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ request_id: reference, 'status-code': '00', amount: '5000' }),
  })
  expect(await forged.text()).toContain('data-transaction="CVF')
  await setup.waitUntilIdle()
  expect((await setup.readRows()).payments[0]?.status).toBe('pending')
})

test('a repeated return shows the page each time, but the gateway is requeried at most 60 times a minute', async () => {
  const { reference, transactionId } = await setup.newPayment()
  const pages = []
  for (let times = 0; times < 65; times++) pages.push(await returnFromGateway(`?request_id=${reference}`))
  expect(await pages.at(-1)?.text()).toContain(`data-transaction="${transactionId}"`)
  await setup.waitUntilIdle()
  expect(setup.gateway.requeries).toBe(60)
  setup.ports.time += 61_000
  await returnFromGateway(`?request_id=${reference}`)
  expect(setup.gateway.requeries).toBe(61)
})

test.each(['', '?request_id=CVNOSUCHPAYMENT', '?request_id=%22%3E%3Cscript%3E'])(
  'a return with the query "%s" shows a page that only links back to the portal',
  async query => {
    const response = await returnFromGateway(query)
    expect(response.status).toBe(200)
    const html = await response.text()
    expect(html).not.toContain('data-transaction')
    expect(html).not.toContain('"><script>')
    expect(html).toContain('href="/dashboard/verify"')
  },
)
