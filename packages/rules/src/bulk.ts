import { CERTIFICATE_NUMBER_MAX, normaliseCertificateNumber } from '@portal/contract/certificate-number'
import { certificateNumber } from '@portal/contract/fields'
import {
  type BulkResult,
  type BulkStatus,
  type BulkSummary,
  bulkStatuses,
} from '@portal/contract/verification-bulk'
import { byKey } from '@portal/format/by-key'

export interface RequestedNumbers {
  given: number
  /** Distinct valid numbers, normalised, in the order in which they were first given. */
  valid: string[]
  /** Invalid numbers, each with the error message of the field. */
  invalid: Map<string, string>
  /** All distinct numbers, valid or not, in the order in which they were first given. */
  distinct: string[]
}

/** Splits input into distinct valid numbers and invalid ones. */
export function readNumbers(numbers: readonly string[]): RequestedNumbers {
  const order = [
    ...new Set(
      // Truncates long input for display, but keeps one character over the limit so that validation still rejects it.
      numbers.map(text => normaliseCertificateNumber(text).slice(0, CERTIFICATE_NUMBER_MAX + 1)),
    ),
  ]
  const field = certificateNumber()
  const invalid = new Map<string, string>()
  for (const text of order) {
    const parsed = field.safeParse(text)
    if (!parsed.success) invalid.set(text, parsed.error.issues[0]?.message ?? '')
  }
  const valid = order.filter(text => !invalid.has(text))
  return { given: numbers.length, valid, invalid, distinct: order }
}

/**
 * Limits how many results are revealed. Once the allowed misses are used up, every later number is reported as limited, whether
 * it exists or not: if only missing numbers were limited, that would reveal which exist.
 * @param misses how many numbers may still be revealed as missing
 */
export function revealInOrder(
  numbers: readonly string[],
  exists: (number: string) => boolean,
  misses: number,
): Map<string, Extract<BulkStatus, 'payment_required' | 'not_found' | 'limited'>> {
  const statuses = new Map<string, 'payment_required' | 'not_found' | 'limited'>()
  let remainingMisses = misses
  let isExhausted = misses <= 0
  for (const number of numbers) {
    if (isExhausted) statuses.set(number, 'limited')
    else if (exists(number)) statuses.set(number, 'payment_required')
    else if (remainingMisses > 0) {
      remainingMisses -= 1
      statuses.set(number, 'not_found')
    } else {
      isExhausted = true
      statuses.set(number, 'limited')
    }
  }
  return statuses
}

/** Messages for statuses that are not self-explanatory. */
export const bulkMessages: Partial<Record<BulkStatus, string>> = {
  already_paid: 'Certificate already verified',
  not_found: 'Certificate not found in our database.',
  limited: 'Not checked: too many unknown numbers in the last hour. Please try again later.',
  pending: 'A payment for this certificate is in progress. It is not charged again.',
}

/** Counts the results of a bulk verification by status. */
export function summaryOf(
  { given, distinct }: RequestedNumbers,
  results: readonly BulkResult[],
): BulkSummary {
  const count = (status: BulkStatus) => results.filter(result => result.status === status).length
  return {
    given,
    duplicates: given - distinct.length,
    total: results.length,
    ...byKey(bulkStatuses, count),
  }
}
