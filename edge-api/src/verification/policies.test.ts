import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { insertSession } from '../accounts/session-store.ts'
import { signToken } from '../accounts/tokens.ts'
import { createApp } from '../app.ts'
import { Fault } from '../fault.ts'
import type { Principal } from '../principal.ts'

/* Tests policies, limits and gateway requests through the whole app, with a stopped clock. */

let setup: TestSetup
let app: ReturnType<typeof createApp>
beforeEach(async () => {
  setup = await openTestSetup()
  app = createApp(setup.ports)
})
afterEach(() => setup.close())

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

interface Reply {
  status: number
  body: Record<string, unknown>
  headers: Headers
}

async function newSignedInUser(): Promise<Principal & { token: string }> {
  const user = await setup.newUser()
  const sessionId = crypto.randomUUID()
  const issuedAt = setup.ports.time
  const expiresAt = issuedAt + 30 * 24 * HOUR
  await setup.database.write(tx =>
    insertSession(tx, { id: sessionId, userId: user.id, createdAt: issuedAt, expiresAt }),
  )
  const session = { userId: user.id, sessionId, role: 'user', issuedAt, expiresAt }
  return { ...user, token: await signToken(session, setup.ports.environment.JWT_SECRETS) }
}

async function call(
  method: string,
  path: string,
  { token, body, address = '192.0.2.7' }: { token?: string; body?: unknown; address?: string } = {},
): Promise<Reply> {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const request = new Request(`http://localhost:8080/api/verification${path}`, init)
  const response = await app.fetch(request, { peerAddress: address })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

const check = (token: string, certificate_number: string) =>
  call('POST', '/check-certificate', { token, body: { certificate_number } })
const pay = (token: string, certificate_number: string) =>
  call('POST', '/process-payment', { token, body: { certificate_number } })
const unknownNumber = (turn: number) => `UG/1998/${String(turn).padStart(5, '0')}`

test('after 20 misses an hour, an account is refused known numbers too, and other accounts are not affected', {
  tags: ['QUALITY-33'],
}, async () => {
  const { token } = await newSignedInUser()
  const knownCertificate = await setup.newCertificate()
  for (let turn = 0; turn < 20; turn++) {
    const missed =
      turn % 2 === 0 ? await check(token, unknownNumber(turn)) : await pay(token, unknownNumber(turn))
    expect(missed.status).toBe(turn % 2 === 0 ? 404 : 200)
  }
  for (const number of [unknownNumber(99), knownCertificate]) {
    const refused = await check(token, number)
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await pay(token, number)).status).toBe(429)
  }
  expect((await check((await newSignedInUser()).token, knownCertificate)).status).toBe(200)
  setup.ports.time += HOUR + MINUTE
  expect((await check(token, knownCertificate)).status).toBe(200)
})

test('an open attempt can be continued even if no misses are left', async () => {
  const { token } = await newSignedInUser()
  const number = await setup.newCertificate()
  const first = await pay(token, number)
  for (let turn = 0; turn < 20; turn++) await check(token, unknownNumber(turn))
  expect((await pay(token, number)).body).toEqual(first.body)
  setup.ports.time += 31 * MINUTE
  expect((await pay(token, number)).status).toBe(429)
})

test('certificates that were paid for can be viewed without limit', async () => {
  const user = await newSignedInUser()
  const number = await setup.newCertificate()
  await setup.setFee(0)
  expect((await pay(user.token, number)).body.status).toBe('already_paid')
  await setup.setFee(500_000)
  for (let turn = 0; turn < 20; turn++) await check(user.token, unknownNumber(turn))
  expect(await check(user.token, number)).toMatchObject({ status: 200, body: { status: 'already_paid' } })
})

test('an account can look up 100 known, unpaid numbers an hour', async () => {
  const { token } = await newSignedInUser()
  const number = await setup.newCertificate()
  for (let turn = 0; turn < 100; turn++) expect((await check(token, number)).status).toBe(200)
  expect((await check(token, number)).status).toBe(429)
})

test('under charge, known and unknown numbers get the same response until they are paid for', {
  tags: ['QUALITY-27', 'QUALITY-33'],
}, async () => {
  await setup.setPolicy('charge')
  const { token } = await newSignedInUser()
  const knownCertificate = await setup.newCertificate()
  for (const number of [knownCertificate, unknownNumber(1)]) {
    expect((await check(token, number)).body).toEqual({ status: 'payment_required' })
    const started = await pay(token, number)
    expect(started.body).toMatchObject({ status: 'payment_initiated', amount_paid: 5000 })
    setup.gateway.setOutcome(String(started.body.payment_reference), 'succeeded')
    const paid = await call('GET', `/check-verification-status/${started.body.transaction_id}`, { token })
    expect(paid.body).toMatchObject(
      number === knownCertificate
        ? { status: 'paid', verification_status: 'success', resolution: 'verified' }
        : {
            status: 'paid',
            verification_status: 'not_found',
            resolution: 'not_found',
            message: 'Payment completed but certificate not found in database',
            certificate: null,
            letter: null,
            amount_paid: 5000,
          },
    )
  }
  const { body } = await call('GET', '/statistics', { token })
  expect(body.statistics).toMatchObject({
    total_verifications: 2,
    successful_verifications: 1,
    failed_verifications: 1,
    success_rate: 50,
    total_amount_spent: 10000,
  })
  const history = await call('GET', '/history', { token })
  expect(history.body.counters).toEqual({ total: 2, successful: 1, not_found: 1 })
})

test('a number that was not found when paid for can be checked and paid for again later', async () => {
  await setup.setPolicy('charge')
  const { token } = await newSignedInUser()
  const first = await pay(token, unknownNumber(1))
  setup.gateway.setOutcome(String(first.body.payment_reference), 'succeeded')
  await call('GET', `/payment-status/${first.body.transaction_id}`, { token })
  setup.ports.time += MINUTE
  const second = await pay(token, unknownNumber(1))
  setup.gateway.setOutcome(String(second.body.payment_reference), 'succeeded')
  const { body } = await call('GET', `/payment-status/${second.body.transaction_id}`, { token })
  expect(body).toMatchObject({ status: 'paid', resolution: 'not_found' })
})

test('status checks requery the gateway at most once every 5 s per payment', async () => {
  const { token } = await newSignedInUser()
  const { body } = await pay(token, await setup.newCertificate())
  const readStatus = () => call('GET', `/check-verification-status/${body.transaction_id}`, { token })
  await Promise.all(Array.from({ length: 10 }, readStatus))
  expect(setup.gateway.requeries).toBe(1)
  setup.ports.time += 4 * SECOND
  await readStatus()
  expect(setup.gateway.requeries).toBe(1)
  setup.ports.time += SECOND
  await Promise.all([readStatus(), call('GET', `/public/payment-status/${body.transaction_id}`)])
  expect(setup.gateway.requeries).toBe(2)
})

test.each<[string, () => Promise<never>]>([
  ['times out', async () => Promise.reject(new DOMException('late', 'TimeoutError'))],
  ['returns invalid JSON', async () => Promise.reject(new SyntaxError('Unexpected token <'))],
])(
  'a requery that %s does not make the status check fail: it reports pending, and recovers',
  async (_, fault) => {
    const { token } = await newSignedInUser()
    const { body } = await pay(token, await setup.newCertificate())
    setup.gateway.setOutcome(String(body.payment_reference), 'succeeded')
    setup.gateway.onRequery = fault
    const readStatus = () => call('GET', `/check-verification-status/${body.transaction_id}`, { token })
    expect(await readStatus()).toMatchObject({ status: 200, body: { status: 'pending' } })
    setup.gateway.onRequery = async (_reference, proceed) => proceed()
    setup.ports.time += 6 * SECOND
    expect(await readStatus()).toMatchObject({ status: 200, body: { status: 'paid' } })
  },
)

test('if the gateway’s answer cannot be stored, a status check reports the last known status, and the next requery the new one', async () => {
  const { token } = await newSignedInUser()
  const started = (await pay(token, await setup.newCertificate())).body
  setup.gateway.setOutcome(String(started.payment_reference), 'succeeded')
  const readStatus = () => call('GET', `/check-verification-status/${started.transaction_id}`, { token })
  const { write } = setup.database
  setup.database.write = async () => {
    throw new Fault('DATABASE_UNAVAILABLE', { retryAfter: 1 })
  }
  expect(await readStatus()).toMatchObject({ status: 200, body: { status: 'pending' } })
  expect(setup.ports.lines).toContainEqual({ level: 'warn', event: 'status_check_failed', cause: 'Fault' })
  setup.database.write = write
  // The first status check failed, but its requery stays reserved for 5 s.
  expect((await readStatus()).body.status).toBe('pending')
  setup.ports.time += 5 * SECOND
  expect((await readStatus()).body.status).toBe('paid')
  expect((await setup.readRows()).fulfilments).toHaveLength(1)
})

test('a second payment for the same certificate shows the letter of the first, and a refund due', {
  tags: ['FAULT-26'],
}, async () => {
  const user = await newSignedInUser()
  const number = await setup.newCertificate()
  const first = await pay(user.token, number)
  setup.gateway.setOutcome(String(first.body.payment_reference), 'expired')
  const readStatus = (id: unknown) => call('GET', `/payment-status/${id}`, { token: user.token })
  expect((await readStatus(first.body.transaction_id)).body).toMatchObject({
    status: 'failed',
    code: 'PAYMENT_TIMEOUT',
  })
  const second = await pay(user.token, number)
  for (const { body } of [second, first])
    setup.gateway.setOutcome(String(body.payment_reference), 'succeeded')
  setup.ports.time += 6 * SECOND
  const one = await readStatus(second.body.transaction_id)
  const two = await readStatus(first.body.transaction_id)
  expect(one.body).toMatchObject({ status: 'paid', resolution: 'verified' })
  expect(two.body).toMatchObject({
    status: 'paid',
    verification_status: 'success',
    resolution: 'refund_due',
    letter: one.body.letter,
    verification_template: one.body.verification_template,
  })
  const history = await call('GET', '/history', { token: user.token })
  // The second payment counts only as an attempt, so that counters and statistics agree.
  expect(history.body.counters).toEqual({ total: 2, successful: 1, not_found: 0 })
  const { body } = await call('GET', '/statistics', { token: user.token })
  expect(body.statistics).toMatchObject({ total_verifications: 1, total_amount_spent: 5000 })
})

test('public tracking allows 30 requests a minute from an IP address, whether the IDs exist or not', {
  tags: ['QUALITY-34'],
}, async () => {
  for (let turn = 0; turn < 30; turn++) {
    expect((await call('GET', '/public/payment-status/CVF1')).status).toBe(404)
  }
  expect((await call('GET', '/public/payment-status/CVF1')).status).toBe(429)
  expect((await call('GET', '/public/payment-status/CVF1', { address: '192.0.2.8' })).status).toBe(404)
})

test('an account that guesses transaction IDs gets 404 responses, and then 429', {
  tags: ['QUALITY-34'],
}, async () => {
  const { token } = await newSignedInUser()
  const { transactionId } = await setup.newPayment()
  for (let turn = 0; turn < 30; turn++) {
    expect((await call('GET', `/payment-status/${transactionId}`, { token })).status).toBe(404)
  }
  expect((await call('GET', `/payment-status/${transactionId}`, { token })).status).toBe(429)
})

test('if an attempt fails at the gateway, the response is 503 with GATEWAY_UNAVAILABLE', async () => {
  const { token } = await newSignedInUser()
  setup.gateway.onInitiate = async () => {
    throw new Error('500')
  }
  const refused = await pay(token, await setup.newCertificate())
  expect(refused).toMatchObject({ status: 503, body: { code: 'GATEWAY_UNAVAILABLE' } })
  expect(refused.headers.get('retry-after')).toBe('5')
})

test('fault 29: a payment is synced even if its account has been disabled since', {
  tags: ['FAULT-29'],
}, async () => {
  const { reference, user, transactionId } = await setup.newPayment()
  await setup.disable(user)
  setup.gateway.setOutcome(reference, 'succeeded')
  expect((await call('GET', `/public/payment-status/${transactionId}`)).body.status).toBe('paid')
})
