import { createHmac } from 'node:crypto'
import type { ReceivedRequest, Reply } from './fake-server.ts'

/*
 * Disputes of the fake Paystack. Calls, bodies and statuses: PaystackOSS/openapi, dist/paystack.yaml at 9678dea, and
 * PaystackOSS/doc-code-snippets, dist/api/disputes/{list,fetch,upload-url,evidence,resolve}/response.json; events:
 * dist/doc/payments/webhooks/events.js; upload: dist/doc/payments/disputes/upload-url.js, all at 94af513. 16 hours in
 * Nigeria, not counted on weekends: support.paystack.com/en/articles/2125378. All read 2026-11-23. Assumed: the
 * response to a resolution of a closed dispute, and the refusal of a file that was not uploaded.
 */

const HOUR = 3_600_000

export interface FakeDispute {
  id: number
  reference: string
  amount: number | null
  status: string
  resolution: string | null
  category: string | null
  message: string
  dueAt: string | null
  resolvedAt: string | null
  createdAt: string
  evidence: number | null
  attachments: string | null
}

export interface Resolution {
  id: number
  resolution: string
  message: string
  refund_amount: number
  uploaded_filename: string
  evidence?: number
}

export interface FakeDisputes {
  all: FakeDispute[]
  /** The resolutions that the portal sent, in order. */
  resolutions: Resolution[]
  evidence: Record<string, unknown>[]
  /** The uploaded files, by the name that the gateway gave them. */
  files: Map<string, { type: string; bytes: number }>
  /** Opens a dispute about a payment. `overrides` replace its default fields. */
  open(reference: string, overrides?: Partial<FakeDispute>): FakeDispute
  /** Returns a callback about a dispute, signed with `secret`. */
  callBack(
    dispute: FakeDispute,
    event: string,
    secret: string,
  ): { raw: string; headers: Record<string, string> }
  /** Returns the response to a call about disputes, or undefined if the call is about something else. */
  handle(request: ReceivedRequest): Reply | undefined
}

/**
 * Creates the part of the fake that handles disputes.
 * @param present returns a transaction in the API's format, or undefined if it does not exist
 * @param serverUrl returns the URL to which files are uploaded; the real gateway uses signed URLs of S3
 */
export function createFakeDisputes(
  present: (reference: string) => object | undefined,
  serverUrl: () => string,
  clock: () => number,
): FakeDisputes {
  const fake: FakeDisputes = {
    all: [],
    resolutions: [],
    evidence: [],
    files: new Map(),
    open(reference, changes = {}) {
      const dispute: FakeDispute = {
        id: 358_950 + fake.all.length,
        reference,
        amount: null,
        status: 'awaiting-merchant-feedback',
        resolution: null,
        category: 'chargeback',
        message: 'Customer complained about debit without value',
        dueAt: new Date(clock() + 16 * HOUR).toISOString(),
        resolvedAt: null,
        createdAt: new Date(clock()).toISOString(),
        evidence: null,
        attachments: null,
        ...changes,
      }
      fake.all.push(dispute)
      return dispute
    },
    callBack(dispute, event, secret) {
      const { createdAt, ...data } = toBody(dispute)
      const raw = JSON.stringify({ event, data: { ...data, created_at: createdAt } })
      const signature = createHmac('sha512', secret).update(raw).digest('hex')
      return { raw, headers: { 'x-paystack-signature': signature } }
    },
    handle({ method, path, query, headers, body }) {
      const uploadName = /^\/pay\/upload\/(.+)$/.exec(path)?.[1]
      if (method === 'PUT' && uploadName) {
        fake.files.set(uploadName, { type: String(headers['content-type']), bytes: body.length })
        return { status: 200, body: '' }
      }
      if (method === 'GET' && path === '/dispute') return list(query)
      const [, id, action = ''] = /^\/dispute\/(\d+)(?:\/(\w+))?$/.exec(path) ?? []
      if (id === undefined) return undefined
      const dispute = fake.all.find(item => String(item.id) === id)
      if (!dispute) return { status: 404, body: { status: false, message: 'Dispute not found' } }
      if (method === 'GET' && action === '') return ok('Dispute retrieved', toBody(dispute))
      if (method === 'GET' && action === 'upload_url') return createUploadUrl(query)
      if (method === 'POST' && action === 'evidence') return addEvidence(dispute, body)
      if (method === 'PUT' && action === 'resolve') return resolve(dispute, body)
      return undefined
    },
  }

  const ok = (message: string, data: unknown, extraFields: object = {}): Reply => ({
    status: 200,
    body: { status: true, message, data, ...extraFields },
  })
  const refuse = (message: string): Reply => ({ status: 400, body: { status: false, message } })

  function toBody(dispute: FakeDispute) {
    const { reference, amount, message, createdAt, ...rest } = dispute
    return {
      ...rest,
      refund_amount: amount,
      currency: amount === null ? null : 'NGN',
      domain: 'test',
      transaction: present(reference),
      transaction_reference: null,
      customer: { id: 10_207, email: 'shola@baddest.com' },
      bin: null,
      last4: null,
      note: null,
      history: [{ status: 'pending', by: 'demo@test.co', createdAt }],
      messages: [{ sender: 'demo@test.co', body: message, createdAt }],
      createdAt,
      updatedAt: createdAt,
    }
  }

  function list(query: URLSearchParams): Reply {
    const from = query.get('from') ?? ''
    const disputes = fake.all.filter(({ createdAt }) => createdAt >= from).reverse()
    const perPage = Math.min(Number(query.get('perPage') ?? 50), 2)
    const page = Number(query.get('page') ?? 1)
    const pageCount = Math.ceil(disputes.length / perPage)
    const meta = { total: disputes.length, skipped: 0, perPage, page, pageCount }
    return ok('Disputes retrieved', disputes.slice((page - 1) * perPage, page * perPage).map(toBody), {
      meta,
    })
  }

  function createUploadUrl(query: URLSearchParams): Reply {
    if (!query.get('upload_filename')) return refuse('upload_filename is required')
    const fileName = `qesp8a4df1xejihd9x5q${fake.files.size}`
    return ok('Upload url generated', {
      signedUrl: `${serverUrl()}/pay/upload/${fileName}?X-Amz-Expires=1800`,
      fileName,
    })
  }

  function addEvidence(dispute: FakeDispute, body: string): Reply {
    const fields = JSON.parse(body)
    for (const name of ['customer_email', 'customer_name', 'customer_phone', 'service_details'])
      if (!fields[name]) return refuse(`${name} is required`)
    const id = 21 + fake.evidence.length
    dispute.evidence = id
    const evidence = { ...fields, dispute: dispute.id, id }
    fake.evidence.push(evidence)
    return ok('Evidence created', evidence)
  }

  function resolve(dispute: FakeDispute, body: string): Reply {
    const fields = JSON.parse(body)
    for (const name of ['resolution', 'message', 'uploaded_filename'])
      if (!fields[name]) return refuse(`${name} is required`)
    if (!Number.isInteger(fields.refund_amount)) return refuse('refund_amount is required')
    if (!fake.files.has(fields.uploaded_filename)) return refuse('The file was not uploaded')
    if (dispute.status === 'resolved') return refuse('Dispute is already resolved')
    const paidAmount = Object(present(dispute.reference)).amount
    if (fields.refund_amount > paidAmount)
      return refuse('Refund amount cannot be greater than initial amount')
    fake.resolutions.push({ id: dispute.id, ...fields })
    const amount = fields.resolution === 'declined' ? dispute.amount : fields.refund_amount
    const resolvedAt = new Date(clock()).toISOString()
    Object.assign(dispute, { status: 'resolved', resolution: fields.resolution, resolvedAt, amount })
    // Here `transaction` is only an ID, as in the OpenAPI description.
    return ok('Dispute successfully resolved', {
      ...toBody(dispute),
      transaction: 5_991_760,
      message: { id: 718 },
    })
  }

  return fake
}
