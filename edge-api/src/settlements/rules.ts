import type { DifferenceKind, SettlementLineKind } from '@portal/contract/admin-settlements'
import { type Entry, SETTLED } from '../payments/rules.ts'

/*
 * Compares a line of a settlement report with the ledger, without a database or a clock. Minor units throughout.
 */

export interface ReportLine {
  kind: SettlementLineKind
  /** Our reference, for a payment that we know. */
  reference: string
  /** Negative for deductions. */
  amountMinor: number
  /** The gateway's fee for it. */
  feeMinor?: number | undefined
  /** Amount paid out for it. */
  netMinor?: number | undefined
}

export interface SettlementReport {
  provider: string
  reference: string
  currency: string
  settledAt: number
  /** Total payout, if the gateway states it. */
  statedMinor?: number | undefined
  lines: readonly ReportLine[]
}

/** The ledger's amounts of a line's payment, before the line. */
export interface LedgerAmounts {
  /** Received for it so far; 0 for nothing. */
  receivedMinor: number
  /** Amount refunded or reversed by the gateway. */
  returnedMinor: number
  /** Its fee as booked; null while unknown. */
  feeMinor: number | null
  /** Amounts that earlier lines settled, and deducted. */
  settledMinor: number
  deductedMinor: number
}

export interface FoundDifference {
  kind: DifferenceKind
  expectedMinor: number | null
  foundMinor: number | null
}

/** Payout of a line: as reported, otherwise its amount less the fee that it states or that was booked before. */
export function netOf(
  { kind, amountMinor, feeMinor, netMinor }: ReportLine,
  bookedFee: number | null,
): number {
  return netMinor ?? amountMinor - (feeMinor ?? (kind === 'payment' ? (bookedFee ?? 0) : 0))
}

/** The gateway's fee of a line; undefined if the line states neither a fee nor a payout. */
export const feeOf = ({ amountMinor, feeMinor, netMinor }: ReportLine): number | undefined =>
  feeMinor ?? (netMinor === undefined ? undefined : amountMinor - netMinor)

/** Ledger rows for amounts that reached the bank account, or were deducted from it. */
export const bookSettled = (netMinor: number): Entry[] =>
  netMinor === 0
    ? []
    : [
        { account: 'bank', minor: netMinor, reason: SETTLED },
        { account: 'gateway_clearing', minor: -netMinor, reason: SETTLED },
      ]

/** Compares a line with the ledger; `ledger` is undefined for an unknown payment. */
export function differencesOf(line: ReportLine, ledger: LedgerAmounts | undefined): FoundDifference[] {
  const foundMinor = line.amountMinor
  if (line.kind !== 'payment') {
    // A refund or chargeback in the ledger explains its own deduction.
    const open = ledger ? ledger.returnedMinor - ledger.deductedMinor : 0
    if (ledger && -foundMinor <= open) return []
    return [{ kind: 'deduction', expectedMinor: ledger ? -open : null, foundMinor }]
  }
  if (!ledger) return [{ kind: 'unknown_here', expectedMinor: null, foundMinor }]
  const found: FoundDifference[] = []
  const expectedMinor = ledger.receivedMinor - ledger.settledMinor
  if (expectedMinor !== foundMinor) found.push({ kind: 'amount_differs', expectedMinor, foundMinor })
  const fee = feeOf(line)
  if (fee !== undefined && ledger.feeMinor !== null && fee !== ledger.feeMinor)
    found.push({ kind: 'fee_differs', expectedMinor: ledger.feeMinor, foundMinor: fee })
  return found
}

/** Gives lines keys that identify them when the report is read again; equal lines are numbered in order. */
export function keyed(lines: readonly ReportLine[]): { key: string; line: ReportLine }[] {
  const seen = new Map<string, number>()
  return lines.map(line => {
    const identity = `${line.kind}:${line.reference}:${line.amountMinor}`
    const nth = (seen.get(identity) ?? 0) + 1
    seen.set(identity, nth)
    return { key: `${identity}:${nth}`, line }
  })
}
