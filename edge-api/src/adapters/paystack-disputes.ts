import * as z from 'zod'
import {
  type DisputeOutcome,
  type Disputes,
  type EvidenceFile,
  type GatewayDispute,
  GatewayRefusal,
} from '../payment-gateway.ts'
import { assertGatewayAddress } from './gateway-address.ts'
import { callGateway, isRefusal, rethrowAsUnreachable } from './gateway-http.ts'
import { id, MAX_LIST_BYTES, type PaystackCall, readOk } from './paystack-responses.ts'

/*
 * Paystack's disputes, as published in PaystackOSS/openapi (dist/paystack.yaml at 9678dea) and
 * PaystackOSS/doc-code-snippets (dist/api/disputes and dist/doc/payments at 94af513), read 2026-11-23. Amounts are in
 * kobo.
 */

const PER_PAGE = 100

const dispute = z.object({
  id,
  status: z.string().min(1).max(100),
  resolution: z.string().max(100).nullish(),
  domain: z.enum(['test', 'live']),
  refund_amount: z.int().nonnegative().nullish(),
  currency: z.string().nullish(),
  category: z.string().nullish(),
  transaction: z.object({
    reference: z.string().min(1),
    amount: z.int().nonnegative(),
    currency: z.string(),
  }),
  messages: z.array(z.object({ body: z.string().nullish() })).nullish(),
  evidence: z.union([id, z.object({ id })]).nullish(),
  dueAt: z.iso.datetime().nullish(),
  resolvedAt: z.iso.datetime().nullish(),
  createdAt: z.iso.datetime(),
})
type PaystackDispute = z.infer<typeof dispute>

const disputeResponse = z.object({ status: z.literal(true), data: dispute })
const disputeListResponse = z.object({
  status: z.literal(true),
  data: z.array(z.unknown()),
  meta: z.object({ page: z.int().nullish(), pageCount: z.int().nullish() }),
})
const uploadResponse = z.object({
  status: z.literal(true),
  data: z.object({ signedUrl: z.string().min(1), fileName: z.string().min(1) }),
})
const evidenceResponse = z.object({ status: z.literal(true), data: z.object({ id: z.int() }) })

/**
 * Maps the gateway's resolutions. `auto-accepted` is documented with the event `charge.dispute.resolve`, and the other two with
 * the call that resolves a dispute.
 */
const resolutions: Record<string, DisputeOutcome> = {
  'merchant-accepted': 'accepted',
  'auto-accepted': 'expired',
  declined: 'declined',
}

function outcomeOf({ status, resolution }: PaystackDispute): DisputeOutcome {
  if (status === 'awaiting-merchant-feedback' || status === 'pending') return 'open'
  if (status === 'awaiting-bank-feedback') return 'contested'
  // The meaning of `archived` is not documented.
  return (status === 'resolved' && resolutions[resolution ?? '']) || 'unknown'
}

const toGatewayDispute = (entry: PaystackDispute): GatewayDispute => ({
  id: entry.id,
  reference: entry.transaction.reference,
  outcome: outcomeOf(entry),
  status: [entry.status, entry.resolution].filter(Boolean).join(', '),
  // Amount and currency may both be null, which means that the whole payment is disputed.
  amount: {
    minor: entry.refund_amount || entry.transaction.amount,
    currency: entry.currency ?? entry.transaction.currency,
  },
  ...(entry.category && { category: entry.category }),
  ...(entry.messages?.[0]?.body && { reason: entry.messages[0].body }),
  openedAt: new Date(entry.createdAt),
  ...(entry.dueAt && { dueAt: new Date(entry.dueAt) }),
  ...(entry.resolvedAt && { closedAt: new Date(entry.resolvedAt) }),
  mode: entry.domain,
})

export function paystackDisputes(
  call: PaystackCall,
  { fetch, allowLoopback }: { fetch: typeof globalThis.fetch; allowLoopback: boolean },
): Disputes {
  const read = async (disputeId: string, signal: AbortSignal): Promise<PaystackDispute> => {
    const { data } = disputeResponse.parse(
      readOk(await call(`/dispute/${encodeURIComponent(disputeId)}`, signal)),
    )
    if (data.id !== disputeId) throw new Error('the gateway returned a different dispute')
    return data
  }

  /** Uploads a file to the address that the gateway provides for it. @returns the gateway's name for the file */
  async function uploadFile(disputeId: string, { name, type, bytes }: EvidenceFile, signal: AbortSignal) {
    // This parameter is documented only in dist/api/disputes/upload-url/requests.js, not in the OpenAPI description.
    const query = new URLSearchParams({ upload_filename: name })
    const path = `/dispute/${encodeURIComponent(disputeId)}/upload_url?${query}`
    const { data } = uploadResponse.parse(readOk(await call(path, signal)))
    const { href } = assertGatewayAddress(data.signedUrl, { allowLoopback })
    const init = { method: 'PUT', signal, headers: { 'content-type': type }, body: bytes }
    const { status } = await callGateway(fetch, href, init)
    if (status !== 200) throw new Error(`the evidence upload returned ${status}`)
    return data.fileName
  }

  /** Resolves a dispute. @throws GatewayRefusal on a 4xx, unless the dispute was resolved in the meantime */
  async function resolve(disputeId: string, body: object, signal: AbortSignal): Promise<GatewayDispute> {
    const path = `/dispute/${encodeURIComponent(disputeId)}/resolve`
    const response = await call(path, signal, body, undefined, 'PUT').catch(rethrowAsUnreachable)
    const after = await read(disputeId, signal)
    if (isRefusal(response.status) && outcomeOf(after) === 'open')
      throw new GatewayRefusal(`the gateway returned ${response.status}`)
    if (!isRefusal(response.status)) readOk(response)
    return toGatewayDispute(after)
  }

  return {
    fetch: async (disputeId, signal) => toGatewayDispute(await read(disputeId, signal)),

    async list(from, cursor, signal) {
      const query = new URLSearchParams({
        from: from.toISOString(),
        perPage: String(PER_PAGE),
        page: cursor ?? '1',
      })
      const response = await call(`/dispute?${query}`, signal, undefined, MAX_LIST_BYTES)
      const { data, meta } = disputeListResponse.parse(readOk(response))
      const hasNextPage =
        typeof meta.page === 'number' && typeof meta.pageCount === 'number' && meta.page < meta.pageCount
      const parsed = data.map(entry => dispute.safeParse(entry))
      return {
        items: parsed.flatMap(entry => (entry.success ? [toGatewayDispute(entry.data)] : [])),
        unreadable: parsed.filter(entry => !entry.success).length,
        ...(hasNextPage && { nextCursor: String((meta.page ?? 0) + 1) }),
      }
    },

    async accept({ id: disputeId, amountMinor, note, file }, signal) {
      const before = await read(disputeId, signal)
      if (outcomeOf(before) !== 'open') return toGatewayDispute(before)
      // The OpenAPI description requires a file for every resolution.
      const uploaded_filename = await uploadFile(disputeId, file, signal)
      const message = note || 'The merchant accepts the dispute.'
      const body = { resolution: 'merchant-accepted', message, refund_amount: amountMinor, uploaded_filename }
      return await resolve(disputeId, body, signal)
    },

    async contest({ id: disputeId, evidence }, signal) {
      const before = await read(disputeId, signal)
      if (outcomeOf(before) !== 'open') return toGatewayDispute(before)
      const uploaded_filename = await uploadFile(disputeId, evidence.file, signal)
      // Reuses evidence from an earlier attempt.
      const existing = typeof before.evidence === 'object' ? before.evidence?.id : before.evidence
      const evidenceId = existing ? Number(existing) : await addEvidence(disputeId, evidence, signal)
      const message = evidence.note || evidence.service
      const body = {
        resolution: 'declined',
        message,
        refund_amount: 0,
        uploaded_filename,
        evidence: evidenceId,
      }
      return await resolve(disputeId, body, signal)
    },
  }

  async function addEvidence(
    disputeId: string,
    { customer, service, deliveredAt, note }: Parameters<Disputes['contest']>[0]['evidence'],
    signal: AbortSignal,
  ): Promise<number> {
    const body = {
      customer_email: customer.email,
      customer_name: customer.name,
      customer_phone: customer.phone,
      service_details: note ? `${service} ${note}` : service,
      ...(deliveredAt && { delivery_date: deliveredAt.toISOString().slice(0, 10) }),
    }
    const path = `/dispute/${encodeURIComponent(disputeId)}/evidence`
    const response = await call(path, signal, body).catch(rethrowAsUnreachable)
    if (isRefusal(response.status)) throw new GatewayRefusal(`the gateway returned ${response.status}`)
    return evidenceResponse.parse(readOk(response)).data.id
  }
}
