import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { route } from './route.ts'
import { choice, filter, idParam, money, pageQuery, pagination, timestamp } from './shapes.ts'

export const disputeStates = [
  /** Waiting for the institution's answer. */
  'open',
  /** The institution accepted the dispute and is returning the money. */
  'accepted',
  /** The evidence was sent, and the bank is deciding. */
  'contested',
  'won',
  'lost',
  /** The deadline passed without an answer. */
  'expired',
] as const
export type DisputeState = (typeof disputeStates)[number]

/** `gateway`: reported by its API; `manual`: entered by staff. */
export const disputeSources = ['gateway', 'manual'] as const
export const disputeAnswers = ['accept', 'contest'] as const
export type DisputeAnswer = (typeof disputeAnswers)[number]

/** Outcomes that staff can record for a manual dispute. */
export const recordedStates = ['accepted', 'contested', 'won', 'lost'] as const

export const dispute = z.object({
  id: z.string(),
  transaction_id: z.string(),
  payment_reference: z.string(),
  /** The payer's email address. */
  email: z.string(),
  provider: z.string(),
  source: z.enum(disputeSources),
  /** The gateway's ID or reference of the dispute. */
  gateway_reference: z.string().nullable(),
  /** The gateway's own status. */
  gateway_status: z.string().nullable(),
  state: z.enum(disputeStates),
  amount: money.describe('Amount that the bank claims back.'),
  currency: z.string(),
  fee: money.describe("The gateway's fee for the dispute; 0 if it reports none."),
  /** Other refunds of the payment, completed or in progress. */
  refunded: money,
  category: z.string().nullable().describe("The gateway's category of the dispute."),
  reason: z.string().describe('Reason given by the payer or the bank; may be empty.'),
  opened_at: timestamp,
  due_at: timestamp.nullable().describe('Deadline for an answer.'),
  answer: z.enum(disputeAnswers).nullable(),
  answered_by: z.string().nullable(),
  answered_at: timestamp.nullable(),
  /** True until the gateway has confirmed the answer that was stored here. */
  answer_pending: z.boolean(),
  note: z.string().describe('Staff note, sent with the evidence or the answer.'),
  closed_at: timestamp.nullable(),
  /** Which actions are currently possible. */
  can_answer: z.boolean(),
  can_record: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Dispute = z.infer<typeof dispute>

/** One entry of the usage log. */
export const evidenceUse = z.object({
  at: timestamp,
  what: z.string(),
  /** Logged only for the payer's own requests, not for other readers of a letter. */
  ip_address: z.string().nullable(),
})

/** The portal's evidence that the payment was used. */
export const disputeEvidence = z.object({
  customer: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  paid_at: timestamp.nullable(),
  amount_paid: money,
  currency: z.string(),
  delivered_at: timestamp.nullable(),
  items: z.array(
    z.object({
      certificate_number: z.string(),
      outcome: z.enum(['verified', 'not_found', 'refund_due']).nullable(),
      letter: z
        .object({
          ref_number: z.string(),
          status: z.enum(['valid', 'withdrawn', 'superseded']),
          issued_at: timestamp,
          url: z.string(),
          /** How often its public page was viewed. */
          checks: z.int(),
          last_checked_at: timestamp.nullable(),
        })
        .nullable(),
    }),
  ),
  refunds: z.array(
    z.object({ amount: money, status: z.string(), reference: z.string().nullable(), at: timestamp }),
  ),
  uses: z.array(evidenceUse),
})
export type DisputeEvidence = z.infer<typeof disputeEvidence>

const note = z
  .string()
  .trim()
  .max(2000, 'Please use at most 2,000 characters.')
  .nullish()
  .transform(value => value || '')

/** An amount in major units with at most two decimals; `message` is shown for any other value. */
const amount = (message: string) =>
  z
    .number(message)
    .positive(message)
    .max(1_000_000_000, message)
    .refine(value => Number.isInteger(Math.round(value * 1e6) / 1e4), 'Please use at most two decimals.')

const dateTime = (message: string) =>
  z.iso.datetime({ offset: true, message }).transform(value => Date.parse(value))

export const newDispute = z.object({
  transaction_id: field.transactionId(),
  gateway_reference: field.requiredText('Dispute reference is required', 64),
  amount: amount('Please enter the disputed amount.'),
  due_at: dateTime('Please enter the deadline.').nullish(),
  reason: field.requiredText('Bank’s reason is required', 500),
})

export const disputeRecord = z.object({
  state: z.enum(recordedStates, { error: `Please choose one of ${recordedStates.join(', ')}.` }),
  note,
  fee: z
    .number('Please enter the fee as a number.')
    .min(0, 'Please enter the fee as a number.')
    .max(1_000_000_000, 'Please enter the fee as a number.')
    .nullish()
    .transform(value => value ?? 0),
})

const reply = z.object({ message: z.string(), dispute })
const stateTotal = z.object({ count: z.int(), amount: money })

export const adminDisputes = {
  list: route({
    method: 'GET',
    path: '/admin/disputes',
    access: 'admin',
    summary: 'Disputes (chargebacks): open ones first, by deadline, then the others, newest first.',
    query: z.object({
      state: choice(disputeStates),
      /** A transaction ID or its prefix, a payment reference, or the gateway's reference of the dispute. */
      search: filter(z.string().trim().max(64)),
      ...pageQuery(20),
    }),
    reply: z.object({
      disputes: z.array(dispute),
      /** Totals over all disputes, regardless of the filter; amounts are in naira. */
      summary: z.record(z.enum(disputeStates), stateTotal),
      pagination,
    }),
    csv: {
      title: 'Disputes',
      file: 'disputes',
      money: ['amount', 'fee', 'refunded'],
      columns: [
        'id',
        'transaction_id',
        'payment_reference',
        'email',
        'provider',
        'source',
        'gateway_reference',
        'gateway_status',
        'state',
        'amount',
        'currency',
        'fee',
        'refunded',
        'category',
        'reason',
        'opened_at',
        'due_at',
        'answer',
        'answered_by',
        'answered_at',
        'note',
        'closed_at',
      ],
    },
  }),
  create: route({
    method: 'POST',
    path: '/admin/disputes',
    access: 'admin',
    summary: 'Add a dispute that was raised at a gateway without a dispute API.',
    body: newDispute,
    status: 201,
    reply,
    refusals: ['TRANSACTION_NOT_FOUND', 'DISPUTE_EXISTS'],
  }),
  detail: route({
    method: 'GET',
    path: '/admin/disputes/{id}',
    access: 'admin',
    summary: 'A dispute with its evidence, as of the time it was sent.',
    params: idParam,
    reply: z.object({ dispute, evidence: disputeEvidence }),
  }),
  evidenceFile: route({
    method: 'GET',
    path: '/admin/disputes/{id}/evidence',
    access: 'admin',
    summary: 'The evidence as the PDF that the gateway receives: the facts, the usage log, and the letters.',
    params: idParam,
    reply: z.string(),
    media: ['application/pdf'],
  }),
  saveNote: route({
    method: 'PUT',
    path: '/admin/disputes/{id}/note',
    access: 'admin',
    summary: 'Save a note that is sent with the evidence.',
    params: idParam,
    body: z.object({ note }),
    reply,
    refusals: ['DISPUTE_CLOSED'],
  }),
  accept: route({
    method: 'POST',
    path: '/admin/disputes/{id}/accept',
    access: 'super_admin',
    summary:
      'Accept a dispute: the gateway returns what has not been refunded yet. The decision is stored first and sent ' +
      'to the gateway, with retries, until it confirms.',
    params: idParam,
    body: z.object({ note }),
    reply,
    refusals: ['DISPUTE_CLOSED', 'DISPUTE_ALREADY_REFUNDED'],
  }),
  contest: route({
    method: 'POST',
    path: '/admin/disputes/{id}/contest',
    access: 'admin',
    summary:
      'Contest a dispute with the evidence and a note. The decision is stored first and sent to the gateway, with retries, until it confirms.',
    params: idParam,
    body: z.object({ note }),
    reply,
    refusals: ['DISPUTE_CLOSED'],
  }),
  record: route({
    method: 'POST',
    path: '/admin/disputes/{id}/record',
    access: 'super_admin',
    summary: 'Record how a manually added dispute was answered or closed.',
    params: idParam,
    body: disputeRecord,
    reply,
    refusals: ['DISPUTE_CLOSED'],
  }),
}
