import { createHmac } from 'node:crypto'
import { type FakeGateway, fakeServer, type Reply, type Seen, type Told } from './fake-server.ts'

/*
 * Paystack as published on paystack.com/docs/api and in PaystackOSS/doc-code-snippets (dist/api): initialize, verify,
 * list, refunds, and call-backs signed with the secret key. Amounts are kobo.
 */

interface Paystack extends FakeGateway {
  secretKey: string
  /** Refunds that were made, in kobo. */
  refunded: { id: number; transaction: string; amount: number; merchant_note: string; status: string }[]
}

interface Payment {
  id: number
  reference: string
  email: string
  amount: number
  status: string
  told: Told
  createdAt: string
}

const said: Record<string, string> = {
  success: 'Successful',
  failed: 'Declined',
  insufficient: 'Insufficient Funds',
}

export async function fakePaystack(): Promise<Paystack> {
  const secretKey = 'sk_test_of_the_fake'
  const payments = new Map<string, Payment>()
  const refunded: Paystack['refunded'] = []

  const invalid = (message: string, code: string): Reply => ({
    status: 400,
    body: { status: false, message, meta: { nextStep: '' }, type: 'validation_error', code },
  })

  function present({ id, reference, email, amount, status, told, createdAt }: Payment) {
    return {
      id,
      domain: told.mode ?? 'test',
      status: status === 'insufficient' ? 'failed' : status,
      reference: told.reference ?? reference,
      receipt_number: null,
      amount: told.amount ?? amount,
      message: null,
      gateway_response: said[status] ?? 'The transaction was not completed',
      paid_at: status === 'success' ? '2024-08-22T09:15:02.000Z' : null,
      created_at: createdAt,
      channel: 'card',
      currency: told.currency ?? 'NGN',
      metadata: '',
      fees: 10_283,
      customer: { id: 181_873_746, email, customer_code: 'CUS_1rkzaqsv4rrhqo6' },
      requested_amount: amount,
    }
  }

  function initialize(body: string): Reply {
    const { email, amount, reference, callback_url: callbackUrl, currency } = JSON.parse(body)
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return invalid('Invalid Email Address Passed', 'invalid_params')
    if (!Number.isInteger(amount) || amount <= 0) return invalid('Invalid Amount Sent', 'invalid_params')
    if (currency !== 'NGN' || !URL.canParse(callbackUrl)) return invalid('Invalid', 'invalid_params')
    if (!/^[A-Za-z0-9.=-]+$/.test(reference)) return invalid('Invalid reference', 'invalid_params')
    if (payments.has(reference)) return invalid('Duplicate Transaction Reference', 'duplicate_reference')
    const createdAt = new Date(Date.UTC(2026, 0, 15, 12, 0, payments.size)).toISOString()
    const id = 4_099_260_516 + payments.size
    payments.set(reference, { id, reference, email, amount, status: 'abandoned', told: {}, createdAt })
    const code = `3ni8kdavz${id}`
    const data = { authorization_url: `${server.url}/pay/${code}`, access_code: code, reference }
    return { status: 200, body: { status: true, message: 'Authorization URL created', data } }
  }

  function list(query: URLSearchParams): Reply {
    const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
    const all = [...payments.values()]
      .filter(({ createdAt }) => createdAt >= from && createdAt <= to)
      .reverse()
    const perPage = Math.min(Number(query.get('perPage') ?? 50), 2)
    const page = Number(query.get('page') ?? 1)
    const data = all.slice((page - 1) * perPage, page * perPage).map(present)
    const pageCount = Math.ceil(all.length / perPage)
    const meta = { total: all.length, skipped: 0, perPage, page, pageCount }
    return { status: 200, body: { status: true, message: 'Transactions retrieved', data, meta } }
  }

  function refund(body: string): Reply {
    const { transaction, amount, merchant_note: note } = JSON.parse(body)
    const payment = [...payments.values()].find(({ id }) => String(id) === String(transaction))
    if (!payment) return invalid('Transaction not found', 'transaction_not_found')
    if (payment.status !== 'success') return invalid('Transaction was not successful', 'invalid_state')
    if (amount > payment.amount)
      return invalid('Refund amount is more than the transaction', 'invalid_params')
    const made = {
      id: 3_018_284 + refunded.length,
      transaction,
      amount,
      merchant_note: note,
      status: 'pending',
    }
    refunded.push(made)
    const data = { ...made, transaction: present(payment), currency: 'NGN', domain: 'test' }
    return { status: 200, body: { status: true, message: 'Refund has been queued for processing', data } }
  }

  const handle = ({ method, path, query, headers, body }: Seen): Reply => {
    const opened = /^\/pay\/3ni8kdavz(\d+)$/.exec(path)?.[1]
    if (opened) {
      const known = [...payments.values()].some(({ id }) => String(id) === opened)
      return { status: known ? 200 : 404, body: '<!doctype html><title>Pay</title>' }
    }
    if (path === '/') return { status: 200, body: { status: true, message: 'Welcome' } }
    if (headers.authorization !== `Bearer ${secretKey}`) {
      return { status: 401, body: { status: false, message: 'Invalid key' } }
    }
    if (method === 'POST' && path === '/transaction/initialize') return initialize(body)
    if (method === 'GET' && path === '/transaction') return list(query)
    if (method === 'POST' && path === '/refund') return refund(body)
    if (method === 'GET' && path === '/refund') {
      const data = refunded.filter(({ transaction }) => transaction === query.get('transaction'))
      return { status: 200, body: { status: true, message: 'Refunds retrieved', data } }
    }
    const reference = decodeURIComponent(/^\/transaction\/verify\/(.+)$/.exec(path)?.[1] ?? '')
    const payment = payments.get(reference)
    if (!payment) return invalid('Transaction reference not found.', 'transaction_not_found')
    return { status: 200, body: { status: true, message: 'Verification successful', data: present(payment) } }
  }

  const server = await fakeServer(handle, path => path.startsWith('/pay/'))
  return {
    server,
    secretKey,
    refunded,
    askedFor: reference => payments.get(reference)?.amount,
    settle(reference, status, told = {}) {
      const payment = payments.get(reference)
      if (!payment) throw new Error(`no payment ${reference}`)
      Object.assign(payment, { status, told })
    },
    callBack(reference, secret) {
      const data = {
        id: 302_961,
        domain: 'test',
        status: 'success',
        reference,
        amount: 10_000,
        currency: 'NGN',
      }
      const raw = JSON.stringify({ event: 'charge.success', data })
      return {
        raw,
        headers: { 'x-paystack-signature': createHmac('sha512', secret).update(raw).digest('hex') },
      }
    },
  }
}
