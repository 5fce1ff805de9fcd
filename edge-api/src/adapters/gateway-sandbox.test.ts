import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHangSignal } from '@portal/fixtures/hang-guards'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GatewayRefusal, type Order } from '../payment-gateway.ts'
import { sandboxGateway } from './gateway-sandbox.ts'

/*
 * Tests the adapter over HTTP against a small server that behaves as the gateway's documentation says, and that can simulate
 * faults.
 */

let server: Server
let url: string
let receivedRequests: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[]
let respond: (request: IncomingMessage, response: ServerResponse) => void

beforeEach(async () => {
  receivedRequests = []
  server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    receivedRequests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
    })
    respond(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

const SECRET = 'whsec-of-the-adapter-test'
const gateway = () => sandboxGateway({ url, webhookSecret: `${SECRET},an-older-secret`, fetch })
const signal = createHangSignal
const respondWith = (status: number, body: unknown) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
const AMOUNT = { minor: 500_010, currency: 'NGN' } as const

const order: Order = {
  reference: 'CV0123456789ABC',
  amount: AMOUNT,
  customer: { firstname: 'Ṣadé', lastname: 'Bello', email: 'sade@users.test', phone: '', address: '' },
  description: 'UG/2019/00123',
  display: { purpose: 'Certificate verification UG/2019/00123', payee: 'Ìmọ́lẹ̀ University' },
  returnUrl: 'http://localhost:8080/api/payments/return',
  expiresAt: new Date('2026-01-15T12:30:00Z'),
  idempotencyKey: 'CVF000000000000000000000',
}
const buildInitiationReply = () => ({
  transaction_id: 'SBX1',
  request_id: order.reference,
  payment_code: '123456789012',
  payment_url: `${url}/checkout/entry`,
  payment_data: { amount: '5000.10', hash: 'ab' },
  expires_at: '2026-01-15T12:25:00.000Z',
})
const verified = {
  request_id: order.reference,
  transaction_id: 'SBX1',
  status: 'APPROVED',
  code: '00',
  amount_paid: 5000.1,
  currency: 'NGN',
  mode: 'test',
}

test('initiate sends major units, our reference and the key, and reads the address of the payment page', async () => {
  respond = respondWith(201, buildInitiationReply())
  expect(await gateway().initiate(order, signal())).toEqual({
    paymentUrl: `${url}/checkout/entry`,
    fields: { amount: '5000.10', hash: 'ab' },
    providerRef: 'SBX1',
    expiresAt: new Date('2026-01-15T12:25:00Z'),
  })
  expect(receivedRequests).toMatchObject([{ method: 'POST', path: '/payment' }])
  expect(receivedRequests[0]?.headers['idempotency-key']).toBe(order.idempotencyKey)
  expect(JSON.parse(receivedRequests[0]?.body ?? '')).toEqual({
    request_id: order.reference,
    amount_due: 5000.1,
    currency: 'NGN',
    sname: 'Bello',
    fname: 'Ṣadé',
    email: 'sade@users.test',
    regnum: 'UG/2019/00123',
    purpose: 'Certificate verification UG/2019/00123',
    payee: 'Ìmọ́lẹ̀ University',
    callback_url: order.returnUrl,
  })
})

test.each([400, 401, 409, 422])('a %d in reply to initiate is a refusal', async status => {
  respond = respondWith(status, { error: 'no' })
  await expect(gateway().initiate(order, signal())).rejects.toBeInstanceOf(GatewayRefusal)
})

test.each([302, 408, 429, 500, 503])('a %d in reply to initiate leaves the outcome unknown', async status => {
  respond = (_, response) => {
    response.writeHead(status, { location: 'http://127.0.0.1:9/elsewhere' })
    response.end('<html>')
  }
  const failure = await gateway()
    .initiate(order, signal())
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toBeInstanceOf(GatewayRefusal)
  expect(receivedRequests).toHaveLength(1)
})

test('a closed port is a refusal, but a lost connection is not', async () => {
  respond = (_, response) => response.destroy()
  const connectionFailure = await gateway()
    .initiate(order, signal())
    .catch((error: unknown) => error)
  expect(connectionFailure).not.toBeInstanceOf(GatewayRefusal)
  await new Promise(resolve => server.close(resolve))
  await expect(gateway().initiate(order, signal())).rejects.toBeInstanceOf(GatewayRefusal)
})

test.each([
  ['another reference', { request_id: 'CVXXXXXXXXXXXXX' }],
  ['a card page on another host', { payment_url: 'https://evil.test/checkout' }],
  ['fields that are not text', { payment_data: { amount: 5000 } }],
])('a response to initiate with %s is rejected as invalid', async (_, changes) => {
  respond = respondWith(201, { ...buildInitiationReply(), ...changes })
  await expect(gateway().initiate(order, signal())).rejects.toThrow()
})

test('requery reads the amount exactly, in kobo', async () => {
  respond = respondWith(200, verified)
  expect(await gateway().requery(order.reference, AMOUNT, signal())).toMatchObject({
    outcome: 'succeeded',
    reference: order.reference,
    amountPaid: { minor: 500_010, currency: 'NGN' },
    providerTxnId: 'SBX1',
    mode: 'test',
    code: '00',
    status: 'APPROVED',
  })
  expect(receivedRequests).toMatchObject([{ method: 'POST', path: `/verify/${order.reference}` }])
})

test.each([
  ['PENDING', '', 'pending', undefined],
  ['PROCESSING', '09', 'processing', undefined],
  ['PROCESSING', 'Z0', 'processing', undefined],
  ['PROCESSING', '68', 'processing', 'PAYMENT_TIMEOUT'],
  ['FAILED', '51', 'failed', 'INSUFFICIENT_FUNDS'],
  ['FAILED', '14', 'failed', 'INVALID_CARD'],
  ['FAILED', '05', 'failed', 'CARD_DECLINED'],
  ['FAILED', '54', 'failed', 'CARD_DECLINED'],
  ['FAILED', '91', 'failed', 'PAYMENT_FAILED'],
  ['FAILED', '17', 'cancelled', 'PAYMENT_CANCELLED'],
  ['CANCELLED', 'Z6', 'cancelled', 'PAYMENT_CANCELLED'],
  ['EXPIRED', 'Z5', 'expired', undefined],
  ['SOMETHING_NEW', '00', 'unknown', undefined],
])('the status %s with code "%s" is %s', async (status, code, outcome, declineCode) => {
  respond = respondWith(200, { ...verified, status, code, amount_paid: 0 })
  const reply = await gateway().requery(order.reference, AMOUNT, signal())
  expect(reply.outcome).toBe(outcome)
  expect(reply.declineCode).toBe(declineCode)
  expect(reply.amountPaid).toBeUndefined()
})

test('a 404 response is "not found"', async () => {
  respond = respondWith(404, { error: 'none' })
  expect(await gateway().requery(order.reference, AMOUNT, signal())).toMatchObject({ outcome: 'not_found' })
})

test.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
  ['500', respondWith(500, { error: 'broken' })],
  ['HTML', respondWith(200, '<!doctype html>')],
  ['truncated JSON', respondWith(200, JSON.stringify(verified).slice(0, 40))],
  ['an amount that is text', respondWith(200, { ...verified, amount_paid: '5000.10' })],
  ['a negative amount', respondWith(200, { ...verified, amount_paid: -1 })],
  ['an amount with three decimals', respondWith(200, { ...verified, amount_paid: 5000.101 })],
  ['an unknown mode', respondWith(200, { ...verified, mode: 'demo' })],
  ['a redirect', (_, response) => response.writeHead(302, { location: '/verify/other' }).end()],
  ['a megabyte', respondWith(200, { ...verified, padding: 'x'.repeat(1_000_000) })],
  ['a closed connection', (_, response) => response.destroy()],
])('a requery with the response %s throws', async (_, fault) => {
  respond = fault
  await expect(gateway().requery(order.reference, AMOUNT, signal())).rejects.toThrow()
})

test('a requery that gets no response ends when its signal is aborted', async () => {
  respond = () => undefined
  await expect(gateway().requery(order.reference, AMOUNT, AbortSignal.timeout(50))).rejects.toMatchObject({
    name: 'TimeoutError',
  })
})

const NOW = Date.UTC(2026, 0, 15, 12)
const EVENT = JSON.stringify({
  event_id: 'evt_1',
  event: 'transaction.approved',
  request_id: order.reference,
  transaction_id: 'SBX1',
  status: 'APPROVED',
  code: '00',
  amount_paid: 5000.1,
  currency: 'NGN',
  created_at: '2026-01-15T12:00:00.000Z',
})
const sign = (raw: string, at = NOW, secret = SECRET) => {
  const t = Math.floor(at / 1000)
  return `t=${t},v1=${createHmac('sha512', secret).update(`${t}.${raw}`).digest('hex')}`
}
const parse = (raw: string, signature: string | undefined, now = NOW) =>
  gateway().parseWebhook(
    new TextEncoder().encode(raw),
    new Headers(signature === undefined ? {} : { 'x-sandbox-signature': signature }),
    now,
  )

test('accepts a callback signed with the current or the previous secret', {
  tags: ['FAULT-38'],
}, async () => {
  const webhook = { verified: true, eventKey: 'evt_1', reference: order.reference }
  expect(await parse(EVENT, sign(EVENT))).toEqual(webhook)
  expect(await parse(EVENT, sign(EVENT, NOW, 'an-older-secret'))).toEqual(webhook)
})

test.each<[string, string, string | undefined, number?]>([
  ['unsigned', EVENT, undefined],
  ['with an empty signature', EVENT, ''],
  ['signed by someone else', EVENT, sign(EVENT, NOW, 'not-the-secret')],
  ['altered', EVENT.replace('"00"', '"51"'), sign(EVENT)],
  ['serialised again', JSON.stringify(JSON.parse(EVENT), null, 1), sign(EVENT)],
  ['with a different time than was signed', EVENT, sign(EVENT).replace(/t=\d+/, `t=${NOW / 1000 + 1}`)],
  ['older than five minutes', EVENT, sign(EVENT), NOW + 301_000],
  ['from the future', EVENT, sign(EVENT), NOW - 301_000],
  ['signed, but not JSON', 'hello', sign('hello')],
  ['signed, but without an event id', '{"request_id":"x"}', sign('{"request_id":"x"}')],
])('a callback %s is refused', { tags: ['FAULT-15'] }, async (_, raw, signature, now) => {
  expect((await parse(raw, signature, now)).verified).toBe(false)
})

test('`check` throws unless the gateway is healthy', async () => {
  respond = respondWith(200, { status: 'ok' })
  await gateway().check(signal())
  expect(receivedRequests[0]?.path).toBe('/health')
  respond = respondWith(503, {})
  await expect(gateway().check(signal())).rejects.toThrow()
})
