import { describe, expect, test } from 'vitest'
import type { PaymentGateway, Refund, RefundOrder } from '../payment-gateway.ts'
import { bookRefund, findRefundingGateway, refundMethodOf, requeryDelay, requestKey } from './refund-rules.ts'
import type { RefundView } from './refund-store.ts'

const MINUTE = 60_000

/** A gateway that accepts payments and cannot refund. */
class PlainGateway implements PaymentGateway {
  readonly mode = 'test'
  initiate = () => Promise.reject(new Error('unexpected call'))
  requery = this.initiate
  check = this.initiate
  parseWebhook = this.initiate
}

class RefundingGateway extends PlainGateway {
  readonly orders: RefundOrder[] = []
  async refund(order: RefundOrder): Promise<Refund> {
    this.orders.push(order)
    return { refundId: 'R1', status: 'processed' }
  }
}

const gateways = { sandbox: new RefundingGateway(), plain: new PlainGateway() }

function buildRefund(changes: {
  refund?: Partial<RefundView['refund']>
  payment?: Partial<RefundView['payment']>
}): RefundView {
  return {
    refund: {
      id: 'r1',
      paymentId: 'p1',
      amountMinor: 500_000,
      currency: 'NGN',
      reason: 'duplicate',
      status: 'due',
      idempotencyKey: 'p1:item',
      attempts: 0,
      providerRefundId: null,
      bankReference: null,
      note: null,
      approvedBy: null,
      approvedAt: null,
      processedAt: null,
      nextTryAt: null,
      tries: 0,
      leaseUntil: null,
      createdAt: 0,
      updatedAt: 0,
      ...changes.refund,
    },
    payment: {
      transactionId: 'CVF1',
      providerReference: 'CV1',
      provider: 'sandbox',
      providerTxnId: 'TXN-1',
      mode: 'test',
      status: 'paid',
      ...changes.payment,
    },
    payerEmail: 'payer@demo.test',
    approverEmail: null,
  }
}

describe('findRefundingGateway', () => {
  test('returns the gateway that received the payment', async () => {
    const gateway = findRefundingGateway(buildRefund({}), gateways)
    const order = {
      reference: 'CV1',
      providerTxnId: 'TXN-1',
      amount: { minor: 1, currency: 'NGN' as const },
      idempotencyKey: 'k',
    }
    expect(await gateway?.refund(order, new AbortController().signal)).toMatchObject({ status: 'processed' })
    expect(gateways.sandbox.orders).toEqual([order])
  })

  test.each<[string, Parameters<typeof buildRefund>[0]]>([
    ['the gateway is no longer configured', { payment: { provider: 'gone' } }],
    ['the gateway offers no refunds', { payment: { provider: 'plain' } }],
    ['the gateway is in another mode than the payment', { payment: { mode: 'live' } }],
    ['the gateway never reported its transaction ID', { payment: { providerTxnId: null } }],
    ['the money is in another currency', { refund: { currency: 'USD' } }],
  ])('returns nothing if %s; the refund is then made by bank transfer', (_, changes) => {
    expect(findRefundingGateway(buildRefund(changes), gateways)).toBeUndefined()
    expect(refundMethodOf(buildRefund(changes), gateways)).toBe('bank')
  })
})

test.each([
  ['due', 'gateway'],
  ['failed', 'gateway'],
  ['needs_attention', 'bank'],
  ['approved', null],
  ['processed', null],
] as const)('the method for a refund with the status %s is: %s', (status, method) => {
  expect(refundMethodOf(buildRefund({ refund: { status } }), gateways)).toBe(method)
})

test('money returned after a reversal is refunded like any other', () => {
  expect(refundMethodOf(buildRefund({ payment: { status: 'reversed' } }), gateways)).toBe('gateway')
})

test('an unfinished refund order is requeried after a minute, then less and less often, but at least every six hours', () => {
  expect([0, 1, 2, 8].map(requeryDelay)).toEqual([MINUTE, 2 * MINUTE, 4 * MINUTE, 256 * MINUTE])
  for (const tries of [9, 10, 11, 5000]) expect(requeryDelay(tries)).toBe(360 * MINUTE)
})

test('the first order and its repetitions use the idempotency key of the refund, and each later order uses a new key', () => {
  const keyOf = (attempts: number) => requestKey({ idempotencyKey: 'p1:item', attempts })
  expect([0, 1, 2, 3].map(keyOf)).toEqual(['p1:item', 'p1:item', 'p1:item:2', 'p1:item:3'])
})

test.each(['gateway_clearing', 'bank'] as const)(
  'a refund from %s reduces the amount owed by as much as was refunded',
  from => {
    expect(bookRefund(700, from)).toEqual([
      { account: 'refund_payable', minor: 700, reason: 'refund processed' },
      { account: from, minor: -700, reason: 'refund processed' },
    ])
  },
)
