import type { TransactionEvent, TransactionRecord } from '@portal/contract/transactions'
import { formatMoney } from '@portal/format/money'
import { groupThousands } from '@portal/format/numbers'
import { eventSource } from '@portal/format/reports'

type Row = Pick<TransactionRecord, 'currency' | 'amount_paid'>

/** Returns the currency of a payment; undefined means NGN (specification, section 3). Older APIs send null instead. */
export const currencyOf = (row: Pick<Row, 'currency'> | undefined) => row?.currency ?? undefined

/**
 * Returns true if the money received was never part of the payment. Events about such money name no currency: it may differ
 * from the payment's.
 */
export const isUnmatchedReceipt = (events: readonly Pick<TransactionEvent, 'type'>[], row: Row | undefined) =>
  row?.amount_paid === null && events.some(({ type }) => type === 'mismatched')

/** Returns phrases about an event: what triggered it, the amount, and the gateway's code. */
export function describeEvent(event: TransactionEvent, row: Row | undefined, isUnmatched: boolean): string[] {
  const { amount, code, type } = event
  const formatAmount = (major: number) =>
    isUnmatched && type !== 'created'
      ? `${groupThousands(major.toFixed(2))} in another currency or mode`
      : formatMoney(major, currencyOf(row))
  return [
    `by ${eventSource(event)}`,
    ...(typeof amount === 'number' ? [formatAmount(amount)] : []),
    ...(code ? [`code ${code}`] : []),
  ]
}
