import type { Database, Tx } from '../db/database.ts'
import { bookFeeDifference } from '../payments/gateway-fees.ts'
import { findMoneyAtGateway, insertEntries } from '../payments/money-store.ts'
import { findPayment, findPaymentById, type Payment } from '../payments/store.ts'
import { retryOnConflict } from '../payments/version-conflict.ts'
import { insertDifference, resolveDifference } from './difference-store.ts'
import {
  addLineKeys,
  feeOf,
  findDifferences,
  type LedgerAmounts,
  netOf,
  type ReportLine,
  type SettlementReport,
  toSettledEntries,
} from './rules.ts'
import {
  addStatedTotal,
  findSettlement,
  insertLine,
  insertSettlement,
  type SettlementRow,
  sumSettled,
} from './store.ts'

/** Number of lines that are stored per transaction. */
const BATCH_SIZE = 50

export interface ReceivedReport {
  settlement: SettlementRow
  isNew: boolean
  /** Number of lines that were new. */
  added: number
}

/** The origin of a report. */
export interface Origin {
  source: 'api' | 'file'
  fileName?: string
  byEmail?: string
  at: number
}

/** Returns the unique key of the difference between a settlement's lines and its total. */
const totalDifferenceKey = (settlementId: string) => `total_differs:${settlementId}`

/** Returns the unique key of the difference for a payment that was not settled. */
export const unsettledDifferenceKey = (paymentId: string) => `not_settled:${paymentId}`

/** Stores a report with few lines, in the caller's transaction. */
export async function storeReport(db: Tx, report: SettlementReport, origin: Origin): Promise<void> {
  const { settlement } = await ensureSettlement(db, report, origin)
  for (const { key, line } of addLineKeys(report.lines))
    await receiveLine(db, settlement, key, line, origin.at)
  await compareTotal(db, settlement.id, origin.at)
}

/** Stores the settlement of a report, or finds the one that is already stored. */
async function ensureSettlement(
  db: Tx,
  { provider, reference, currency, settledAt, statedTotalMinor }: SettlementReport,
  { source, fileName, byEmail, at }: Origin,
) {
  const identity = { id: crypto.randomUUID(), provider, reference, currency, settledAt, source }
  const details = {
    statedTotalMinor: statedTotalMinor ?? null,
    fileName: fileName ?? null,
    byEmail: byEmail ?? null,
  }
  const stored = await insertSettlement(db, { ...identity, ...details, createdAt: at })
  if (statedTotalMinor !== undefined) await addStatedTotal(db, { id: stored.settlement.id, statedTotalMinor })
  return stored
}

/**
 * Matches a settlement report with the ledger: stores each line once, books the payout and the gateway's fee, and records
 * differences. It is idempotent, so it can be repeated, or resumed after an interruption.
 */
export async function receiveReport(
  database: Database,
  report: SettlementReport,
  origin: Origin,
): Promise<ReceivedReport> {
  const { at } = origin
  const { settlement, isNew } = await database.write(tx => ensureSettlement(tx, report, origin))
  const lines = addLineKeys(report.lines)
  let added = 0
  for (let start = 0; start < lines.length; start += BATCH_SIZE) {
    const batch = lines.slice(start, start + BATCH_SIZE)
    added += await retryOnConflict(() =>
      database.write(async tx => {
        let newLines = 0
        for (const { key, line } of batch) if (await receiveLine(tx, settlement, key, line, at)) newLines++
        return newLines
      }),
    )
  }
  await database.write(tx => compareTotal(tx, settlement.id, at))
  return { settlement, isNew, added }
}

async function receiveLine(
  db: Tx,
  settlement: SettlementRow,
  key: string,
  line: ReportLine,
  at: number,
): Promise<boolean> {
  const { id: settlementId, provider, currency } = settlement
  const payment = await findLinePayment(db, settlement, line)
  const ledger = payment && (await readLedgerAmounts(db, payment))
  const bookedFeeMinor = payment?.gatewayFeeMinor ?? null
  const netMinor = netOf(line, bookedFeeMinor)
  const lineId = await insertLine(db, {
    settlementId,
    key,
    kind: line.kind,
    reference: line.reference,
    paymentId: payment?.id ?? null,
    amountMinor: line.amountMinor,
    feeMinor: feeOf(line) ?? null,
    netMinor,
    at,
  })
  if (lineId === undefined) return false
  for (const difference of findDifferences(line, ledger))
    await insertDifference(db, {
      ...difference,
      key: `${difference.kind}:${lineId}`,
      provider,
      reference: line.reference,
      settlementId,
      paymentId: payment?.id ?? null,
      currency,
      foundAt: at,
    })
  if (!payment) return true
  await bookLine(db, { payment, line, netMinor, currency, at })
  if (line.kind === 'payment') await resolveDifference(db, { key: unsettledDifferenceKey(payment.id), at })
  return true
}

async function bookLine(
  db: Tx,
  {
    payment,
    line,
    netMinor,
    currency,
    at,
  }: { payment: Payment; line: ReportLine; netMinor: number; currency: string; at: number },
): Promise<void> {
  const fee = feeOf(line)
  // The fee for a refund or chargeback is added to the payment's own fee.
  const bookedFeeMinor = line.kind === 'payment' ? 0 : (payment.gatewayFeeMinor ?? 0)
  if (fee !== undefined && (line.kind === 'payment' || fee !== 0))
    await bookFeeDifference(db, { payment, feeMinor: bookedFeeMinor + fee, currency, at })
  await insertEntries(db, { paymentId: payment.id, entries: toSettledEntries(netMinor), currency, at })
}

/** Finds the payment for a line, provided it was made through the same gateway and received in the same currency. */
async function findLinePayment(
  db: Tx,
  { provider, currency }: SettlementRow,
  { reference }: ReportLine,
): Promise<Payment | undefined> {
  const payment =
    (await findPayment(db, { reference })) ?? (await findPayment(db, { transactionId: reference }))
  if (payment?.provider !== provider) return undefined
  const received = (await findMoneyAtGateway(db, { paymentIds: [payment.id] })).get(payment.id)
  return (received?.currency ?? payment.currency) === currency ? payment : undefined
}

/** Returns what the ledger records for a payment: the amounts received, returned, charged as a fee and settled so far. */
export async function readLedgerAmounts(db: Tx, payment: Payment): Promise<LedgerAmounts> {
  const received = (await findMoneyAtGateway(db, { paymentIds: [payment.id] })).get(payment.id)
  return {
    receivedMinor: received?.minor ?? 0,
    returnedMinor: received ? received.minor - received.remainingMinor : 0,
    feeMinor: payment.gatewayFeeMinor,
    ...(await sumSettled(db, { paymentId: payment.id })),
  }
}

/** Compares the sum of the lines with the gateway's stated total; that total may include refunds and chargebacks. */
async function compareTotal(db: Tx, id: string, at: number): Promise<void> {
  const settlement = await findSettlement(db, { id })
  if (!settlement || settlement.statedTotalMinor === null) return
  const key = totalDifferenceKey(id)
  if (settlement.statedTotalMinor === settlement.netMinor) return resolveDifference(db, { key, at })
  await insertDifference(db, {
    kind: 'total_differs',
    key,
    provider: settlement.provider,
    reference: settlement.reference,
    settlementId: id,
    currency: settlement.currency,
    expectedMinor: settlement.netMinor,
    foundMinor: settlement.statedTotalMinor,
    foundAt: at,
  })
}

/** Finds the payment that a difference is about. */
export const findDifferencePayment = (db: Tx, paymentId: string | null): Promise<Payment | undefined> =>
  paymentId === null ? Promise.resolve(undefined) : findPaymentById(db, { id: paymentId })
