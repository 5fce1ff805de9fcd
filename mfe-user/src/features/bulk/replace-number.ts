import { type BulkCheckReply, type BulkResult, bulkStatuses } from '@portal/contract/verification-bulk'
import { byKey } from '@portal/format/by-key'

/**
 * Returns a checked list in which the suggested number, checked separately, replaces another one. The rest is not
 * checked again, because unknown numbers would use up the hourly limit each time.
 */
export function replaceNumber(
  checked: BulkCheckReply,
  number: string,
  reply: BulkCheckReply,
): BulkCheckReply {
  const [replacement] = reply.results
  if (!replacement) return checked
  const others = checked.results.filter(
    each => each.certificate_number !== number && each.certificate_number !== replacement.certificate_number,
  )
  const index = checked.results.findIndex(each => each.certificate_number === number)
  const results: BulkResult[] = others.toSpliced(index < 0 ? others.length : index, 0, replacement)
  const { given } = checked.summary
  const counts = byKey(bulkStatuses, status => results.filter(each => each.status === status).length)
  const payable = [checked, reply].find(each => each.summary.payment_required > 0)
  const fee = payable ? payable.amount_due / payable.summary.payment_required : 0
  return {
    ...checked,
    results,
    summary: { ...counts, given, total: results.length, duplicates: given - results.length },
    amount_due: Math.round(fee * counts.payment_required * 100) / 100,
  }
}
