import { createHash, createHmac } from 'node:crypto'
import { type FakeGateway, fakeServer, type Reply, type Seen, type Told } from './fake-server.ts'

/*
 * Interswitch WebPAY as published on sandbox.interswitchng.com/docbase: the form of "HTTP Post Form Fields" with its
 * "Request Hash Calculation", and "Getting Transaction Status" with the hash header (product) or `merchantcode`.
 */

interface Interswitch extends FakeGateway {
  productId: string
  macKey: string
  merchantCode: string
  payItemId: string
}

interface Payment {
  number: number
  amount: string
  code: string
  told: Told
}

const sha512 = (text: string) => createHash('sha512').update(text).digest('hex').toUpperCase()

const descriptions: Record<string, string> = {
  '00': 'Approved by Financial Institution',
  Z25: 'Transaction not Found',
  Z1: 'Transaction Error',
  Z6: 'Customer Cancellation',
}

export async function fakeInterswitch(variant: 'product' | 'merchant'): Promise<Interswitch> {
  const productId = '1076'
  const payItemId = '101'
  const macKey = 'F'.repeat(128)
  const merchantCode = 'MX187'
  const payments = new Map<string, Payment>()

  function pay(form: URLSearchParams): Reply {
    const field = (name: string) => form.get(name) ?? ''
    const reference = field('txn_ref')
    if (reference === '' || reference.length > 15) return { status: 400, body: 'bad txn_ref' }
    if (field('currency') !== '566' || field('pay_item_id') !== payItemId || field('cust_id') === '') {
      return { status: 400, body: 'bad field' }
    }
    if (!/^\d+$/.test(field('amount'))) return { status: 400, body: 'bad amount' }
    if (!URL.canParse(field('site_redirect_url'))) return { status: 400, body: 'bad address' }
    const order = ['txn_ref', 'product_id', 'pay_item_id', 'amount', 'site_redirect_url'].map(field).join('')
    const isOurs =
      variant === 'product'
        ? field('product_id') === productId && field('hash') === sha512(`${order}${macKey}`)
        : field('merchant_code') === merchantCode
    if (!isOurs) return { status: 400, body: 'bad hash or merchant' }
    payments.set(reference, { number: 719_456 + payments.size, amount: field('amount'), code: '', told: {} })
    return { status: 200, body: '<!doctype html><title>Pay</title>' }
  }

  function query(asked: URLSearchParams, hash: unknown): Reply {
    const reference = asked.get('transactionreference') ?? ''
    const isOurs =
      variant === 'product'
        ? asked.get('productid') === productId && hash === sha512(`${productId}${reference}${macKey}`)
        : asked.get('merchantcode') === merchantCode
    const failure = (code: string, description: string) => ({
      status: 200,
      body: { Amount: 0, SplitAccounts: [], ResponseCode: code, ResponseDescription: description },
    })
    if (!isOurs) return failure('20031', 'Invalid value for Product id or Merchant Code')
    const payment = payments.get(reference)
    if (!payment || payment.code === '') return failure('Z25', 'Transaction not Found')
    if (asked.get('amount') !== payment.amount) return failure('Z1', 'Amount Inconsistency')
    const { code, told } = payment
    const description = descriptions[code] ?? `Response ${code}`
    if (code !== '00') return failure(code, description)
    return {
      status: 200,
      body: {
        Amount: told.amount ?? Number(payment.amount),
        CardNumber: '',
        MerchantReference: told.reference ?? reference,
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

  const handle = ({ method, path, body, query: asked, headers }: Seen): Reply => {
    if (method === 'POST' && path === '/collections/w/pay') return pay(new URLSearchParams(body))
    if (method === 'GET' && path === '/collections/api/v1/gettransaction.json')
      return query(asked, headers.hash)
    return { status: 404, body: 'no such page' }
  }

  return {
    productId,
    macKey,
    merchantCode,
    payItemId,
    server: await fakeServer(handle, path => path === '/collections/w/pay'),
    askedFor(reference) {
      const amount = payments.get(reference)?.amount
      return amount === undefined ? undefined : Number(amount)
    },
    settle(reference, code, told = {}) {
      const payment = payments.get(reference)
      if (!payment) throw new Error(`no payment ${reference}`)
      Object.assign(payment, { code, told })
    },
    // COMPLETED says that it ended, not how.
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
}
