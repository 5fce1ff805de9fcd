import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { invoice, movement } from './organisation-billing.ts'
import {
  amountBetween,
  flagFilter,
  member,
  organisation,
  organisationParams,
  organisationStates,
} from './organisation-shapes.ts'
import { route } from './route.ts'
import { choice, idParam, money, pageQuery, pagination } from './shapes.ts'

/* Organisations as staff see and manage them. */

const organisationReply = z.object({ message: z.string(), organisation })
const movementReply = z.object({ message: z.string(), movement, balance: money })
const amount = () => amountBetween(0.01, 1_000_000_000, 'Please enter an amount above 0.')
const bankReference = () => field.requiredText('Bank reference is required', 64)
const note = () => field.requiredText('Reason is required', 500)

const staffMovement = movement.extend({
  verification_id: z.string().nullable().describe('The verification that a charge paid for.'),
  reversible: z
    .boolean()
    .describe('True for a charge that can be refunded and for a bank credit that can be reversed.'),
})
export type StaffMovement = z.infer<typeof staffMovement>

const countedOrganisation = organisation.extend({ members: z.int(), verifications: z.int() })
export type CountedOrganisation = z.infer<typeof countedOrganisation>

export const adminOrganisations = {
  list: route({
    method: 'GET',
    path: '/admin/organisations',
    access: 'admin',
    summary:
      'Organisations, newest first. `search` is part of a name, registration number, ID or contact email.',
    query: z.object({
      search: field.searchText().default(''),
      state: choice(organisationStates),
      vetted: flagFilter,
      ...pageQuery(20),
    }),
    reply: z.object({
      organisations: z.array(countedOrganisation),
      pagination,
      offered: z
        .boolean()
        .describe(
          'True if organisations can be created or at least one exists: staff then see their screens.',
        ),
    }),
    csv: {
      title: 'Organisations',
      file: 'organisations',
      money: ['balance', 'held', 'debt'],
      columns: [
        'id',
        'name',
        'contact_email',
        'phone',
        'registration_number',
        'state',
        'vetted_at',
        'balance',
        'held',
        'debt',
        'members',
        'verifications',
        'created_at',
      ],
    },
  }),
  read: route({
    method: 'GET',
    path: '/admin/organisations/{id}',
    access: 'admin',
    summary: 'An organisation with its members, counts, newest movements and open invoices.',
    params: idParam,
    reply: z.object({
      organisation,
      members: z.array(member),
      counts: z.object({
        verifications: z.int(),
        verified: z.int(),
        not_found: z.int(),
        batches: z.int(),
        running_batches: z.int(),
        spent: money,
      }),
      movements: z.array(movement),
      invoices: z.array(invoice),
    }),
    record: 'organisation',
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  movements: route({
    method: 'GET',
    path: '/admin/organisations/{id}/movements',
    access: 'admin',
    summary: 'Movements of the balance, newest first.',
    params: idParam,
    query: z.object(pageQuery(20)),
    reply: z.object({ movements: z.array(staffMovement), pagination }),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  vet: route({
    method: 'POST',
    path: '/admin/organisations/{id}/vet',
    access: 'admin',
    summary: 'Mark the organisation as vetted.',
    params: idParam,
    reply: organisationReply,
    ifMatch: true,
    record: 'organisation',
    refusals: ['ORGANISATION_NOT_FOUND', 'WRONG_STATE'],
  }),
  unvet: route({
    method: 'POST',
    path: '/admin/organisations/{id}/unvet',
    access: 'admin',
    summary: 'Remove the vetting.',
    params: idParam,
    reply: organisationReply,
    ifMatch: true,
    record: 'organisation',
    refusals: ['ORGANISATION_NOT_FOUND', 'WRONG_STATE'],
  }),
  suspend: route({
    method: 'POST',
    path: '/admin/organisations/{id}/suspend',
    access: 'admin',
    summary: 'Suspend the organisation: it can be read, writes are refused, and running batches pause.',
    params: idParam,
    body: z.object({ reason: field.requiredText('Reason is required', 500) }),
    reply: organisationReply,
    ifMatch: true,
    record: 'organisation',
    refusals: ['ORGANISATION_NOT_FOUND', 'WRONG_STATE'],
  }),
  resume: route({
    method: 'POST',
    path: '/admin/organisations/{id}/resume',
    access: 'admin',
    summary: 'End the suspension; paused batches continue.',
    params: idParam,
    reply: organisationReply,
    ifMatch: true,
    record: 'organisation',
    refusals: ['ORGANISATION_NOT_FOUND', 'WRONG_STATE'],
  }),
  credit: route({
    method: 'POST',
    path: '/admin/organisations/{id}/credits',
    access: 'super_admin',
    summary:
      'Credit a bank transfer. A bank reference can be used only once, ignoring case and spaces; the invoice, if one is named, is marked as paid. Honours Idempotency-Key.',
    params: idParam,
    body: z.object({
      amount: amount(),
      bank_reference: bankReference(),
      received_on: field.date(),
      invoice: field.optionalText(64).describe('ID or number of the open invoice that the transfer pays.'),
      note: field.optionalText(500),
    }),
    reply: movementReply,
    status: 201,
    refusals: ['ORGANISATION_NOT_FOUND', 'WRONG_STATE', 'IDEMPOTENCY_MISMATCH', 'IDEMPOTENCY_IN_PROGRESS'],
  }),
  reverseCredit: route({
    method: 'POST',
    path: '/admin/organisations/{id}/credits/{transaction_id}/reverse',
    access: 'super_admin',
    summary:
      'Reverse an incorrect bank credit, if its amount is still available. The bank reference can then be used again.',
    params: organisationParams({ transaction_id: field.transactionId() }),
    body: z.object({ note: note(), current_password: field.password() }),
    reply: movementReply,
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'TRANSACTION_NOT_FOUND',
      'INSUFFICIENT_BALANCE',
      'INVALID_CURRENT_PASSWORD',
      'WRONG_STATE',
    ],
  }),
  payOut: route({
    method: 'POST',
    path: '/admin/organisations/{id}/payouts',
    access: 'super_admin',
    summary: 'Record that unspent balance was paid out by bank transfer. Honours Idempotency-Key.',
    params: idParam,
    body: z.object({
      amount: amount(),
      bank_reference: bankReference(),
      note: note(),
      current_password: field.password(),
    }),
    reply: movementReply,
    status: 201,
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'INSUFFICIENT_BALANCE',
      'INVALID_CURRENT_PASSWORD',
      'IDEMPOTENCY_MISMATCH',
      'IDEMPOTENCY_IN_PROGRESS',
    ],
  }),
  refund: route({
    method: 'POST',
    path: '/admin/organisations/{id}/verifications/{ver}/refund',
    access: 'super_admin',
    summary: 'Return a charge to the balance, once; its letter is withdrawn.',
    params: organisationParams({ ver: z.string().max(64) }),
    body: z.object({ note: note() }),
    reply: movementReply,
    refusals: ['ORGANISATION_NOT_FOUND', 'NOT_FOUND', 'WRONG_STATE'],
  }),
  appointOwner: route({
    method: 'POST',
    path: '/admin/organisations/{id}/owner',
    access: 'super_admin',
    summary: 'Make an account an owner, for example when the last owner has left the company.',
    params: idParam,
    body: z.object({ user_id: field.requiredText('Please choose an account.', 64) }),
    reply: z.object({ message: z.string(), member }),
    refusals: ['ORGANISATION_NOT_FOUND', 'USER_NOT_FOUND', 'ALREADY_MEMBER', 'WRONG_STATE'],
  }),
  close: route({
    method: 'POST',
    path: '/admin/organisations/{id}/close',
    access: 'super_admin',
    summary: 'Close the organisation. Balance, holds and debt must be 0.',
    params: idParam,
    reply: organisationReply,
    ifMatch: true,
    record: 'organisation',
    refusals: ['ORGANISATION_NOT_FOUND', 'ORGANISATION_HAS_BALANCE', 'WRONG_STATE'],
  }),
  reopen: route({
    method: 'POST',
    path: '/admin/organisations/{id}/reopen',
    access: 'super_admin',
    summary: 'Reopen a closed organisation.',
    params: idParam,
    reply: organisationReply,
    ifMatch: true,
    record: 'organisation',
    refusals: ['ORGANISATION_NOT_FOUND', 'WRONG_STATE'],
  }),
}
