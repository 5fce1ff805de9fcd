import { createHmac } from 'node:crypto'
import {
  type FakeGateway,
  type ReceivedRequest,
  type Reply,
  type Report,
  startFakeServer,
} from './fake-server.ts'

/*
 * A fake of BPMS (TICRMS). "Published" refers to the payment facts in the project's requirements, as EduTAMS published them,
 * read 2026-11-23; there is no public page. "Seen" means that a public integration does the same: a clinic's
 * `clinic_payment_callback.php` form for https://ticrms.edutams.net/checkout/entry, found on GitHub by code search, read
 * 2026-11-25. Anything without a source is marked "Assumed".
 */

interface Bpms extends FakeGateway {
  publicKey: string
  privateKey: string
  schoolCode: string
}

interface Bill {
  paymentCode: string
  naira: string
  status: string
  code: string
  report: Report
}

/** Published and seen: the fields of the form. */
const publishedFields = [
  'billed_amount name school_code date bill_description customer_phone customer_id customer_first_name',
  'customer_last_name customer_address customer_fname public_key request_id revenue_code currency callback_url',
  'product-desc customer_email hash_type hash',
].flatMap(line => line.split(' '))

/** BPMS documents APPROVED with 00 only; all other words and codes are assumptions. */
const statuses: Record<string, string> = {
  '00': 'APPROVED',
  '05': 'FAILED',
  '14': 'FAILED',
  '51': 'FAILED',
  '54': 'FAILED',
  '91': 'FAILED',
  '09': 'PENDING',
  Z0: 'PENDING',
  '68': 'PENDING',
  '17': 'FAILED',
  Z6: 'CANCELLED',
}

export async function startFakeBpms(): Promise<Bpms> {
  const publicKey = 'FAKE_PUBLIC_KEY'
  const privateKey = 'FAKE_PRIVATE_KEY'
  const schoolCode = '300000'
  const bills = new Map<string, Bill>()

  /**
   * Accepts the form. Published and seen: the signed text, which omits the amount, with SHA256. Assumed: the response to an
   * invalid form.
   */
  function acceptForm(form: URLSearchParams): Reply {
    const readField = (name: string) => form.get(name) ?? ''
    const missing = publishedFields.filter(name => !form.has(name))
    if (missing.length > 0) return { status: 422, body: `missing ${missing.join(' ')}` }
    const signedText =
      `request_id=${readField('request_id')}&callback_url=${readField('callback_url')}` +
      `&customer_email=${readField('customer_email')}&customer_phone=${readField('customer_phone')}` +
      `&customer_first_name=${readField('customer_fname')}&customer_first_name=${readField('customer_last_name')}` +
      `&public-key=${readField('public_key')}`
    const hash = createHmac('sha256', privateKey).update(signedText).digest('hex')
    if (readField('hash') !== hash || readField('hash_type') !== 'SHA256')
      return { status: 403, body: 'bad hash' }
    if (readField('public_key') !== publicKey || readField('school_code') !== schoolCode) {
      return { status: 403, body: 'unknown school' }
    }
    if (!/^\d+(\.\d{1,2})?$/.test(readField('billed_amount'))) return { status: 422, body: 'bad amount' }
    // Seen: "ticrms requires 11 digits".
    if (!/^\d{11}$/.test(readField('customer_phone'))) return { status: 422, body: 'bad phone' }
    const naira = readField('billed_amount')
    const paymentCode = String(720_000_000_001 + bills.size)
    bills.set(readField('request_id'), { paymentCode, naira, status: 'PENDING', code: '', report: {} })
    return { status: 200, body: '<!doctype html><title>Pay</title>' }
  }

  /**
   * Answers a requery. Published: its fields and the response for APPROVED. Assumed: 403 for a wrong account, 404 for an
   * unknown request.
   */
  function requery(body: string): Reply {
    const query = JSON.parse(body)
    if (query.public_key !== publicKey || query.school_code !== schoolCode) return { status: 403, body: {} }
    const bill = bills.get(query.request_id)
    if (!bill) return { status: 404, body: { message: 'No such request' } }
    const { report } = bill
    const amountPaid =
      report.amount === undefined ? Number(bill.naira) : Number((report.amount / 100).toFixed(2))
    const data = bill.status === 'APPROVED' ? { amount_paid: amountPaid } : {}
    return {
      status: 200,
      body: {
        request_id: report.reference ?? query.request_id,
        payment_code: bill.paymentCode,
        payment_url: `https://pay.example.org/${bill.paymentCode}`,
        status: bill.status,
        updated_at: '2026-01-15 12:00:00',
        raw_response: { status_code: bill.code, data },
      },
    }
  }

  const handle = ({ method, path, body }: ReceivedRequest): Reply => {
    if (path === '/checkout/entry') {
      return method === 'POST' ? acceptForm(new URLSearchParams(body)) : { status: 405, body: 'POST only' }
    }
    if (method === 'POST' && path === '/checkout/re-query') return requery(body)
    return { status: 404, body: 'no such page' }
  }

  return {
    publicKey,
    privateKey,
    schoolCode,
    server: await startFakeServer(handle, path => path === '/checkout/entry'),
    requestedAmount(reference) {
      const naira = bills.get(reference)?.naira
      if (naira === undefined) return undefined
      const [whole = '', part = ''] = naira.split('.')
      return Number(whole) * 100 + Number(part.padEnd(2, '0'))
    },
    endPayment(reference, end, report = {}) {
      const bill = bills.get(reference)
      if (!bill) throw new Error(`no bill ${reference}`)
      Object.assign(bill, { status: statuses[end] ?? end, code: end in statuses ? end : '', report })
    },
    // Published: the browser returns with `request_id, status-code, status-msg`, unsigned. There is no webhook.
    callBack: reference => ({
      raw: new URLSearchParams({
        request_id: reference,
        'status-code': bills.get(reference)?.code ?? '00',
        'status-msg': 'APPROVED',
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  }
}
