import './zod-setup.ts'
import * as field from './fields.ts'
import { choice, filter, pageQuery } from './shapes.ts'

/* Filters and sort orders of an account's own verifications, and the columns of their CSV file. */

/** Outcome of a verification: certificate found, paid for but not found, not finished, or ended without payment. */
export const historyOutcomes = ['success', 'not_found', 'pending', 'not_paid'] as const
export type HistoryOutcome = (typeof historyOutcomes)[number]

export const historySorts = [
  '-created_at',
  'created_at',
  'certificate_number',
  '-certificate_number',
] as const
export type HistorySort = (typeof historySorts)[number]

export const historyQuery = {
  search: field
    .searchText()
    .default('')
    .describe(
      'Part of a certificate number, words of the name or course of a certificate that the caller verified, or a whole payment reference or transaction ID.',
    ),
  outcome: choice(historyOutcomes),
  date_from: filter(field.date()),
  date_to: filter(field.date()),
  sort: choice(historySorts),
  ...pageQuery(20),
}

export const historyFile = {
  title: 'Verification history',
  file: 'verifications',
  money: ['amount_paid'],
  columns: [
    'id',
    'certificate_number',
    'certificate_details_student_name',
    'certificate_details_course',
    'certificate_details_graduation_date',
    'certificate_details_grade',
    'authenticated_at',
    'authentication_result',
    'payment_status',
    'amount_paid',
    'currency',
    'payment_reference',
    'bpms_transaction_id',
    'letter_url',
    'letter_status',
  ],
} as const
