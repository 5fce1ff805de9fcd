import type { DifferenceKind, SettlementLineKind } from '@portal/contract/admin-settlements'
import { type Entry, SETTLED } from '../payments/rules.ts'

/*
 * Compares a line of a settlement report with the ledger, as pure functions without a database or clock. All amounts are in
 * minor units.
 */

export interface ReportLine {
  kind: SettlementLineKind
  /** The reference in the report; if the payment is ours, our own reference. */
  reference: string
  /** Negative for deductions. */
  amountMinor: number
  /** The gateway's fee for the payment. */
  feeMinor?: number | undefined
  /** Amount paid out for the payment. */
  netMinor?: number | undefined
}

export interface SettlementReport {
  provider: string
  reference: string
  currency: string
  settledAt: number
  /** Total payout, if the gateway states it. */
  statedTotalMinor?: number | undefined
  lines: readonly ReportLine[]
}

/** The ledger's amounts for the payment of a line, without the line itself. */
export interface LedgerAmounts {
  /** Amount received for the payment so far; 0 if none. */
  receivedMinor: number
  /** Amount that the gateway refunded or reversed. */
  returnedMinor: number
  /** The gateway's fee as booked; null while it is unknown. */
  feeMinor: number | null
  /** Amounts that earlier lines settled and deducted, respectively. */
  settledMinor: number
  deductedMinor: number
}

export interface FoundDifference {
  kind: DifferenceKind
  expectedMinor: number | null
  foundMinor: number | null
}

/**
 * Returns the amount that a line pays out: as reported or, if it states none, its amount less the fee that it states or that
 * was booked before.
 */
export function netOf(
  { kind, amountMinor, feeMinor, netMinor }: ReportLine,
  bookedFeeMinor: number | null,
): number {
  return netMinor ?? amountMinor - (feeMinor ?? (kind === 'payment' ? (bookedFeeMinor ?? 0) : 0))
}

/** Returns the gateway's fee for a line; undefined if the line states neither a fee nor a payout. */
export const feeOf = ({ amountMinor, feeMinor, netMinor }: ReportLine): number | undefined =>
  feeMinor ?? (netMinor === undefined ? undefined : amountMinor - netMinor)

/** Returns the ledger entries for an amount that reached the bank account, or was deducted on the way. */
export const toSettledEntries = (netMinor: number): Entry[] =>
  netMinor === 0
    ? []
    : [
        { account: 'bank', minor: netMinor, reason: SETTLED },
        { account: 'gateway_clearing', minor: -netMinor, reason: SETTLED },
      ]

/** Returns how a line differs from the ledger; `ledger` is undefined for an unknown payment. */
export function findDifferences(line: ReportLine, ledger: LedgerAmounts | undefined): FoundDifference[] {
  const foundMinor = line.amountMinor
  if (line.kind !== 'payment') {
    // A refund or chargeback in the ledger accounts for a deduction of its own amount.
    const openMinor = ledger ? ledger.returnedMinor - ledger.deductedMinor : 0
    if (ledger && -foundMinor <= openMinor) return []
    return [{ kind: 'deduction', expectedMinor: ledger ? -openMinor : null, foundMinor }]
  }
  if (!ledger) return [{ kind: 'unknown_here', expectedMinor: null, foundMinor }]
  const differences: FoundDifference[] = []
  const expectedMinor = ledger.receivedMinor - ledger.settledMinor
  if (expectedMinor !== foundMinor) differences.push({ kind: 'amount_differs', expectedMinor, foundMinor })
  const fee = feeOf(line)
  if (fee !== undefined && ledger.feeMinor !== null && fee !== ledger.feeMinor)
    differences.push({ kind: 'fee_differs', expectedMinor: ledger.feeMinor, foundMinor: fee })
  return differences
}

/** Adds keys that identify the lines when the report is read again. Identical lines are numbered in order. */
export function addLineKeys(lines: readonly ReportLine[]): { key: string; line: ReportLine }[] {
  const occurrences = new Map<string, number>()
  return lines.map(line => {
    const identity = `${line.kind}:${line.reference}:${line.amountMinor}`
    const nth = (occurrences.get(identity) ?? 0) + 1
    occurrences.set(identity, nth)
    return { key: `${identity}:${nth}`, line }
  })
}
