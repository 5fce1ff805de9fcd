import { createHangSignal } from '@portal/fixtures/hang-guards'
import { expect, test } from 'vitest'
import { startFakeInterswitch } from '../../test/gateways/fake-interswitch.ts'
import type { Order } from '../payment-gateway.ts'
import { hashWithMacKey, type InterswitchAccount, interswitchGateway } from './gateway-interswitch.ts'

/*
 * Tests the examples that Interswitch publishes under https://sandbox.interswitchng.com/docbase/docs/ (the page is named at
 * each test), with the demonstration keys that those pages publish for everyone.
 */

const DEMO_KEY =
  'D3D1D05AFE42AD50818167EAC73C109168A0F108F32645C8B59E897FA930DA44F9230910DAC9E20641823799A107A02068F7BC0F4CC41D2952E249552255710F'
const DIRECT_KEY =
  'E187B1191265B18338B5DEBAF9F38FEC37B170FF582D4666DAB1F098304D5EE7F3BE15540461FE92F1D40332FDBBA34579034EE2AC78B1A1B8D9A321974025C4'

const options = {
  payUrl: 'https://webpay.interswitchng.com/collections/w/pay',
  queryUrl: 'https://webpay.interswitchng.com/collections/api/v1/gettransaction.json',
  payItemId: '101',
  account: { productId: '6205', macKey: DEMO_KEY } as InterswitchAccount,
  webhookSecret: 'the-secret-of-the-web-hook',
  mode: 'test' as const,
  fetch,
}
const order: Order = {
  reference: 'MYC_060616_31',
  amount: { minor: 125_000, currency: 'NGN' },
  customer: { firstname: 'Ada', lastname: 'Eze', email: 'ada@users.test', phone: '', address: '' },
  description: 'UG/2019/00123',
  returnUrl: 'http://www.mycompany.com/response/',
  expiresAt: new Date('2026-01-15T12:30:00Z'),
  idempotencyKey: 'CVF000000000000000000000',
}
const signal = createHangSignal

// webpay/payment-transaction-leg/request-hash-calculation, webpay-direct-paydirect-web/…/request-hash-calculation
test.each([
  [
    '6205',
    '79D9AC677F21A44D37D5993FD0E0BCB0FF633F18F82B6472CFD1B21EF26B00C79B4D5B4B7C8C7FD2794B11A77581EA3326B80A94307B9EB6548DE2BA77662088',
  ],
  [
    '6204',
    '785DABC7870760EC4A29C0BB9125C99C72427ACF7D3899F9F77982AE44C9D3F7F44540703C03CF2D68049DE3353C868CAEEDBAD4A7C2D56F2EAB28DAB5038CEB',
  ],
])('for product %s, the form has the published hash', async (productId, published) => {
  const hashOf = (address: string) =>
    hashWithMacKey(['MYC_060616_31', productId, '101', '125000', address], DEMO_KEY)
  expect(await hashOf('http://www.mycompany.com/response/')).toBe(published)
  // The same form, but with our reference in the return address.
  const account = { productId, macKey: DEMO_KEY }
  const { paymentUrl, fields } = await interswitchGateway({ ...options, account }).initiate(order, signal())
  const redirect = 'http://www.mycompany.com/response/?request_id=MYC_060616_31'
  expect(paymentUrl).toBe(options.payUrl)
  expect(fields).toEqual({
    product_id: productId,
    pay_item_id: '101',
    amount: '125000',
    currency: '566',
    site_redirect_url: redirect,
    txn_ref: 'MYC_060616_31',
    cust_id: 'ada@users.test',
    cust_name: 'Eze Ada',
    pay_item_name: 'UG/2019/00123',
    hash: await hashOf(redirect),
  })
})

interface SentRequest {
  url?: string
  headers: Headers
}

/** Returns an adapter whose gateway responds with `body`, and the request that the gateway received. */
function gatewayReturning(
  body: unknown,
  account: InterswitchAccount = { merchantCode: 'MX187' },
  status = 200,
) {
  const sent: SentRequest = { headers: new Headers() }
  const gateway = interswitchGateway({
    ...options,
    account,
    fetch: async (input, init) => {
      sent.url = String(input)
      sent.headers = new Headers(init?.headers)
      return Response.json(body, { status })
    },
  })
  return { gateway, sent }
}

// webpay/transaction-confirmation-leg/hash-computation, webpay-direct-paydirect-web/…/hash-computation
test.each([
  [
    '6205',
    DEMO_KEY,
    'F3D8F93F03329825F4D46082CF100D4BF35D228B30B6AE951D2103832C2A24EA1B84E336B048E435DDEF0A7C1E75D6E680024A14E220ACA2051DB5EAD105E68A',
  ],
  [
    '6204',
    DIRECT_KEY,
    '4F0DE379B7300EDA6459F856FB0B8C7A2B60566A17D5AB1BF72CAAEBEF7062226A618D0FB03C8C686E74F146863CC68EBA6CDEF74FEF7AB3582C9816EE88A512',
  ],
])('for product %s, the requery contains the published hash', async (productId, macKey, published) => {
  const failure = {
    Amount: 0,
    SplitAccounts: [],
    ResponseCode: 'Z25',
    ResponseDescription: 'Transaction not Found',
  }
  const { gateway, sent } = gatewayReturning(failure, { productId, macKey })
  await gateway.requery('MYC_060616_31', { minor: 125_000, currency: 'NGN' }, signal())
  expect(sent.headers.get('Hash')).toBe(published)
  expect(sent.url).toBe(
    `${options.queryUrl}?productid=${productId}&transactionreference=MYC_060616_31&amount=125000`,
  )
})

// interswitch-payment-gateway-mobile-inappsdk-implementation/querying-a-transaction
const approved = {
  Amount: 66_666_600,
  CardNumber: '',
  MerchantReference: '933437251484',
  PaymentReference: 'UBA|API|MX187|25-07-2018|249510|719456',
  RetrievalReferenceNumber: '000647661227',
  SplitAccounts: [],
  TransactionDate: '2018-07-25T06:57:24',
  ResponseCode: '00',
  ResponseDescription: 'Approved by Financial Institution',
  AccountNumber: '9999999999',
}
const requery = (gateway: ReturnType<typeof interswitchGateway>) =>
  gateway.requery('933437251484', { minor: 66_666_600, currency: 'NGN' }, signal())

test('with a merchant code, sends the published requery and reads its published success', async () => {
  const { gateway, sent } = gatewayReturning(approved)
  expect(await requery(gateway)).toMatchObject({
    outcome: 'succeeded',
    reference: '933437251484',
    amountPaid: { minor: 66_666_600, currency: 'NGN' },
    providerTxnId: 'UBA|API|MX187|25-07-2018|249510|719456',
    code: '00',
    status: 'Approved by Financial Institution',
  })
  expect(sent.url).toBe(
    `${options.queryUrl}?merchantcode=MX187&transactionreference=933437251484&amount=66666600`,
  )
  expect(sent.headers.has('Hash')).toBe(false)
})

test.each([
  ['Z1', 'Amount Inconsistency', 'unknown'],
  ['Z25', 'Transaction not Found', 'not_found'],
  // webpay/transaction-confirmation-leg/response-codes
  ['Z1', 'Transaction Error', 'failed'],
  ['Z6', 'Customer cancelled the transaction before payment was made.', 'cancelled'],
  ['51', 'Insufficient funds to make payment.', 'failed'],
  // interswitch-payment-gateway/api-payment/api-http-response-codes
  ['T0', 'An OTP is required before transaction is approved', 'pending'],
  ['S0', 'A Visa 3DSecure is required before transaction is approved', 'pending'],
  ['A8', 'Insufficient Funds', 'failed'],
  ...[
    '32',
    '37',
    '39',
    '40',
    '41',
    '42',
    '43',
    '44',
    '45',
    '47',
    '48',
    '49',
    '50',
    '51',
    '56',
    '57',
    '58',
    '59',
  ].map((code): [string, string, string] => [`E${code}`, 'The request was invalid', 'failed']),
  ['33', 'Expired card', 'failed'],
  // docs.interswitchgroup.com/docs/swol-response-codes: no code is pending
  ['', '', 'pending'],
  [null, null, 'pending'],
])('maps the published failure %s "%s" to %s', async (code, description, outcome) => {
  const body = { Amount: 0, SplitAccounts: [], ResponseCode: code, ResponseDescription: description }
  expect(await requery(gatewayReturning(body).gateway)).toMatchObject({ outcome, reference: '933437251484' })
})

// docs.interswitchgroup.com/docs/payment-response-codes
test.each([
  ['00', 66_666_600],
  ['11', 66_666_600],
  // "Partial": the amount received is compared with the amount due.
  ['10', 40_000_000],
])('reads the final response code %s as a success, with the amount received', async (code, amount) => {
  const { gateway } = gatewayReturning({ ...approved, ResponseCode: code, Amount: amount })
  expect(await requery(gateway)).toMatchObject({ outcome: 'succeeded', amountPaid: { minor: amount } })
})

test('maps every published code to one outcome, which is open only for codes after which money may have been received', async () => {
  const published =
    '00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 36 38 39 40 ' +
    '41 42 43 44 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 75 76 77 78 90 91 92 93 94 95 96 98 A0 A4 A9 E21 ' +
    'E42 E53 E60 S0 T0 X03 X04 X05 XG0 XG1 XS1 Z0 Z1 Z2 Z3 Z4 Z5 Z6 Z7 Z8 Z25 Z61 Z62 Z63 Z64 Z65 Z66 Z67 Z68 Z69 Z70 ' +
    'Z71 Z72 Z73 Z74 Z76 Z77 Z80 Z81 Z82 Z162 10400 10403 10500'
  const codesByOutcome: Record<string, string[]> = {}
  for (const code of published.split(' ')) {
    const { gateway } = gatewayReturning({
      ...approved,
      ResponseCode: code,
      ResponseDescription: 'As published',
    })
    const { outcome } = await requery(gateway)
    codesByOutcome[outcome] = [...(codesByOutcome[outcome] ?? []), code]
  }
  // All other codes mean that the payment failed, so that the payer can try again immediately.
  delete codesByOutcome.failed
  expect(codesByOutcome).toEqual({
    succeeded: ['00', '10', '11'],
    processing: ['09', '68', 'Z0'],
    cancelled: ['17', 'Z6', 'Z69'],
    pending: ['S0', 'T0', 'XG1', 'Z61', 'Z62', 'Z65', 'Z66', 'Z70', 'Z71', 'Z73', 'Z76'],
    expired: ['XS1'],
    not_found: ['Z25'],
    unknown: ['08', '16', '32', 'Z5', '10500'],
  })
})

test('"Invalid value for Product id or Merchant Code" is a configuration error, which leaves the outcome open', async () => {
  const body = { Amount: 0, ResponseCode: '20031', ResponseDescription: 'Invalid value for Product id' }
  await expect(requery(gatewayReturning(body).gateway)).rejects.toThrow('does not know this product')
})

test.each([
  ['no reference', { ...approved, MerchantReference: undefined }],
  ['an amount as text', { ...approved, Amount: '66666600' }],
  ['an amount with a fraction', { ...approved, Amount: 66_666_600.5 }],
  ['a negative amount', { ...approved, Amount: -1 }],
  ['no code at all', { ...approved, ResponseCode: undefined }],
])('an approval with %s is rejected', async (_, body) => {
  await expect(requery(gatewayReturning(body).gateway)).rejects.toThrow()
})

test('"not found" needs no amount, but an approval does', async () => {
  const none = { ResponseCode: 'Z25', ResponseDescription: 'Transaction not Found' }
  expect(await requery(gatewayReturning(none).gateway)).toMatchObject({ outcome: 'not_found' })
  await expect(requery(gatewayReturning({ ...approved, Amount: null }).gateway)).rejects.toThrow(
    'without an amount',
  )
})

test('404 counts as "not found" only with the code for it', async () => {
  const none = { Amount: 0, ResponseCode: 'Z25', ResponseDescription: 'Transaction not Found' }
  expect(await requery(gatewayReturning(none, undefined, 404).gateway)).toMatchObject({
    outcome: 'not_found',
  })
  await expect(requery(gatewayReturning(approved, undefined, 404).gateway)).rejects.toThrow()
})

test('without a hash, a payer can lower the amount, which the requery detects', async () => {
  const fake = await startFakeInterswitch('merchant')
  try {
    const gateway = interswitchGateway({
      ...options,
      payUrl: `${fake.server.url}/collections/w/pay`,
      queryUrl: `${fake.server.url}/collections/api/v1/gettransaction.json`,
      account: { merchantCode: fake.merchantCode },
      allowLoopback: true,
    })
    const { paymentUrl, fields } = await gateway.initiate(order, signal())
    const loweredFields = new URLSearchParams({ ...fields, amount: '100' })
    expect((await fetch(paymentUrl, { method: 'POST', body: loweredFields })).status).toBe(200)
    fake.endPayment(order.reference, '00')
    const response = await gateway.requery(order.reference, order.amount, signal())
    expect(response).toMatchObject({ outcome: 'unknown', code: 'Z1', status: 'Amount Inconsistency' })
    expect(response.amountPaid).toBeUndefined()
  } finally {
    await fake.server.close()
  }
})

test('verifies the published signature, an HMAC-SHA512 of the body, here computed with openssl', async () => {
  const raw = '{"event":"TRANSACTION.COMPLETED","data":{"merchantReference":"933437251484"}}'
  const signature =
    '730a762dd4262f220fe5462eedb5d115c4610f67b2903c0954bd3913c2f57d70eab63ad71c998aa6f1c6c4925a194da358d8b8b0db0d1e7873e8157f34fbef6f'
  const parse = (header: string, gateway = interswitchGateway(options)) =>
    gateway.parseWebhook(new TextEncoder().encode(raw), new Headers({ 'X-Interswitch-Signature': header }), 0)
  expect(await parse(signature)).toMatchObject({ verified: true, reference: '933437251484' })
  expect(await parse(signature.toUpperCase())).toMatchObject({ verified: true })
  expect(await parse(signature, interswitchGateway({ ...options, webhookSecret: undefined }))).toMatchObject({
    verified: false,
  })
})
