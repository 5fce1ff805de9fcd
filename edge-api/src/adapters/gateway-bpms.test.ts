import { createHangSignal } from '@portal/fixtures/hang-guards'
import { expect, test } from 'vitest'
import { startFakeBpms } from '../../test/gateways/fake-bpms.ts'
import type { Order } from '../payment-gateway.ts'
import { bpmsGateway } from './gateway-bpms.ts'

/*
 * Tests BPMS (TICRMS) with the published form and the published input of its hash. No example with values is published, so the
 * hash here was computed from that input with `openssl dgst -sha256 -hmac PRI_KEY_EXAMPLE`.
 */

const options = {
  url: 'https://ticrms.edutams.net/checkout',
  schoolCode: '300000',
  publicKey: 'PUB_KEY_EXAMPLE',
  privateKey: 'PRI_KEY_EXAMPLE',
  revenueCode: 'CV01',
  mode: 'live' as const,
  fetch,
  now: () => Date.UTC(2026, 0, 15, 23, 5, 9),
}
const order: Order = {
  reference: 'CV0123456789ABC',
  amount: { minor: 500_000, currency: 'NGN' },
  customer: {
    firstname: 'Ṣadé',
    lastname: 'Bello',
    email: 'sade@users.test',
    phone: '08031234567',
    address: '',
  },
  description: 'UG/2019/00123',
  returnUrl: 'https://verify.example.org/api/payments/return',
  expiresAt: new Date('2026-01-15T23:30:00Z'),
  idempotencyKey: 'CVF000000000000000000000',
}
const signal = createHangSignal

test('the form has exactly the published fields', async () => {
  expect(await bpmsGateway(options).initiate(order, signal())).toEqual({
    paymentUrl: 'https://ticrms.edutams.net/checkout/entry',
    fields: {
      billed_amount: '5000',
      name: 'Bello Ṣadé',
      school_code: '300000',
      date: '16/01/2026 12:05:09 AM',
      bill_description: 'UG/2019/00123 | Bello Ṣadé',
      customer_phone: '08031234567',
      customer_id: 'UG/2019/00123',
      customer_first_name: 'Ṣadé',
      customer_last_name: 'Bello',
      customer_address: 'N/A',
      customer_fname: 'Ṣadé',
      public_key: 'PUB_KEY_EXAMPLE',
      request_id: 'CV0123456789ABC',
      revenue_code: 'CV01',
      currency: 'NGN',
      callback_url: 'https://verify.example.org/api/payments/return',
      'product-desc': 'UG/2019/00123',
      customer_email: 'sade@users.test',
      hash_type: 'SHA256',
      hash: 'ea8b882a6cf64e8c6b8bac9f50a4fd664bf3c17f0799a7ad0194cdd331d6392b',
    },
  })
})

test.each([
  [1, '0.01'],
  [99, '0.99'],
  [100, '1'],
  [500_010, '5000.10'],
  [899_999_999_999_999, '8999999999999.99'],
])('bills %d kobo as %s naira', async (minor, naira) => {
  const { fields } = await bpmsGateway(options).initiate(
    { ...order, amount: { minor, currency: 'NGN' } },
    signal(),
  )
  expect(fields.billed_amount).toBe(naira)
})

test.each([
  ['+234 803 123 4567', undefined, '08031234567'],
  ['0803-123-4567', undefined, '08031234567'],
  ['', '08000000001', '08000000001'],
  ['+44 20 7946 0000', '08000000001', '08000000001'],
  ['+44 20 7946 0000', undefined, '+44 20 7946 0000'],
])(
  'phone "%s", with "%s" as the fallback for foreign or missing ones, is sent as "%s"',
  async (phone, institution, sent) => {
    const gateway = bpmsGateway({ ...options, phone: institution })
    const { fields } = await gateway.initiate({ ...order, customer: { ...order.customer, phone } }, signal())
    expect(fields.customer_phone).toBe(sent)
  },
)

/** Returns an adapter whose gateway responds with exactly this text. */
const gatewayReturning = (text: string, status = 200) =>
  bpmsGateway({ ...options, fetch: async () => new Response(text, { status }) })
const buildPublishedReply = (paid: unknown) => ({
  request_id: 'CV0123456789ABC',
  payment_code: '720000000001',
  payment_url: 'https://pay.example.org/720000000001',
  status: 'APPROVED',
  updated_at: '2026-01-15 12:00:00',
  raw_response: { status_code: '00', data: { amount_paid: paid } },
})
const requery = (gateway: ReturnType<typeof bpmsGateway>) =>
  gateway.requery(order.reference, order.amount, signal())

test.each([
  [5000, 500_000],
  ['5000', 500_000],
  ['5000.00', 500_000],
  [5000.1, 500_010],
  ['0.1', 10],
  [0.01, 1],
])('converts %j naira to %d kobo', async (paid, minor) => {
  const response = await requery(gatewayReturning(JSON.stringify(buildPublishedReply(paid))))
  expect(response).toMatchObject({ outcome: 'succeeded', amountPaid: { minor, currency: 'NGN' } })
  expect(response).toMatchObject({
    providerTxnId: '720000000001',
    code: '00',
    status: 'APPROVED',
    mode: 'live',
  })
})

test.each([undefined, null, 5000.001, '5,000', '5000.001', -5000, '-5000', '5e3', '', 'NaN', {}])(
  'an approval of the amount %j is rejected',
  async paid => {
    await expect(requery(gatewayReturning(JSON.stringify(buildPublishedReply(paid))))).rejects.toThrow()
  },
)

test('an approval with another code, or none, is rejected', async () => {
  for (const raw of [
    { status_code: '51', data: { amount_paid: 5000 } },
    { data: { amount_paid: 5000 } },
    null,
  ]) {
    const text = JSON.stringify({ ...buildPublishedReply(5000), raw_response: raw })
    const response = await requery(gatewayReturning(text))
    expect(response.outcome).toBe('unknown')
    expect(response.amountPaid).toBeUndefined()
  }
})

test('the requery detects that a payer lowered the amount, which is not signed', async () => {
  const fake = await startFakeBpms()
  try {
    const { schoolCode, publicKey, privateKey } = fake
    const url = `${fake.server.url}/checkout`
    const gateway = bpmsGateway({ ...options, url, schoolCode, publicKey, privateKey, allowLoopback: true })
    const { paymentUrl, fields } = await gateway.initiate(order, signal())
    const loweredFields = new URLSearchParams({ ...fields, billed_amount: '1' })
    expect((await fetch(paymentUrl, { method: 'POST', body: loweredFields })).status).toBe(200)
    fake.endPayment(order.reference, '00')
    const response = await requery(gateway)
    expect(response).toMatchObject({ outcome: 'succeeded', amountPaid: { minor: 100 } })
    expect(JSON.parse(fake.server.requests.at(-1)?.body ?? '')).toEqual({
      public_key: publicKey,
      school_code: schoolCode,
      request_id: order.reference,
    })
  } finally {
    await fake.server.close()
  }
})

test('private and unencrypted addresses are refused before anything is sent', {
  tags: ['QUALITY-32'],
}, () => {
  for (const url of [
    'https://10.0.0.5/checkout',
    'http://ticrms.edutams.net/checkout',
    'http://localhost/c',
  ]) {
    expect(() => bpmsGateway({ ...options, url })).toThrow()
  }
})
