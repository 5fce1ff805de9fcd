import type { DifferenceKind, SettlementLineKind } from '@portal/contract/admin-settlements'
import { type Entry, SETTLED } from '../payments/rules.ts'

/*
 * How a line of a settlement report compares with the ledger, without a database or a clock. Minor units throughout.
 */

export interface ReportLine {
  kind: SettlementLineKind
  /** Ours, of a payment that we know. */
  reference: string
  /** Of deductions negative. */
  amountMinor: number
  /** What the gateway kept of it. */
  feeMinor?: number | undefined
  /** What it paid out for it. */
  netMinor?: number | undefined
}

export interface SettlementReport {
  provider: string
  reference: string
  currency: string
  settledAt: number
  /** What was paid out in all, where the gateway states it. */
  statedMinor?: number | undefined
  lines: readonly ReportLine[]
}

/** What the books say of the payment of a line, before it. */
export interface OursOfLine {
  /** Received for it by now; 0 for nothing. */
  receivedMinor: number
  /** What the gateway gave or took back of that. */
  backMinor: number
  /** Its fee as booked; null while it is not known. */
  feeMinor: number | null
  /** What earlier lines settled of it, and what they deducted. */
  settledMinor: number
  deductedMinor: number
}

export interface DifferenceFound {
  kind: DifferenceKind
  expectedMinor: number | null
  foundMinor: number | null
}

/** What a line pays out: as the report says, else its amount without the fee that it names or that was booked before. */
export function netOf(
  { kind, amountMinor, feeMinor, netMinor }: ReportLine,
  bookedFee: number | null,
): number {
  return netMinor ?? amountMinor - (feeMinor ?? (kind === 'payment' ? (bookedFee ?? 0) : 0))
}

/** What the gateway kept by a line; undefined where neither its fee nor what was paid out is named. */
export const feeOf = ({ amountMinor, feeMinor, netMinor }: ReportLine): number | undefined =>
  feeMinor ?? (netMinor === undefined ? undefined : amountMinor - netMinor)

/** Ledger rows for what reached the bank account, or was deducted from it. */
export const bookSettled = (netMinor: number): Entry[] =>
  netMinor === 0
    ? []
    : [
        { account: 'bank', minor: netMinor, reason: SETTLED },
        { account: 'gateway_clearing', minor: -netMinor, reason: SETTLED },
      ]

/** How a line differs from the books; `ours` is undefined for a payment that we do not know. */
export function differencesOf(line: ReportLine, ours: OursOfLine | undefined): DifferenceFound[] {
  const foundMinor = line.amountMinor
  if (line.kind !== 'payment') {
    // A refund or chargeback that the ledger has explains its own deduction.
    const open = ours ? ours.backMinor - ours.deductedMinor : 0
    if (ours && -foundMinor <= open) return []
    return [{ kind: 'deduction', expectedMinor: ours ? -open : null, foundMinor }]
  }
  if (!ours) return [{ kind: 'unknown_here', expectedMinor: null, foundMinor }]
  const found: DifferenceFound[] = []
  const expectedMinor = ours.receivedMinor - ours.settledMinor
  if (expectedMinor !== foundMinor) found.push({ kind: 'amount_differs', expectedMinor, foundMinor })
  const fee = feeOf(line)
  if (fee !== undefined && ours.feeMinor !== null && fee !== ours.feeMinor)
    found.push({ kind: 'fee_differs', expectedMinor: ours.feeMinor, foundMinor: fee })
  return found
}

/** Lines with what makes each of them the same when the report is read again: the third of three equal ones is the third. */
export function keyed(lines: readonly ReportLine[]): { key: string; line: ReportLine }[] {
  const seen = new Map<string, number>()
  return lines.map(line => {
    const same = `${line.kind}:${line.reference}:${line.amountMinor}`
    const nth = (seen.get(same) ?? 0) + 1
    seen.set(same, nth)
    return { key: `${same}:${nth}`, line }
  })
}
