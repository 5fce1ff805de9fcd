import { createHmac } from 'node:crypto'
import { createFakeDisputes, type FakeDisputes } from './fake-paystack-disputes.ts'
import {
  type FakeGateway,
  type ReceivedRequest,
  type Reply,
  type Report,
  startFakeServer,
} from './fake-server.ts'

/*
 * A fake of Paystack. Paths below dist/ are of github.com/PaystackOSS/doc-code-snippets at 94af513, which paystack.com/docs
 * shows; the parameters are those of github.com/PaystackOSS/openapi at 9678dea; all read 2026-11-23. Amounts are kobo.
 * Anything without a source is marked "Assumed".
 */

interface Paystack extends FakeGateway {
  disputes: FakeDisputes
  secretKey: string
  /** The refunds made, with amounts in kobo. */
  refunded: {
    id: number
    transaction: string
    amount: number
    merchant_note: string
    status: string
    dispute: number | null
  }[]
  /** The bank accounts that were sent for refunds. */
  accounts: { refund: number; number: string; bank: string }[]
  /** The currency of the account's balance. */
  currency: string
  /** How the API spells "Reversal pending", which is not published. */
  reversalPendingStatus: string
  /** If set, the list of refunds ignores its filter and contains the refunds of all payments. */
  ignoresFilter: boolean
  statusOf(reference: string): string
  idOf(reference: string): string
  /** Fixes the status of a payment, regardless of its refunds. */
  pinStatus(reference: string, status: string): void
}

interface Payment {
  id: number
  reference: string
  email: string
  amount: number
  status: string
  report: Report
  createdAt: string
  pinnedStatus?: string
}

/**
 * Texts of the gateway's responses. They are assumed, except for "Successful" (dist/api/transactions/verify/response.json).
 */
const gatewayResponses: Record<string, string> = {
  success: 'Successful',
  failed: 'Declined',
  insufficient: 'Insufficient Funds',
}

const makeBank = (id: number, code: string, name: string, overrides: object = {}) => ({
  ...{ id, code, name, longcode: '', gateway: null, pay_with_bank: false, active: true, is_deleted: false },
  ...{ country: 'Nigeria', currency: 'NGN', type: 'nuban' },
  ...overrides,
})
const banks = [
  makeBank(174, '801', 'Abbey Mortgage Bank'),
  makeBank(173, '559', 'Coronation Merchant Bank'),
  makeBank(171, '999992', 'Paycom', { active: false }),
  makeBank(170, '50746', 'Petra Mircofinance Bank Plc'),
]

/** Starts the fake. @param clock milliseconds since 1970 by which disputes are opened and resolved */
export async function startFakePaystack(clock: () => number = Date.now): Promise<Paystack> {
  const secretKey = 'sk_test_of_the_fake'
  const payments = new Map<string, Payment>()
  const refunded: Paystack['refunded'] = []

  const refuse = (message: string, code: string, status = 400): Reply => ({
    status,
    body: { status: false, message, meta: { nextStep: '' }, type: 'validation_error', code },
  })

  function findKnownPayment(reference: string): Payment {
    const payment = payments.get(reference)
    if (!payment) throw new Error(`no payment ${reference}`)
    return payment
  }

  const sum = (rows: Paystack['refunded']) => rows.reduce((total, { amount }) => total + amount, 0)

  /**
   * Returns the status of a payment. Effect of a refund of any amount on it: support.paystack.com/en/articles/2130434
   * ("Understanding refund statuses"), read 2026-11-23.
   */
  function getStatus({ id, status, pinnedStatus }: Payment): string {
    if (pinnedStatus) return pinnedStatus
    if (status !== 'success') return status === 'insufficient' ? 'failed' : status
    const refunds = refunded.filter(({ transaction }) => String(transaction) === String(id))
    const hasStatus = (...values: string[]) => refunds.some(item => values.includes(item.status))
    if (hasStatus('pending', 'processing', 'needs-attention')) return fake.reversalPendingStatus
    return hasStatus('processed') ? 'reversed' : 'success'
  }

  /** Returns a transaction as in dist/api/transactions/verify/response.json. */
  function present(payment: Payment) {
    const { id, reference, email, amount, status, report, createdAt } = payment
    return {
      id,
      domain: report.mode ?? 'test',
      status: getStatus(payment),
      reference: report.reference ?? reference,
      receipt_number: null,
      amount: report.amount ?? amount,
      message: null,
      gateway_response: gatewayResponses[status] ?? 'The transaction was not completed',
      paid_at: status === 'success' ? '2024-08-22T09:15:02.000Z' : null,
      created_at: createdAt,
      channel: 'card',
      currency: report.currency ?? 'NGN',
      metadata: '',
      fees: report.fees ?? 10_283,
      customer: { id: 181_873_746, email, customer_code: 'CUS_1rkzaqsv4rrhqo6' },
      requested_amount: amount,
    }
  }

  /**
   * Responds to a start: dist/api/transactions/initialize/response.json; characters allowed in a reference: paystack.com/docs/api/transaction.
   * The published minimum of NGN 50 is not enforced here: tests use amounts below it to show that every kobo arrives. Assumed:
   * the wording of refusals.
   */
  function initialize(body: string): Reply {
    const { email, amount, reference, callback_url: callbackUrl, currency } = JSON.parse(body)
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return refuse('Invalid Email Address Passed', 'invalid_params')
    if (!Number.isInteger(amount) || amount <= 0) return refuse('Invalid Amount Sent', 'invalid_params')
    if (currency !== 'NGN' || !URL.canParse(callbackUrl)) return refuse('Invalid', 'invalid_params')
    if (!/^[A-Za-z0-9.=-]+$/.test(reference)) return refuse('Invalid reference', 'invalid_params')
    if (payments.has(reference)) return refuse('Duplicate Transaction Reference', 'duplicate_reference')
    const createdAt = new Date(Date.UTC(2026, 0, 15, 12, 0, payments.size)).toISOString()
    const id = 4_099_260_516 + payments.size
    payments.set(reference, { id, reference, email, amount, status: 'abandoned', report: {}, createdAt })
    const code = `3ni8kdavz${id}`
    const data = { authorization_url: `${server.url}/pay/${code}`, access_code: code, reference }
    return { status: 200, body: { status: true, message: 'Authorization URL created', data } }
  }

  /** Answers a call for the list: dist/api/transactions/list/response.json and dist/api/pagination/offset-metadata.js. */
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

  /** Answers a request for a refund: dist/api/refunds/create/response.json. Assumed: the wording of refusals. */
  function refund(body: string): Reply {
    const { transaction, amount, merchant_note: note } = JSON.parse(body)
    const payment = [...payments.values()].find(({ id }) => String(id) === String(transaction))
    if (!payment) return refuse('Transaction not found', 'transaction_not_found')
    if (payment.status !== 'success') return refuse('Transaction was not successful', 'invalid_state')
    const openRefunds = refunded.filter(item => item.transaction === transaction && item.status !== 'failed')
    if (amount + sum(openRefunds) > (payment.report.amount ?? payment.amount))
      return refuse('Refund amount is more than the transaction', 'invalid_params')
    const created = {
      id: 3_018_284 + refunded.length,
      transaction,
      amount,
      // PaystackOSS/doc-code-snippets, dist/api/refunds/retry/response.json: the gateway appends the requester to the note.
      merchant_note: `${note} by bursar@users.test`,
      status: 'pending',
      dispute: null,
    }
    refunded.push(created)
    const data = { ...created, transaction: present(payment), currency: 'NGN', domain: 'test' }
    return { status: 200, body: { status: true, message: 'Refund has been queued for processing', data } }
  }

  /** Answers a retry of a refund: dist/api/refunds/retry/response.json, and 422 for a refund in any other state. */
  function retryRefund(id: string, body: string): Reply {
    const { currency, account_number: number, bank_id: bank } = JSON.parse(body).refund_account_details
    const refundToRetry = refunded.find(item => String(item.id) === id)
    if (!refundToRetry) return { status: 404, body: { status: false, message: 'Refund not found' } }
    if (refundToRetry.status !== 'needs-attention')
      return refuse('Invalid Refund state, refund status should be "needs-attention"', 'invalid_params', 422)
    if (currency !== 'NGN' || !/^\d{10}$/.test(number) || !banks.some(item => String(item.id) === bank))
      return refuse('Invalid account details', 'invalid_params', 422)
    fake.accounts.push({ refund: refundToRetry.id, number, bank })
    refundToRetry.status = 'processing'
    const data = {
      ...refundToRetry,
      transaction: Number(refundToRetry.transaction),
      currency: 'NGN',
      domain: 'test',
    }
    return {
      status: 200,
      body: { status: true, message: 'Refund retried and has been queued for processing', data },
    }
  }

  /** Answers with the list of banks: dist/api/miscellaneous/bank/response.json, paged by its `meta.next`. */
  function listBanks(query: URLSearchParams): Reply {
    const start = query.get('next') === 'YmFuazoxNzM=' ? 2 : 0
    const next = start === 0 ? 'YmFuazoxNzM=' : null
    const meta = { next, previous: null, perPage: 2 }
    return {
      status: 200,
      body: { status: true, message: 'Banks retrieved', data: banks.slice(start, start + 2), meta },
    }
  }

  /**
   * Answers with the holder of a bank account: dist/api/verification/resolve-account/response.json; the response for an unknown
   * account is assumed.
   */
  function resolveAccount(query: URLSearchParams): Reply {
    if (query.get('account_number') !== '0022728151')
      return refuse('Could not resolve account name. Check parameters or try again.', 'invalid_params', 422)
    const data = { account_number: '0022728151', account_name: 'WES GIBBONS' }
    return { status: 200, body: { status: true, message: 'Account number resolved', data } }
  }

  const disputes = createFakeDisputes(
    reference => {
      const payment = payments.get(reference)
      return payment && present(payment)
    },
    () => server.url,
    clock,
  )

  const handle = (received: ReceivedRequest): Reply => {
    const { method, path, query, headers, body } = received
    const openedId = /^\/pay\/3ni8kdavz(\d+)$/.exec(path)?.[1]
    if (openedId) {
      const isKnown = [...payments.values()].some(({ id }) => String(id) === openedId)
      return { status: isKnown ? 200 : 404, body: '<!doctype html><title>Pay</title>' }
    }
    // The address to which files are uploaded needs no key.
    const upload = path.startsWith('/pay/upload/') ? disputes.handle(received) : undefined
    if (upload) return upload
    if (path === '/') return { status: 200, body: { status: true, message: 'Welcome' } }
    if (headers.authorization !== `Bearer ${secretKey}`) {
      return { status: 401, body: { status: false, message: 'Invalid key' } }
    }
    if (method === 'POST' && path === '/transaction/initialize') return initialize(body)
    if (method === 'GET' && path === '/transaction') return list(query)
    if (method === 'POST' && path === '/refund') return refund(body)
    // dist/api/transfers-control/balance/response.json
    if (method === 'GET' && path === '/balance') {
      const data = [{ currency: fake.currency, balance: 1_700_000 }]
      return { status: 200, body: { status: true, message: 'Balances retrieved', data } }
    }
    if (method === 'GET' && path === '/bank') return listBanks(query)
    if (method === 'GET' && path === '/bank/resolve') return resolveAccount(query)
    const retriedId = /^\/refund\/retry_with_customer_details\/(\d+)$/.exec(path)?.[1]
    if (method === 'POST' && retriedId) return retryRefund(retriedId, body)
    // dist/api/refunds/fetch/response.json
    const fetchedId = /^\/refund\/(\d+)$/.exec(path)?.[1]
    if (fetchedId) {
      const data = refunded.find(({ id }) => String(id) === fetchedId)
      if (!data) return { status: 404, body: { status: false, message: 'Refund not found' } }
      return { status: 200, body: { status: true, message: 'Refund retrieved', data } }
    }
    if (method === 'GET' && path === '/refund') {
      const filter = query.get('transaction')
      const data = refunded.filter(({ transaction }) => fake.ignoresFilter || transaction === filter)
      return { status: 200, body: { status: true, message: 'Refunds retrieved', data } }
    }
    const disputeReply = disputes.handle(received)
    if (disputeReply) return disputeReply
    const reference = decodeURIComponent(/^\/transaction\/verify\/(.+)$/.exec(path)?.[1] ?? '')
    const payment = payments.get(reference)
    if (!payment) return refuse('Transaction reference not found.', 'transaction_not_found')
    return { status: 200, body: { status: true, message: 'Verification successful', data: present(payment) } }
  }

  const server = await startFakeServer(handle, path => path.startsWith('/pay/'))
  const fake: Paystack = {
    server,
    disputes,
    secretKey,
    refunded,
    accounts: [],
    currency: 'NGN',
    reversalPendingStatus: 'reversal-pending',
    ignoresFilter: false,
    statusOf: reference => getStatus(findKnownPayment(reference)),
    idOf: reference => String(findKnownPayment(reference).id),
    pinStatus(reference, status) {
      findKnownPayment(reference).pinnedStatus = status
    },
    requestedAmount: reference => payments.get(reference)?.amount,
    endPayment(reference, status, report = {}) {
      const payment = findKnownPayment(reference)
      Object.assign(payment, { status: status === 'reversed' ? 'success' : status, report })
      if (status !== 'reversed') return
      // The remaining money was returned by a lost dispute, which the list of refunds contains.
      const transaction = String(payment.id)
      const refunds = refunded.filter(item => item.transaction === transaction && item.status === 'processed')
      const amount = (payment.report.amount ?? payment.amount) - sum(refunds)
      if (amount === 0) return
      const id = 3_018_284 + refunded.length
      refunded.push({ id, transaction, amount, merchant_note: '', status: 'processed', dispute: 358_950 })
    },
    // dist/doc/payments/bulk-charge/webhook.js (charge.success); HMAC-SHA512 with the secret key: paystack.com/docs/payments/webhooks.
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
  return fake
}
