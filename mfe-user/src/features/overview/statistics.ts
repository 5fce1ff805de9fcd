import type { Reply } from '@portal/contract/route'
import type { verification } from '@portal/contract/verification'

type ReplyStatistics = Reply<typeof verification.statistics>['statistics']

/** The two figures that every version of the API sends, and others that an older version may omit. */
export type Statistics = Pick<ReplyStatistics, 'total_verifications' | 'success_rate'> &
  Partial<ReplyStatistics>

/**
 * Returns the average amount per verification, in major units; null before the first verification, or if the amount is unknown.
 */
export function averageSpent(statistics: Statistics): number | null {
  const { total_verifications: total, total_amount_spent: spent } = statistics
  return total === 0 || spent === undefined ? null : Math.round((spent / total) * 100) / 100
}

/** Returns the figures as a sentence; empty if the number of certificates that were not found is unknown. */
export function statisticsSentence(statistics: Statistics): string {
  const { total_verifications: total, failed_verifications: failed } = statistics
  if (failed === undefined) return ''
  if (failed === 0)
    return total === 1 ? 'The certificate was found.' : `All ${total} certificates were found.`
  const missing = failed === 1 ? '1 certificate was' : `${failed} certificates were`
  return `${missing} not in the register. Compare the number with the certificate before you draw conclusions.`
}
