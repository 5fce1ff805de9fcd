import {
  type adminDisputes,
  type Dispute,
  type DisputeState,
  disputeStates,
} from '@portal/contract/admin-disputes'
import { paginate } from '@portal/contract/shapes'
import { toMajor, toMinor } from '@portal/format/money'
import { disputeMessages } from '@portal/rules/messages'
import { displayEmail } from '../erased.ts'
import { Fault } from '../fault.ts'
import { respondWithFile } from '../http/file-response.ts'
import { emptyStream } from '../http/head.ts'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { sendSoon } from '../mail/outbox.ts'
import { syncWithGateway } from '../payments/sync.ts'
import type { Ports } from '../ports.ts'
import { buildTotalsByState, iso, isoOrNull } from '../wire.ts'
import {
  addDisputeManually,
  canAnswer,
  canRecord,
  disputeOrFail,
  queueAnswer,
  recordOutcome,
  saveNote,
} from './answers.ts'
import { drawEvidenceFile, readEvidence } from './evidence.ts'
import { processDispute } from './queue.ts'
import { isAnswerPending } from './rules.ts'
import { countDisputes, type DisputeFilter, type DisputeView, listDisputes } from './store.ts'

type Domain = typeof adminDisputes

/** Number of rows that an export reads per query. */
const EXPORT_BATCH = 1000

function disputeOf(found: DisputeView, { gateways }: Pick<Ports, 'gateways'>): Dispute {
  const { dispute, payment } = found
  return {
    id: dispute.id,
    transaction_id: payment.transactionId,
    payment_reference: payment.providerReference,
    email: displayEmail(found.payerEmail),
    provider: dispute.provider,
    source: dispute.source,
    gateway_reference: dispute.providerDisputeId,
    gateway_status: dispute.gatewayStatus,
    state: dispute.state,
    amount: toMajor(dispute.amountMinor),
    currency: dispute.currency,
    fee: toMajor(dispute.feeMinor),
    refunded: toMajor(found.refundedMinor),
    category: dispute.category,
    reason: dispute.reason,
    opened_at: iso(dispute.openedAt),
    due_at: isoOrNull(dispute.dueAt),
    answer: dispute.answer,
    answered_by: displayEmail(found.answererEmail),
    answered_at: isoOrNull(dispute.answeredAt),
    answer_pending: isAnswerPending(dispute) && dispute.state === 'open',
    note: dispute.note,
    closed_at: isoOrNull(dispute.closedAt),
    can_answer: canAnswer(found, gateways),
    can_record: canRecord(found, gateways),
    created_at: iso(dispute.createdAt),
    updated_at: iso(dispute.updatedAt),
  }
}

const filterOf = ({ query }: Call<Domain['list']>): DisputeFilter => ({
  state: query.state,
  search: query.search ?? '',
})

async function list(call: Call<Domain['list']>) {
  const { page, per_page: perPage } = call.query
  const range = { offset: (page - 1) * perPage, limit: perPage }
  const { rows, total } = await listDisputes(call.db.read, { ...filterOf(call), ...range })
  return {
    disputes: rows.map(row => disputeOf(row, call.ports)),
    summary: buildTotalsByState(disputeStates, await countDisputes(call.db.read)),
    pagination: paginate(page, perPage, total),
  }
}

async function* exportDisputes(call: Call<Domain['list']>) {
  for (let offset = 0; ; offset += EXPORT_BATCH) {
    const { rows } = await listDisputes(call.db.read, { ...filterOf(call), offset, limit: EXPORT_BATCH })
    yield rows.map(row => disputeOf(row, call.ports))
    if (rows.length < EXPORT_BATCH) return
  }
}

/** Returns a reply with a message and the current state of the dispute. */
async function buildReply({ db, ports }: Pick<Call, 'db' | 'ports'>, id: string, message: string) {
  return { message, dispute: disputeOf(await disputeOrFail(db.read, id), ports) }
}

const MESSAGE_BY_STATE: Record<DisputeState, string> = {
  open: disputeMessages.answerStored,
  accepted: disputeMessages.accepted,
  contested: disputeMessages.contested,
  won: disputeMessages.won,
  lost: disputeMessages.lost,
  expired: disputeMessages.tooLate,
}

async function answer(call: Call<Domain['accept']> | Call<Domain['contest']>, kind: 'accept' | 'contest') {
  const { id } = call.params
  await queueAnswer(call, { id, answer: kind, note: call.body.note })
  await processDispute(call.ports, call.db, id)
  const { dispute } = await disputeOrFail(call.db.read, id)
  return buildReply(call, id, MESSAGE_BY_STATE[dispute.state])
}

async function record(call: Call<Domain['record']>) {
  const { id } = call.params
  const { state, note, fee } = call.body
  const transactionId = await recordOutcome(call, { id, state, note, feeMinor: toMinor(fee) })
  // Requeries the payment, because returned money is recorded only when the gateway reports it.
  await syncWithGateway(call.ports, call.db, { transactionId }, 'user', call.user.id)
  sendSoon(call.ports)
  return buildReply(call, id, disputeMessages.updated)
}

async function create(call: Call<Domain['create']>) {
  const { body } = call
  if (body.due_at != null && body.due_at <= call.ports.clock.now())
    throw new Fault('VALIDATION_ERROR', { fields: { due_at: disputeMessages.pastDeadline } })
  const input = { ...body, minor: toMinor(body.amount), dueAt: body.due_at ?? null }
  const id = await addDisputeManually(call, input)
  sendSoon(call.ports)
  return buildReply(call, id, disputeMessages.entered)
}

export const disputeHandlers: HandlersOf<Domain> = {
  list: withCsv(list, exportDisputes),
  create,
  detail: async call => {
    const found = await disputeOrFail(call.db.read, call.params.id)
    return { dispute: disputeOf(found, call.ports), evidence: await readEvidence(call, found) }
  },
  evidenceFile: async call => {
    const found = await disputeOrFail(call.db.read, call.params.id)
    const name = `evidence-${found.payment.providerReference}.pdf`
    const body = call.isHead ? emptyStream() : await drawEvidenceFile(call, found)
    return respondWithFile(body, 'application/pdf', name)
  },
  saveNote: async call => {
    await saveNote(call, { id: call.params.id, note: call.body.note })
    return buildReply(call, call.params.id, disputeMessages.noteSaved)
  },
  accept: call => answer(call, 'accept'),
  contest: call => answer(call, 'contest'),
  record,
}
