import type { Reply } from '@portal/contract/route'
import type { verification } from '@portal/contract/verification'

export type Statistics = Reply<typeof verification.statistics>['statistics']

/** Spent for one verification on average, in major units; null before the first. */
export function averageSpent(statistics: Statistics): number | null {
  const { total_verifications: total, total_amount_spent: spent } = statistics
  return total === 0 ? null : Math.round((spent / total) * 100) / 100
}

/** What the figures say, in a sentence. */
export function insight(statistics: Statistics): string {
  const { total_verifications: total, failed_verifications: failed } = statistics
  if (failed === 0)
    return total === 1 ? 'Your one certificate was found.' : `All ${total} certificates were found.`
  const missing = failed === 1 ? '1 certificate was' : `${failed} certificates were`
  return `${missing} not in the records; compare the number with the certificate before you draw a conclusion.`
}
