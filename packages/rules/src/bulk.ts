import { CERTIFICATE_NUMBER_MAX, normaliseCertificateNumber } from '@portal/contract/certificate-number'
import { certificateNumber } from '@portal/contract/fields'
import {
  type BulkResult,
  type BulkStatus,
  type BulkSummary,
  bulkStatuses,
} from '@portal/contract/verification-bulk'
import { byKey } from '@portal/format/by-key'

export interface Asked {
  given: number
  /** Different numbers in the order in which they were first given, normalised. */
  valid: string[]
  /** What is no certificate number, with the message of the field. */
  invalid: Map<string, string>
  /** All of them, in order. */
  order: string[]
}

/** Parts what was given into different numbers, and what cannot be one. */
export function readNumbers(given: readonly string[]): Asked {
  const order = [
    ...new Set(
      // One character too many is enough to be refused and shown again.
      given.map(text => normaliseCertificateNumber(text).slice(0, CERTIFICATE_NUMBER_MAX + 1)),
    ),
  ]
  const field = certificateNumber()
  const invalid = new Map<string, string>()
  for (const text of order) {
    const parsed = field.safeParse(text)
    if (!parsed.success) invalid.set(text, parsed.error.issues[0]?.message ?? '')
  }
  const valid = order.filter(text => !invalid.has(text))
  return { given: given.length, valid, invalid, order }
}

/**
 * Which numbers may be told, in the order given: once the misses are used up, no number after is told, known or not,
 * since what is refused alone would say that it is unknown.
 * @param misses how many unknown numbers may be told
 */
export function tellInOrder(
  numbers: readonly string[],
  known: (number: string) => boolean,
  misses: number,
): Map<string, Extract<BulkStatus, 'payment_required' | 'not_found' | 'limited'>> {
  const told = new Map<string, 'payment_required' | 'not_found' | 'limited'>()
  let left = misses
  let over = misses <= 0
  for (const number of numbers) {
    if (over) told.set(number, 'limited')
    else if (known(number)) told.set(number, 'payment_required')
    else if (left > 0) {
      left -= 1
      told.set(number, 'not_found')
    } else {
      over = true
      told.set(number, 'limited')
    }
  }
  return told
}

/** What goes with a status in words; nothing where the status says it all. */
export const bulkMessages: Partial<Record<BulkStatus, string>> = {
  already_paid: 'Certificate already verified',
  not_found: 'Certificate not found in our database.',
  limited: 'Not looked up: too many unknown numbers in the last hour. Please try again later.',
  pending: 'A payment for this certificate is under way. It is not charged again.',
}

/** Counts of a whole bulk verification. */
export function summaryOf({ given, order }: Asked, results: readonly BulkResult[]): BulkSummary {
  const count = (status: BulkStatus) => results.filter(result => result.status === status).length
  return {
    given,
    duplicates: given - order.length,
    total: results.length,
    ...byKey(bulkStatuses, count),
  }
}
