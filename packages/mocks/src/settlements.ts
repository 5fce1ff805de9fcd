import type {
  DifferenceKind,
  Settlement,
  SettlementDifference,
  SettlementLine,
  SettlementLineKind,
} from '@portal/contract/admin-settlements'
import { demoSettlements as reportsOf } from '@portal/fixtures/settlements'
import type { DemoVerification } from '@portal/fixtures/verifications'
import { toMajor } from '@portal/format/money'
import { CURRENCY } from './currency.ts'
import { newId } from './ids.ts'

/* Settlements, which are matched with the mocked payments. */

export interface MockSettlements {
  /** Newest first, each with its lines and the key that identifies repeated uploads. */
  settlements: (Settlement & { rows: (SettlementLine & { key: string })[] })[]
  /** Newest first. */
  differences: SettlementDifference[]
}

export interface ParsedLine {
  kind: SettlementLineKind
  reference: string
  amountMinor: number
  feeMinor?: number | undefined
  netMinor?: number | undefined
}

export interface ParsedReport {
  provider: string
  reference: string
  settledOn: string
  statedTotalMinor?: number
  lines: readonly ParsedLine[]
}

interface DemoPayment {
  transaction_id: string
  payment_reference: string
  status: string
  amount_minor: number
  gateway_fee_minor?: number
}

interface Origin {
  source: Settlement['source']
  fileName: string | null
  byEmail: string | null
  now: Date
}

function addDifference(
  target: MockSettlements,
  settlement: Settlement,
  facts: Pick<SettlementDifference, 'kind' | 'reference' | 'transaction_id'> & {
    expected: number | null
    found: number | null
  },
  now: Date,
): void {
  const { expected, found, ...ids } = facts
  target.differences.unshift({
    id: newId(),
    state: 'open',
    provider: settlement.provider,
    settlement_id: settlement.id,
    settlement_reference: settlement.reference,
    currency: CURRENCY,
    expected: expected === null ? null : toMajor(expected),
    found: found === null ? null : toMajor(found),
    found_at: now.toISOString(),
    resolved_at: null,
    explained_at: null,
    explained_by: null,
    note: null,
    ...ids,
  })
}

/**
 * Adds the lines of a report and matches them with the payments.
 * @returns the number of new lines
 */
export function importReport(
  target: MockSettlements,
  payments: readonly DemoPayment[],
  report: ParsedReport,
  { source, fileName, byEmail, now }: Origin,
): number {
  const { provider, reference, settledOn, statedTotalMinor } = report
  const existing = target.settlements.find(item => item.provider === provider && item.reference === reference)
  const settlement = existing ?? {
    id: newId(),
    provider,
    reference,
    settled_on: settledOn,
    currency: CURRENCY,
    lines: 0,
    amount: 0,
    fees: 0,
    net: 0,
    stated: statedTotalMinor === undefined ? null : toMajor(statedTotalMinor),
    source,
    file_name: fileName,
    by_email: byEmail,
    created_at: now.toISOString(),
    open_differences: 0,
    rows: [],
  }
  if (!existing) target.settlements.unshift(settlement)
  const occurrences = new Map<string, number>()
  let added = 0
  for (const line of report.lines) {
    const lineKey = `${line.kind}:${line.reference}:${line.amountMinor}`
    const occurrence = (occurrences.get(lineKey) ?? 0) + 1
    occurrences.set(lineKey, occurrence)
    const key = `${lineKey}:${occurrence}`
    if (settlement.rows.some(row => row.key === key)) continue
    added++
    const rows = payments.filter(
      ({ payment_reference, transaction_id, status }) =>
        status === 'paid' && (payment_reference === line.reference || transaction_id === line.reference),
    )
    const fee = line.feeMinor ?? (line.netMinor === undefined ? undefined : line.amountMinor - line.netMinor)
    const net = line.netMinor ?? line.amountMinor - (fee ?? 0)
    settlement.rows.push({
      id: settlement.rows.length + 1,
      key,
      kind: line.kind,
      reference: line.reference,
      transaction_id: rows[0]?.transaction_id ?? null,
      amount: toMajor(line.amountMinor),
      fee: fee === undefined ? null : toMajor(fee),
      net: toMajor(net),
    })
    settlement.lines += 1
    settlement.amount += toMajor(line.amountMinor)
    settlement.fees += toMajor(fee ?? 0)
    settlement.net += toMajor(net)
    const [first] = rows
    const received = rows.reduce((sum, item) => sum + item.amount_minor, 0)
    const ids = { reference: line.reference, transaction_id: first?.transaction_id ?? null }
    const reportDifference = (kind: DifferenceKind, expected: number | null, found: number) =>
      addDifference(target, settlement, { kind, ...ids, expected, found }, now)
    if (line.kind !== 'payment') reportDifference('deduction', first ? 0 : null, line.amountMinor)
    else if (!first) reportDifference('unknown_here', null, line.amountMinor)
    else {
      if (received !== line.amountMinor) reportDifference('amount_differs', received, line.amountMinor)
      if (fee !== undefined && first.gateway_fee_minor !== undefined && first.gateway_fee_minor !== fee)
        reportDifference('fee_differs', first.gateway_fee_minor, fee)
      if (fee !== undefined) first.gateway_fee_minor = fee
    }
  }
  const net = Math.round(settlement.net * 100)
  if (statedTotalMinor !== undefined && statedTotalMinor !== net && !existing)
    addDifference(
      target,
      settlement,
      { kind: 'total_differs', reference, transaction_id: null, expected: net, found: statedTotalMinor },
      now,
    )
  return added
}

/** Returns the settlements of the demo data, matched with its payments. */
export function demoSettlements(
  payments: readonly DemoPayment[],
  { now, verifications }: { now: Date; verifications: readonly DemoVerification[] },
): MockSettlements {
  const target: MockSettlements = { settlements: [], differences: [] }
  for (const { reference, settled_on, stated_minor, lines } of reportsOf({ now, verifications })) {
    const parsedLines = lines.map(({ kind, reference: lineReference, amount_minor, fee_minor }) => ({
      kind,
      reference: lineReference,
      amountMinor: amount_minor,
      feeMinor: fee_minor,
    }))
    const report = { provider: 'sandbox', reference, settledOn: settled_on, statedTotalMinor: stated_minor }
    importReport(
      target,
      payments,
      { ...report, lines: parsedLines },
      { source: 'api', fileName: null, byEmail: null, now },
    )
  }
  const [explained] = target.differences.filter(({ kind }) => kind === 'total_differs')
  if (explained)
    Object.assign(explained, {
      state: 'explained',
      explained_at: now.toISOString(),
      explained_by: 'admin@demo.test',
      note: 'Stamp duty of 50 naira, see the bank statement.',
    })
  return target
}
