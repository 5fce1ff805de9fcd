import { createHmac } from 'node:crypto'
import {
  type FakeGateway,
  type ReceivedRequest,
  type Reply,
  type Report,
  startFakeServer,
} from './fake-server.ts'

/*
 * The sandbox gateway as edge-api/src/payment-service/README.md describes it to merchants, read 2026-11-23: `POST /payment`,
 * `POST /verify/{request_id}`, `GET /transaction`, amounts in major units, codes of the test cards, callbacks signed over
 * `t.raw`. Nothing is assumed, because the gateway is part of this project.
 */

interface Payment {
  transactionId: string
  amount: number
  code: string
  report: Report
  createdAt: number
}

const statuses: Record<string, string> = {
  '': 'PENDING',
  '00': 'APPROVED',
  '09': 'PROCESSING',
  '68': 'PROCESSING',
  Z0: 'PROCESSING',
  Z5: 'EXPIRED',
  Z6: 'CANCELLED',
}

/** Starts the fake. @param clock milliseconds since 1970 at which callbacks are signed */
export async function startFakeSandbox(clock: () => number): Promise<FakeGateway> {
  const payments = new Map<string, Payment>()

  function acceptOrder(body: string): Reply {
    const order = JSON.parse(body)
    const amount = Math.round(order.amount_due * 100)
    if (Math.abs(order.amount_due * 100 - amount) > 1e-4 || order.currency !== 'NGN') {
      return { status: 422, body: { error: 'Use at most two decimals', code: 'VALIDATION_ERROR' } }
    }
    const transactionId = `SBX${payments.size + 1}`
    payments.set(order.request_id, { transactionId, amount, code: '', report: {}, createdAt: clock() })
    return {
      status: 201,
      body: {
        transaction_id: transactionId,
        request_id: order.request_id,
        payment_code: '123456789012',
        payment_url: `${server.url}/checkout/entry`,
        payment_data: { request_id: order.request_id },
        expires_at: new Date(clock() + 25 * 60_000).toISOString(),
      },
    }
  }

  function verify(reference: string): Reply {
    const payment = payments.get(reference)
    if (!payment) return { status: 404, body: { error: 'The transaction was not found', code: 'NOT_FOUND' } }
    const { code, report, transactionId } = payment
    const status = statuses[code] ?? 'FAILED'
    return {
      status: 200,
      body: {
        request_id: report.reference ?? reference,
        transaction_id: transactionId,
        status,
        code,
        amount_paid: status === 'APPROVED' ? Number(((report.amount ?? payment.amount) / 100).toFixed(2)) : 0,
        currency: report.currency ?? 'NGN',
        mode: report.mode ?? 'test',
      },
    }
  }

  /**
   * Answers a call for the list: newest first, always two per page; the cursor is the last transaction of the previous page.
   */
  function list(query: URLSearchParams): Reply {
    const [from, to] = [query.get('date_from') ?? '', query.get('date_to') ?? ''].map(Date.parse)
    const matches = [...payments]
      .filter(([, { createdAt }]) => createdAt >= (from ?? 0) && createdAt <= (to ?? 0))
      .reverse()
    const cursor = query.get('cursor')
    const start = matches.findIndex(([, { transactionId }]) => transactionId === cursor) + 1
    const page = matches.slice(start, start + 2)
    const transactions = page.map(([reference, payment]) => {
      const { body } = verify(reference) as { body: Record<string, unknown> }
      const { transactionId } = payment
      return { ...body, transid: transactionId, amount_due: payment.amount / 100, mode: undefined }
    })
    const hasMore = matches.length > start + 2
    const next_cursor = hasMore ? page.at(-1)?.[1].transactionId : undefined
    return { status: 200, body: { transactions, count: transactions.length, next_cursor } }
  }

  const handle = ({ method, path, query, body }: ReceivedRequest): Reply => {
    if (method === 'POST' && path === '/payment') return acceptOrder(body)
    if (method === 'POST' && path === '/checkout/entry') {
      const isKnown = payments.has(new URLSearchParams(body).get('request_id') ?? '')
      return { status: isKnown ? 200 : 404, body: '<!doctype html><title>Pay</title>' }
    }
    if (method === 'GET' && path === '/transaction') return list(query)
    if (path === '/health') return { status: 200, body: { status: 'ok' } }
    const reference = /^\/verify\/(.+)$/.exec(path)?.[1]
    if (method === 'POST' && reference) return verify(decodeURIComponent(reference))
    return { status: 404, body: 'no such page' }
  }

  const server = await startFakeServer(handle, path => path === '/checkout/entry')
  return {
    server,
    requestedAmount: reference => payments.get(reference)?.amount,
    endPayment(reference, code, report = {}) {
      const payment = payments.get(reference)
      if (!payment) throw new Error(`no payment ${reference}`)
      Object.assign(payment, { code, report })
    },
    callBack(reference, secret) {
      const raw = JSON.stringify({
        event_id: `evt_${reference}`,
        event: 'transaction.approved',
        request_id: reference,
      })
      const t = Math.floor(clock() / 1000)
      const signature = createHmac('sha512', secret).update(`${t}.${raw}`).digest('hex')
      return { raw, headers: { 'x-sandbox-signature': `t=${t},v1=${signature}` } }
    },
  }
}
