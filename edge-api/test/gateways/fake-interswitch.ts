import { createHash, createHmac } from 'node:crypto'
import {
  type FakeGateway,
  type ReceivedRequest,
  type Reply,
  type Report,
  startFakeServer,
} from './fake-server.ts'

/*
 * A fake of Interswitch WebPAY. Sources, cited by letter: D = sandbox.interswitchng.com/docbase/docs/webpay/…, read
 * 2026-11-23; G = docs.interswitchgroup.com/docs/…, read 2026-11-25; P = developer.interswitchgroup.com/docs/…, read
 * 2026-11-23; F = the payment facts in the project's requirements, where no public page was found. Anything without a source is
 * marked "Assumed".
 */

interface Interswitch extends FakeGateway {
  clientId: string
  clientSecret: string
  /** If set, the fake refuses every refund with the error that the payment is older than this many days. */
  maxRefundAgeDays?: number
  /** The requested refunds, by refund reference (G refunds). */
  refunds: Map<string, { parent: string; minor: number; type: string; status: string }>
  productId: string
  macKey: string
  merchantCode: string
  payItemId: string
}

interface Payment {
  number: number
  amount: string
  code: string
  report: Report
}

/** D request-hash-calculation: SHA-512 in uppercase hex. */
const sha512 = (text: string) => createHash('sha512').update(text).digest('hex').toUpperCase()

/** G payment-response-codes. */
const descriptions: Record<string, string> = {
  '00': 'Approved by Financial Institution',
  '10': 'Approved by Financial Institution, Partial',
  '11': 'Approved by Financial Institution, VIP',
  Z25: 'Transaction not Found',
  Z1: 'Transaction Error',
  Z6: 'Customer Cancellation',
}
/** G payment-response-codes: "Successful". */
const successful = ['00', '10', '11']

export async function startFakeInterswitch(variant: 'product' | 'merchant'): Promise<Interswitch> {
  const productId = '1076'
  const payItemId = '101'
  const macKey = 'F'.repeat(128)
  const merchantCode = 'MX187'
  const payments = new Map<string, Payment>()

  /**
   * Accepts the payment form. D http-post-form-fields and new-webpay/basic-redirect-implementation: fields, kobo, 566, the
   * order of the hashed fields. G web-checkout: `merchant_code` without a hash, and `cust_email`, which is required. F:
   * `txn_ref` of at most 15 characters. Assumed: 400 for an invalid form.
   */
  function acceptForm(form: URLSearchParams): Reply {
    const readField = (name: string) => form.get(name) ?? ''
    const reference = readField('txn_ref')
    if (reference === '' || reference.length > 15) return { status: 400, body: 'bad txn_ref' }
    if (
      readField('currency') !== '566' ||
      readField('pay_item_id') !== payItemId ||
      readField('cust_id') === ''
    ) {
      return { status: 400, body: 'bad field' }
    }
    if (!/^\d+$/.test(readField('amount'))) return { status: 400, body: 'bad amount' }
    if (!URL.canParse(readField('site_redirect_url'))) return { status: 400, body: 'bad address' }
    const hashedFields = ['txn_ref', 'product_id', 'pay_item_id', 'amount', 'site_redirect_url']
      .map(readField)
      .join('')
    const isOurs =
      variant === 'product'
        ? readField('product_id') === productId && readField('hash') === sha512(`${hashedFields}${macKey}`)
        : readField('merchant_code') === merchantCode && /^[^\s@]+@[^\s@]+$/.test(readField('cust_email'))
    if (!isOurs) return { status: 400, body: 'bad hash or merchant' }
    payments.set(reference, {
      number: 719_456 + payments.size,
      amount: readField('amount'),
      code: '',
      report: {},
    })
    return { status: 200, body: '<!doctype html><title>Pay</title>' }
  }

  /**
   * Answers a requery. D transaction-confirmation-leg/getting-transaction-status: parameters, the `Hash` header, response
   * fields. G web-checkout: `merchantcode`; payment-response-codes: Z25, Z1. F: 20031, and "Amount Inconsistency". Assumed:
   * `Amount` 0 where nothing was paid.
   */
  function answerRequery(params: URLSearchParams, hash: unknown): Reply {
    const reference = params.get('transactionreference') ?? ''
    const isOurs =
      variant === 'product'
        ? params.get('productid') === productId && hash === sha512(`${productId}${reference}${macKey}`)
        : params.get('merchantcode') === merchantCode
    const failure = (code: string, description: string) => ({
      status: 200,
      body: { Amount: 0, SplitAccounts: [], ResponseCode: code, ResponseDescription: description },
    })
    if (!isOurs) return failure('20031', 'Invalid value for Product id or Merchant Code')
    const payment = payments.get(reference)
    if (!payment || payment.code === '') return failure('Z25', 'Transaction not Found')
    if (params.get('amount') !== payment.amount) return failure('Z1', 'Amount Inconsistency')
    const { code, report } = payment
    const description = descriptions[code] ?? `Response ${code}`
    if (!successful.includes(code)) return failure(code, description)
    return {
      status: 200,
      body: {
        Amount: report.amount ?? Number(payment.amount),
        CardNumber: '',
        MerchantReference: report.reference ?? reference,
        PaymentReference: `UBA|API|MX187|25-07-2018|249510|${payment.number}`,
        RetrievalReferenceNumber: '000647661227',
        SplitAccounts: [],
        TransactionDate: '2018-07-25T06:57:24',
        ResponseCode: code,
        ResponseDescription: description,
        AccountNumber: '9999999999',
      },
    }
  }

  const refunds: Interswitch['refunds'] = new Map()
  const clientId = 'fake-client-id'
  const clientSecret = 'fake-client-secret'
  const buildError = (status: number, code: string, message: string) => ({
    status,
    body: { errors: [{ code, message }], error: { code, message } },
  })
  const buildRefundReply = (reference: string, status = 200) => {
    const refund = refunds.get(reference)
    if (!refund) return buildError(404, '404', 'Refund not found')
    return {
      status,
      body: {
        id: 10_174,
        refundReference: reference,
        merchantCode,
        parentPaymentId: 269_089,
        refundType: refund.type,
        refundAmount: refund.minor,
        createdDate: 1_543_818_875_243,
        refundStatus: refund.status,
        reasonForRefund: 'Reason for Refund!',
      },
    }
  }

  /** Answers a request for a refund. P refund-API and G payment-response-codes: 60002, the meanings of 10400, and 404. */
  function makeRefund(body: string): Reply {
    const {
      refundReference,
      parentTransactionReference: parent,
      refundType: type,
      refundAmount,
    } = JSON.parse(body)
    if (refunds.has(refundReference))
      return buildError(400, '10400', 'Error creating refund: This refund reference has already been used.')
    const payment = payments.get(parent)
    if (!payment) return buildError(404, '404', 'Transaction not found for merchant')
    if (!successful.includes(payment.code))
      return buildError(400, '10400', 'Invalid transaction. Only successful transactions can be refunded')
    if (fake.maxRefundAgeDays !== undefined)
      return buildError(400, '10400', `Cannot refund transaction older than ${fake.maxRefundAgeDays} days`)
    const earlierRefunds = [...refunds.values()].filter(
      item => item.parent === parent && item.status !== 'FAILED',
    )
    const refundedMinor = earlierRefunds.reduce((sum, { minor }) => sum + minor, Number(refundAmount))
    if (refundedMinor > (payment.report.amount ?? Number(payment.amount)))
      return buildError(400, '60002', 'Refund amount greater than transaction amount')
    if (earlierRefunds.length > 0)
      return buildError(400, '10400', 'Transaction has been refunded or is logged for refunds')
    // Assumed: the response to a longer reference.
    if (refundReference.length > 100) return buildError(400, '400', 'Validation failure')
    refunds.set(refundReference, { parent, minor: Number(refundAmount), type, status: 'SUCCESS' })
    return buildRefundReply(refundReference, 201)
  }

  function answerRefundCall({ method, path, headers, body }: ReceivedRequest): Reply {
    // G authentication: client credentials with HTTP Basic, a bearer token. Assumed: 401 for invalid client credentials.
    if (path === '/passport/oauth/token') {
      const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
      if (headers.authorization !== basic || body !== 'grant_type=client_credentials')
        return { status: 401, body: { error: 'invalid_client' } }
      return {
        status: 200,
        body: { access_token: 'fake-token', token_type: 'bearer', expires_in: 86_399 },
      }
    }
    if (headers.authorization !== 'Bearer fake-token')
      return { status: 401, body: { error: 'invalid_token' } }
    return method === 'POST' ? makeRefund(body) : buildRefundReply(path.split('/').at(-1) ?? '')
  }

  const handle = (received: ReceivedRequest): Reply => {
    const { method, path, body, query: params, headers } = received
    if (path.startsWith('/paymentgateway/api/v1/refunds') || path === '/passport/oauth/token')
      return answerRefundCall(received)
    if (method === 'POST' && path === '/collections/w/pay') return acceptForm(new URLSearchParams(body))
    if (method === 'GET' && path === '/collections/api/v1/gettransaction.json')
      return answerRequery(params, headers.hash)
    return { status: 404, body: 'no such page' }
  }

  const fake: Interswitch = {
    productId,
    macKey,
    merchantCode,
    payItemId,
    clientId,
    clientSecret,
    refunds,
    server: await startFakeServer(handle, path => path === '/collections/w/pay'),
    requestedAmount(reference) {
      const amount = payments.get(reference)?.amount
      return amount === undefined ? undefined : Number(amount)
    },
    endPayment(reference, code, report = {}) {
      const payment = payments.get(reference)
      if (!payment) throw new Error(`no payment ${reference}`)
      Object.assign(payment, { code, report })
    },
    // G webhooks: HMAC-SHA512 of the body in `X-Interswitch-Signature`; COMPLETED means that the payment ended,
    // successfully or not.
    callBack(reference, secret) {
      const raw = JSON.stringify({
        event: 'TRANSACTION.COMPLETED',
        uuid: 'kuh5cmwn3',
        timestamp: 1_594_646_281_966,
        data: { merchantReference: reference, amount: 5000, responseCode: '51', currencyCode: '566' },
      })
      const signature = createHmac('sha512', secret).update(raw).digest('hex')
      return { raw, headers: { 'x-interswitch-signature': signature } }
    },
  }
  return fake
}
