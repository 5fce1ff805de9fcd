import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { completePayment } from './complete-payment.ts'
import { createMockServer } from './node.ts'
import { createState, type MockState, memoryStore } from './state.ts'

const BASE = 'http://mocks.test/api'
const store = memoryStore()
const server = createMockServer(store)
let state: MockState
let token = ''

// biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape and assert what they expect.
async function send(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(BASE + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.json()
}

beforeAll(() => server.listen())
beforeEach(async () => {
  state = createState()
  store.write(state)
  token = ''
  token = (await send('POST', '/auth/login', { email: personas.otherUser.email, password: DEMO_PASSWORD }))
    .token
})
afterAll(() => server.close())

/** Returns certificate numbers that no one has paid for. */
const unpaidNumbers = (count: number) =>
  state.certificates
    .map(item => item.certificate_number)
    .filter(number => !state.payments.some(payment => payment.certificate_number === number))
    .slice(0, count)

const sendNumbers = (path: string, certificate_numbers: readonly string[]) =>
  send('POST', `/verification/${path}`, { certificate_numbers })

it('checks several numbers, pays for them once, and delivers each result', async () => {
  const numbers = unpaidNumbers(2)
  const [first = '', second = ''] = numbers
  expect(await sendNumbers('verify-bulk', [...numbers, first, 'UG/1901/00001', 'x'])).toMatchObject({
    amount_due: 10000,
    summary: { given: 5, duplicates: 1, payment_required: 2, not_found: 1, invalid: 1 },
  })
  const started = await sendNumbers('process-bulk-payment', numbers)
  expect(started).toMatchObject({ status: 'payment_initiated', amount_paid: 10000 })
  expect((await sendNumbers('process-bulk-payment', numbers)).transaction_id).toBe(started.transaction_id)

  completePayment(state, started.transaction_id, 'pay')
  const path = `/verification/check-verification-status/${started.transaction_id}`
  expect(await send('GET', path)).toMatchObject({
    status: 'paid',
    message: '2 of 2 certificates verified.',
    amount_paid: 10000,
    certificate: null,
    items: [{ certificate_number: first }, { certificate_number: second, letter: { status: 'valid' } }],
  })
  const single = await send('GET', `${path}?certificate_number=${encodeURIComponent(second)}`)
  expect(single).toMatchObject({ certificate_number: second, verification_template: { signature: {} } })
  const { history } = await send('GET', '/verification/history?per_page=2')
  expect(history).toMatchObject([{ payment_items: 2, amount_paid: 5000 }, { payment_items: 2 }])
  expect((await sendNumbers('process-bulk-payment', numbers)).status).toBe('already_paid')
})

it('leaves all numbers unpaid after a failed payment', async () => {
  const numbers = unpaidNumbers(2)
  const started = await sendNumbers('process-bulk-payment', numbers)
  completePayment(state, started.transaction_id, 'decline')
  expect((await sendNumbers('verify-bulk', numbers)).summary.payment_required).toBe(2)
})

it('requires another payment for a certificate that was deleted and added again', async () => {
  const [number = ''] = unpaidNumbers(1)
  const started = await sendNumbers('process-bulk-payment', [number])
  completePayment(state, started.transaction_id, 'pay')
  const row = state.certificates.find(certificate => certificate.certificate_number === number)
  if (row) row.id = 'certificate-again'
  expect((await sendNumbers('verify-bulk', [number])).summary.payment_required).toBe(1)
})
