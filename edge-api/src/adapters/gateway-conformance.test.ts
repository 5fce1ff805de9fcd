import { clock } from '../../test/gateways/candidate.ts'
import { testConformance } from '../../test/gateways/conformance.ts'
import { startFakeBpms } from '../../test/gateways/fake-bpms.ts'
import { startFakeInterswitch } from '../../test/gateways/fake-interswitch.ts'
import { startFakePaystack } from '../../test/gateways/fake-paystack.ts'
import { startFakeSandbox } from '../../test/gateways/fake-sandbox.ts'
import { bpmsGateway } from './gateway-bpms.ts'
import { interswitchGateway } from './gateway-interswitch.ts'
import { paystackGateway } from './gateway-paystack.ts'
import { sandboxGateway } from './gateway-sandbox.ts'

/* Tests every adapter against the fake of its gateway, over HTTP. */

const local = { fetch, allowLoopback: true }

testConformance({
  name: 'sandbox',
  start: () => startFakeSandbox(clock),
  connect: ({ server: { url } }, webhookSecret) => sandboxGateway({ url, webhookSecret, fetch }),
  startsBy: 'call',
  signedFields: [],
  approvedStatus: '00',
  otherOutcomes: [
    ['', 'pending'],
    ['09', 'processing'],
    ['Z0', 'processing'],
    ['68', 'processing', 'PAYMENT_TIMEOUT'],
    ['05', 'failed', 'CARD_DECLINED'],
    ['14', 'failed', 'INVALID_CARD'],
    ['51', 'failed', 'INSUFFICIENT_FUNDS'],
    ['54', 'failed', 'CARD_DECLINED'],
    ['91', 'failed', 'PAYMENT_FAILED'],
    ['17', 'cancelled', 'PAYMENT_CANCELLED'],
    ['Z6', 'cancelled', 'PAYMENT_CANCELLED'],
    ['Z5', 'expired'],
  ],
  reports: { currency: true, mode: true },
  callbacks: 'signed',
  canListPayments: true,
})

testConformance({
  name: 'bpms',
  start: startFakeBpms,
  connect: ({ server, schoolCode, publicKey, privateKey }) =>
    bpmsGateway({
      ...local,
      url: `${server.url}/checkout`,
      schoolCode,
      publicKey,
      privateKey,
      revenueCode: 'CV01',
      mode: 'test',
      now: clock,
    }),
  startsBy: 'form',
  signedFields: [
    'request_id',
    'callback_url',
    'customer_email',
    'customer_fname',
    'customer_last_name',
    'hash',
  ],
  approvedStatus: '00',
  otherOutcomes: [
    ['PENDING', 'pending'],
    ['09', 'processing'],
    ['Z0', 'processing'],
    ['68', 'processing', 'PAYMENT_TIMEOUT'],
    ['PROCESSING', 'processing'],
    ['05', 'failed', 'CARD_DECLINED'],
    ['14', 'failed', 'INVALID_CARD'],
    ['51', 'failed', 'INSUFFICIENT_FUNDS'],
    ['54', 'failed', 'CARD_DECLINED'],
    ['91', 'failed', 'PAYMENT_FAILED'],
    ['17', 'cancelled', 'PAYMENT_CANCELLED'],
    ['Z6', 'cancelled', 'PAYMENT_CANCELLED'],
    ['EXPIRED', 'expired'],
    // The status is approved, but the matching code is missing.
    ['APPROVED', 'unknown'],
    ['SOMETHING_NEW', 'unknown'],
  ],
  reports: { currency: false, mode: false },
  callbacks: 'unsigned',
})

for (const variant of ['product', 'merchant'] as const) {
  testConformance({
    name: `interswitch (${variant})`,
    start: () => startFakeInterswitch(variant),
    connect: ({ server, productId, macKey, merchantCode, payItemId }, webhookSecret) =>
      interswitchGateway({
        ...local,
        payUrl: `${server.url}/collections/w/pay`,
        queryUrl: `${server.url}/collections/api/v1/gettransaction.json`,
        payItemId,
        account: variant === 'product' ? { productId, macKey } : { merchantCode },
        webhookSecret,
        mode: 'test',
      }),
    startsBy: 'form',
    signedFields:
      variant === 'product'
        ? ['txn_ref', 'product_id', 'pay_item_id', 'amount', 'site_redirect_url', 'hash']
        : [],
    approvedStatus: '00',
    otherOutcomes: [
      ['09', 'processing'],
      ['Z0', 'processing'],
      ['68', 'processing', 'PAYMENT_TIMEOUT'],
      ['05', 'failed', 'CARD_DECLINED'],
      ['06', 'failed'],
      ['14', 'failed', 'INVALID_CARD'],
      ['51', 'failed', 'INSUFFICIENT_FUNDS'],
      ['54', 'failed', 'CARD_DECLINED'],
      ['91', 'failed', 'PAYMENT_FAILED'],
      ['Z1', 'failed'],
      ['17', 'cancelled', 'PAYMENT_CANCELLED'],
      ['Z6', 'cancelled', 'PAYMENT_CANCELLED'],
      ['Z25', 'not_found'],
      ['XS1', 'expired'],
      ['Z61', 'pending'],
      // An approval without a published status, and a code that is not listed.
      ['16', 'unknown'],
      ['X9', 'unknown'],
    ],
    reports: { currency: false, mode: false },
    callbacks: 'signed',
  })
}

testConformance({
  name: 'paystack',
  start: startFakePaystack,
  connect: ({ server, secretKey }, secrets) =>
    // Paystack uses the first key for calls and for signatures, so the fake's own key comes first.
    paystackGateway({
      ...local,
      url: server.url,
      checkoutUrl: server.url,
      secretKey: `${secretKey},${secrets}`,
    }),
  startsBy: 'call',
  signedFields: [],
  approvedStatus: 'success',
  otherOutcomes: [
    ['abandoned', 'pending'],
    ['ongoing', 'processing'],
    ['pending', 'processing'],
    ['processing', 'processing'],
    ['queued', 'processing'],
    ['failed', 'failed', 'CARD_DECLINED'],
    ['insufficient', 'failed', 'INSUFFICIENT_FUNDS'],
    ['reversed', 'reversed'],
    ['something new', 'unknown'],
  ],
  reports: { currency: true, mode: true },
  callbacks: 'signed',
  canListPayments: true,
})
