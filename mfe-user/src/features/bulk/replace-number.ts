import { type BulkCheckReply, type BulkResult, bulkStatuses } from '@portal/contract/verification-bulk'
import { byKey } from '@portal/format/by-key'

/**
 * Returns a checked list in which the suggested number, whose check is `replacementCheck`, replaces `number`. The whole list is
 * not checked again, because that would count its unknown numbers towards the hourly limit each time.
 */
export function replaceNumber(
  checked: BulkCheckReply,
  number: string,
  replacementCheck: BulkCheckReply,
): BulkCheckReply {
  const [replacement] = replacementCheck.results
  if (!replacement) return checked
  const unchangedResults = checked.results.filter(
    item => item.certificate_number !== number && item.certificate_number !== replacement.certificate_number,
  )
  const index = checked.results.findIndex(result => result.certificate_number === number)
  const results: BulkResult[] = unchangedResults.toSpliced(
    index < 0 ? unchangedResults.length : index,
    0,
    replacement,
  )
  const { given } = checked.summary
  const counts = byKey(bulkStatuses, status => results.filter(result => result.status === status).length)
  const payable = [checked, replacementCheck].find(item => item.summary.payment_required > 0)
  const fee = payable ? payable.amount_due / payable.summary.payment_required : 0
  return {
    ...checked,
    results,
    summary: { ...counts, given, total: results.length, duplicates: given - results.length },
    amount_due: Math.round(fee * counts.payment_required * 100) / 100,
  }
}
