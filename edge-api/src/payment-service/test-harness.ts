/** Test harness: the service on a real port with its own database file, and a receiver of its webhooks. */
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from '../listener/listen.ts'
import { createPaymentService } from './app.ts'
import { openDatabase } from './schema.ts'
import type { Config } from './service.ts'

export const secret = 'test-webhook-secret-0123456789'
export const controlToken = 'test-control-token-0123456789'
export const publicUrl = 'http://localhost:8080'
export const callbackUrl = `${publicUrl}/api/payments/return?from=gateway`

export type Json = Record<string, unknown>

/** A received webhook. Its signature was checked with Node's own crypto. */
export type ReceivedWebhook = {
  body: Json
  raw: string
  signature: string
  hasValidSignature: boolean
  at: number
}

export type Harness = Awaited<ReturnType<typeof startHarness>>

export async function startHarness(overrides: Partial<Config> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'payment-service-'))
  const hooks: ReceivedWebhook[] = []
  const responses: number[] = []
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8')
      const signature = String(request.headers['x-sandbox-signature'])
      hooks.push({
        body: JSON.parse(raw),
        raw,
        signature,
        hasValidSignature: isGenuine(signature, raw),
        at: Date.now(),
      })
      response.writeHead(responses.shift() ?? 200).end()
    })
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))

  const logs: Json[] = []
  const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) }
  const file = join(directory, 'payments.db')
  const { db, close } = await openDatabase(`file:${file}`)
  const config: Config = {
    paymentUrl: 'http://localhost:8081',
    publicUrl,
    webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`,
    webhookSecret: secret,
    controlToken,
    holdMs: 60_000,
    ...overrides,
  }
  const service = createPaymentService({ db, clock, fetch, config, log: entry => logs.push(entry) })
  const server = await listen({ hostname: '127.0.0.1', port: 0, fetch: r => service.app.fetch(r) })
  const base = `http://127.0.0.1:${server.port}`

  function call(path: string, init: RequestInit = {}) {
    return fetch(base + path, { redirect: 'manual', ...init })
  }

  function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const json = { 'content-type': 'application/json', ...headers }
    return call(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
  }

  function form(path: string, fields: Record<string, string>) {
    return call(path, { method: 'POST', body: new URLSearchParams(fields) })
  }

  return {
    base,
    file,
    directory,
    hooks,
    /** Status codes with which the receiver answers the next webhooks; once used up, 200. */
    responses,
    logs,
    clock,
    service,
    call,
    post,
    form,
    control: (path: string, body: unknown = {}) =>
      post(`/_control/${path}`, body, { authorization: `Bearer ${controlToken}` }),
    async stop() {
      await server.stop(0)
      await service.idle()
      close()
      receiver.closeAllConnections()
      await new Promise(resolve => receiver.close(resolve))
      await rm(directory, { recursive: true })
    },
  }
}

function isGenuine(signature: string, raw: string): boolean {
  const match = /^t=(\d+),v1=([0-9a-f]{128})$/.exec(signature)
  return match?.[2] === createHmac('sha512', secret).update(`${match?.[1]}.${raw}`).digest('hex')
}

let orders = 0

/** Returns a valid order with its own request ID. */
export function buildOrder(changes: Json = {}): Json & { request_id: string } {
  orders += 1
  return {
    request_id: `ORDER-${orders}`,
    amount_due: 5000,
    currency: 'NGN',
    sname: 'Ọláṣẹ́ńí',
    fname: 'Adébáyọ̀',
    email: 'payer@demo.test',
    regnum: 'UG/2019/00123',
    callback_url: callbackUrl,
    ...changes,
  }
}

export async function json(response: Response): Promise<Json> {
  const body: unknown = await response.json()
  if (typeof body !== 'object' || body === null) throw new Error('The response is not a JSON object')
  return { ...body }
}

export type InitiatedPayment = {
  request_id: string
  transaction_id: string
  payment_data: Record<string, string>
}

/** Places an order and returns the merchant's response. */
export async function initiate(
  h: Harness,
  changes: Json = {},
  headers: Record<string, string> = {},
): Promise<InitiatedPayment> {
  const response = await h.post('/payment', buildOrder(changes), headers)
  if (response.status !== 201) throw new Error(`initiate returned ${response.status}`)
  return (await response.json()) as InitiatedPayment
}

/** Opens the checkout in a browser; returns its path. */
export async function openCheckout(h: Harness, initiated: InitiatedPayment): Promise<string> {
  const response = await h.form('/checkout/entry', initiated.payment_data)
  const location = response.headers.get('location')
  if (response.status !== 303 || !location) throw new Error(`entry returned ${response.status}`)
  return location
}

export const goodCard = { number: '5060990000000000019', expiry: '12/40', cvv: '123' }

/** Pays on the card page; returns the checkout's path and the response. */
export async function pay(h: Harness, initiated: InitiatedPayment, number = goodCard.number) {
  const path = await openCheckout(h, initiated)
  const response = await h.form(`${path}/card`, { ...goodCard, number })
  return { path, answer: response }
}

export async function verify(h: Harness, id: string, headers: Record<string, string> = {}): Promise<Json> {
  return json(await h.call(`/verify/${id}`, { method: 'POST', headers }))
}
