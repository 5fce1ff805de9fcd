const counted = (count: number, singular: string, many: string) => `${count} ${count === 1 ? singular : many}`

/** Returns what prevents an erasure, e.g. `1 payment is still open and 2 refunds are still due`; null if nothing does. */
export function erasureBlockers(open: { open_payments: number; refunds_due: number }): string | null {
  const reasons = [
    open.open_payments > 0 && counted(open.open_payments, 'payment is still open', 'payments are still open'),
    open.refunds_due > 0 && counted(open.refunds_due, 'refund is still due', 'refunds are still due'),
  ].filter(reason => reason !== false)
  return reasons.length === 0 ? null : reasons.join(' and ')
}
