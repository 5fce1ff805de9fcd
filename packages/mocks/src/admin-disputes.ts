import {
  type Dispute,
  type DisputeEvidence,
  type DisputeState,
  disputeStates,
  type adminDisputes as routes,
} from '@portal/contract/admin-disputes'
import { byKey } from '@portal/format/by-key'
import { toMajor } from '@portal/format/money'
import { disputeMessages } from '@portal/rules/messages'
import { HttpResponse } from 'msw'
import { CURRENCY } from './currency.ts'
import { createDispute } from './disputes.ts'
import { Fault } from './fault.ts'
import { newId } from './ids.ts'
import { toLetterLink } from './letter-status.ts'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState } from './state.ts'

const disputesOf = (state: MockState): Dispute[] => {
  state.disputes ??= []
  return state.disputes
}

function disputeOrFail(state: MockState, id: string): Dispute {
  const found = disputesOf(state).find(item => item.id === id)
  if (!found) throw new Fault('NOT_FOUND', undefined, 'There is no such dispute.')
  return found
}

/** Sorts open disputes first, by deadline, and then closed ones, newest first. */
function compareDisputes(a: Dispute, b: Dispute): number {
  const openOrder = Number(b.state === 'open') - Number(a.state === 'open')
  if (openOrder !== 0) return openOrder
  if (a.state === 'open') return (a.due_at ?? '9').localeCompare(b.due_at ?? '9')
  return b.opened_at.localeCompare(a.opened_at)
}

function evidenceFor(state: MockState, { transaction_id: id }: Dispute): DisputeEvidence {
  const rows = state.payments.filter(payment => payment.transaction_id === id)
  const [firstRow] = rows
  const payer = state.users.find(user => user.id === firstRow?.user_id)
  const paidAt = firstRow?.ended_at ?? null
  return {
    customer: {
      name: `${payer?.firstname} ${payer?.lastname}`,
      email: payer?.email ?? '',
      phone: payer?.phone ?? '',
    },
    paid_at: paidAt,
    amount_paid: toMajor(rows.reduce((sum, item) => sum + item.amount_minor, 0)),
    currency: CURRENCY,
    delivered_at: paidAt,
    items: rows.map(row => {
      const link = toLetterLink(state, row)
      return {
        certificate_number: row.certificate_number,
        outcome: row.certificate ? ('verified' as const) : ('not_found' as const),
        letter: link
          ? {
              ref_number: `CV/${link.code}`,
              status: link.status,
              issued_at: paidAt ?? '',
              url: link.url,
              checks: 0,
              last_checked_at: null,
            }
          : null,
      }
    }),
    refunds: state.refunds
      .filter(item => item.transaction_id === id && item.status !== 'due' && item.status !== 'failed')
      .map(item => ({
        amount: item.amount,
        status: item.status,
        reference: item.bank_reference ?? item.gateway_refund_id,
        at: item.processed_at ?? item.updated_at,
      })),
    uses: paidAt
      ? [
          {
            at: firstRow?.initiated_at ?? paidAt,
            what: 'Certificate verification started',
            ip_address: '197.210.1.7',
          },
          { at: paidAt, what: 'Certificate verification paid', ip_address: '197.210.1.7' },
          { at: paidAt, what: 'Verification letter checked', ip_address: null },
        ]
      : [],
  }
}

const messages: Record<DisputeState, string> = {
  open: disputeMessages.answerStored,
  accepted: disputeMessages.accepted,
  contested: disputeMessages.contested,
  won: disputeMessages.won,
  lost: disputeMessages.lost,
  expired: disputeMessages.tooLate,
}

interface Answer {
  answer: 'accept' | 'contest'
  note: string
  answeredBy: string
  now: Date
}

function recordAnswer(
  dispute: Dispute,
  { answer, note, answeredBy, now }: Answer,
): { message: string; dispute: Dispute } {
  if (!dispute.can_answer) throw new Fault('DISPUTE_CLOSED')
  if (answer === 'accept' && dispute.refunded >= dispute.amount) throw new Fault('DISPUTE_ALREADY_REFUNDED')
  const at = now.toISOString()
  Object.assign(dispute, {
    state: answer === 'accept' ? 'accepted' : 'contested',
    answer,
    answered_by: answeredBy,
    answered_at: at,
    answer_pending: false,
    note: note || dispute.note,
    closed_at: answer === 'accept' ? at : null,
    can_answer: false,
    gateway_status: answer === 'accept' ? 'ACCEPTED' : 'UNDER_REVIEW',
    updated_at: at,
  })
  return { message: messages[dispute.state], dispute }
}

/** A minimal PDF in place of a document, because the mocks do not render any. */
const mockPdf = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[]/Count 0>> endobj
trailer <</Root 1 0 R>>
%%EOF
`

export const adminDisputes: HandlersOf<typeof routes> = {
  list({ query, state }) {
    const { state: stateFilter, search = '' } = query
    const found = disputesOf(state)
      .filter(item => !stateFilter || item.state === stateFilter)
      .filter(
        item =>
          item.transaction_id.startsWith(search) ||
          item.payment_reference === search ||
          item.gateway_reference === search,
      )
      .sort(compareDisputes)
    const { rows: disputes, pagination } = paginateRows(found, query)
    const summary = byKey(disputeStates, name => {
      const inState = disputesOf(state).filter(item => item.state === name)
      return { count: inState.length, amount: inState.reduce((sum, item) => sum + item.amount, 0) }
    })
    return { disputes, summary, pagination }
  },
  create({ body, state, now }) {
    if (body.due_at != null && body.due_at <= now.getTime())
      throw new Fault('VALIDATION_ERROR', { due_at: disputeMessages.pastDeadline })
    const payment = state.payments.find(item => item.transaction_id === body.transaction_id)
    if (!payment) throw new Fault('TRANSACTION_NOT_FOUND')
    if (payment.status !== 'paid')
      throw new Fault('VALIDATION_ERROR', { transaction_id: disputeMessages.noMoney })
    if (body.amount > toMajor(payment.amount_minor))
      throw new Fault('VALIDATION_ERROR', { amount: disputeMessages.tooMuch })
    if (disputesOf(state).some(item => item.gateway_reference === body.gateway_reference))
      throw new Fault('DISPUTE_EXISTS')
    const dispute = createDispute(payment, {
      email: state.users.find(user => user.id === payment.user_id)?.email ?? '',
      id: newId(),
      now,
      changes: {
        gateway_reference: body.gateway_reference,
        amount: body.amount,
        due_at: body.due_at == null ? null : new Date(body.due_at).toISOString(),
        reason: body.reason,
      },
    })
    disputesOf(state).push(dispute)
    return { message: disputeMessages.entered, dispute }
  },
  detail({ params, state }) {
    const dispute = disputeOrFail(state, params.id)
    return { dispute, evidence: evidenceFor(state, dispute) }
  },
  evidenceFile({ params, state }) {
    const { payment_reference: reference } = disputeOrFail(state, params.id)
    const disposition = `attachment; filename="evidence-${reference}.pdf"`
    return new HttpResponse(mockPdf, {
      headers: { 'content-type': 'application/pdf', 'content-disposition': disposition },
    })
  },
  saveNote({ params, body, state, now }) {
    const dispute = disputeOrFail(state, params.id)
    if (dispute.state !== 'open') throw new Fault('DISPUTE_CLOSED')
    Object.assign(dispute, { note: body.note, updated_at: now.toISOString() })
    return { message: disputeMessages.noteSaved, dispute }
  },
  accept: ({ params, body, state, user, now }) =>
    recordAnswer(disputeOrFail(state, params.id), {
      answer: 'accept',
      note: body.note,
      answeredBy: user.email,
      now,
    }),
  contest: ({ params, body, state, user, now }) =>
    recordAnswer(disputeOrFail(state, params.id), {
      answer: 'contest',
      note: body.note,
      answeredBy: user.email,
      now,
    }),
  record({ params, body, state, user, now }) {
    const dispute = disputeOrFail(state, params.id)
    if (!dispute.can_record || dispute.state === body.state) throw new Fault('DISPUTE_CLOSED')
    const at = now.toISOString()
    const answers = { accepted: 'accept', contested: 'contest', won: undefined, lost: undefined } as const
    const answer = answers[body.state]
    Object.assign(dispute, {
      state: body.state,
      ...(answer && { answer, answered_by: user.email, answered_at: at }),
      note: body.note || dispute.note,
      fee: Math.max(dispute.fee, body.fee),
      closed_at: body.state === 'contested' ? null : at,
      updated_at: at,
    })
    return { message: disputeMessages.updated, dispute }
  },
}
