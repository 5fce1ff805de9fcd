import { toMajor, toMinor } from '@portal/format/money'
import * as z from 'zod'
import {
  type DisputeOutcome,
  type Disputes,
  type EvidenceFile,
  type GatewayDispute,
  GatewayRefusal,
} from '../payment-gateway.ts'
import { type GatewayResponse, isRefusal, rethrowAsUnreachable } from './gateway-http.ts'

/* The sandbox's disputes: `GET /dispute`, `/dispute/{id}`, and the calls `file`, `accept` and `contest` below it. */

const PER_PAGE = 100
/** Maximum size of a page of the list, which is larger than other responses, in bytes. */
const MAX_LIST_BYTES = 1024 * 1024

const dispute = z.object({
  dispute_id: z.string().min(1),
  request_id: z.string().min(1),
  status: z.string(),
  amount: z.number().positive(),
  currency: z.string(),
  fee: z.number().nonnegative(),
  category: z.string(),
  reason: z.string(),
  due_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  mode: z.enum(['test', 'live']),
})
const disputeListResponse = z.object({
  disputes: z.array(dispute),
  next_cursor: z.string().min(1).optional(),
})

const outcomes: Record<string, DisputeOutcome> = {
  OPEN: 'open',
  UNDER_REVIEW: 'contested',
  ACCEPTED: 'accepted',
  WON: 'won',
  LOST: 'lost',
  EXPIRED: 'expired',
}

function toGatewayDispute(entry: z.infer<typeof dispute>): GatewayDispute {
  const outcome = outcomes[entry.status] ?? 'unknown'
  return {
    id: entry.dispute_id,
    reference: entry.request_id,
    outcome,
    status: entry.status,
    amount: { minor: toMinor(entry.amount), currency: entry.currency },
    feeMinor: toMinor(entry.fee),
    category: entry.category,
    reason: entry.reason,
    openedAt: new Date(entry.created_at),
    dueAt: new Date(entry.due_at),
    ...(outcome !== 'open' && { closedAt: new Date(entry.updated_at) }),
    mode: entry.mode,
  }
}

type Call = (path: string, init: RequestInit, maxBytes?: number) => Promise<GatewayResponse>

function readOk({ status, text }: GatewayResponse): unknown {
  if (status !== 200) throw new Error(`the gateway returned ${status}`)
  return JSON.parse(text)
}

export function sandboxDisputes(call: Call): Disputes {
  const disputePath = (id: string, suffix = '') => `/dispute/${encodeURIComponent(id)}${suffix}`
  const read = async (id: string, signal: AbortSignal) =>
    toGatewayDispute(dispute.parse(readOk(await call(disputePath(id), { signal }))))

  async function uploadFile(id: string, { type, bytes }: EvidenceFile, signal: AbortSignal): Promise<void> {
    const headers = { 'content-type': type }
    readOk(await call(disputePath(id, '/file'), { method: 'PUT', headers, body: bytes, signal }))
  }

  async function sendAnswer(
    id: string,
    suffix: string,
    body: object,
    signal: AbortSignal,
  ): Promise<GatewayDispute> {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal }
    const response = await call(disputePath(id, suffix), init).catch(rethrowAsUnreachable)
    // 409 means that the dispute was answered in the meantime.
    if (response.status === 409) return await read(id, signal)
    if (isRefusal(response.status)) throw new GatewayRefusal(`the gateway returned ${response.status}`)
    return toGatewayDispute(dispute.parse(readOk(response)))
  }

  return {
    fetch: read,

    async list(from, cursor, signal) {
      const query = new URLSearchParams({
        date_from: from.toISOString(),
        limit: String(PER_PAGE),
        ...(cursor !== undefined && { cursor }),
      })
      const response = await call(`/dispute?${query}`, { signal }, MAX_LIST_BYTES)
      const { disputes, next_cursor: nextCursor } = disputeListResponse.parse(readOk(response))
      return {
        items: disputes.map(toGatewayDispute),
        unreadable: 0,
        ...(nextCursor !== undefined && { nextCursor }),
      }
    },

    async accept({ id, amountMinor, note }, signal) {
      const before = await read(id, signal)
      if (before.outcome !== 'open') return before
      return await sendAnswer(id, '/accept', { amount: toMajor(amountMinor), message: note }, signal)
    },

    async contest({ id, evidence }, signal) {
      const before = await read(id, signal)
      if (before.outcome !== 'open') return before
      await uploadFile(id, evidence.file, signal)
      const body = {
        customer_name: evidence.customer.name,
        customer_email: evidence.customer.email,
        customer_phone: evidence.customer.phone,
        service: evidence.service,
        ...(evidence.deliveredAt && { delivered_at: evidence.deliveredAt.toISOString() }),
        message: evidence.note,
      }
      return await sendAnswer(id, '/contest', body, signal)
    },
  }
}
