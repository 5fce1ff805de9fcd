import { toIsoDate } from '@portal/format/dates'
import { describeCause } from '../cause.ts'
import type { Database } from '../db/database.ts'
import type { GatewaySettlements } from '../payment-gateway.ts'
import { withDeadline } from '../payments/query-gateway.ts'
import type { Ports } from '../ports.ts'
import { insertDifference, listDifferencesToRecheck, resolveDifference } from './difference-store.ts'
import { findDifferencePayment, readLedgerAmounts, receiveReport, unsettledDifferenceKey } from './receive.ts'
import { claimRun, endRun, findFirstSettlements, isRunDue, listUnsettled } from './store.ts'

/*
 * Once a day, imports the settlements of the last weeks from each gateway that reports them, and records a difference for each
 * payment that should have been settled by now.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** How many days back settlements are read: one that failed at the bank may succeed days later. */
const DAYS_BACK = 21
/** How far back unsettled payments are looked for, in milliseconds. */
const UNSETTLED_PERIOD_MS = 90 * DAY
const LEASE_MS = 10 * 60_000
const RETRY_DELAY_MS = HOUR
const MAX_PAGES = 100
/** Maximum number of differences that one run records or checks again. */
const MAX_DIFFERENCES_PER_RUN = 500

/** Used in place of a provider's name for the checks, the part of the work that needs no gateway. */
const LOCAL_CHECKS = '*'

/**
 * Does the work that is due today, only once, however many processes there are. A part that fails is retried after an hour.
 * @returns the number of parts of the work that were finished
 */
export async function importSettlements(ports: Ports, database: Database): Promise<number> {
  let finished = 0
  for (const [provider, gateway] of Object.entries(ports.gateways)) {
    const { settlements } = gateway
    if (settlements)
      finished += await runPart(ports, database, provider, () =>
        fetchSettlements(ports, database, provider, settlements),
      )
  }
  return finished + (await runPart(ports, database, LOCAL_CHECKS, () => runLocalChecks(ports, database)))
}

async function runPart(
  ports: Ports,
  database: Database,
  provider: string,
  work: () => Promise<void>,
): Promise<number> {
  if (ports.stopping.aborted) return 0
  const now = ports.clock.now()
  const day = toIsoDate(now)
  // Reads before writing, because the work has usually been done already, and a write would wait for the write mutex.
  if (!(await isRunDue(database.read, { day, provider, now }))) return 0
  if (!(await database.write(tx => claimRun(tx, { day, provider, now, leaseUntil: now + LEASE_MS }))))
    return 0
  try {
    await work()
    await database.write(tx => endRun(tx, { day, provider, finishedAt: ports.clock.now() }))
    return 1
  } catch (error) {
    ports.log({ level: 'warn', event: 'settlements_failed', provider, cause: describeCause(error) })
    await database.write(tx => endRun(tx, { day, provider, leaseUntil: ports.clock.now() + RETRY_DELAY_MS }))
    return 0
  }
}

/** Reads all items of a paginated list. */
async function fetchAllPages<T>(
  fetchPage: (cursor: string | undefined) => Promise<{ items: T[]; nextCursor?: string }>,
): Promise<T[]> {
  const all: T[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { items, nextCursor } = await fetchPage(cursor)
    all.push(...items)
    if (nextCursor === undefined) return all
    cursor = nextCursor
  }
  throw new Error('the gateway’s list does not end')
}

async function fetchSettlements(
  ports: Ports,
  database: Database,
  provider: string,
  settlements: GatewaySettlements,
): Promise<void> {
  const to = new Date(ports.clock.now())
  const from = new Date(to.getTime() - DAYS_BACK * DAY)
  const reportedSettlements = await fetchAllPages(cursor =>
    withDeadline(signal => settlements.list(from, to, cursor, signal)),
  )
  for (const { reference, currency, settledAt, paidOutMinor } of reportedSettlements) {
    if (ports.stopping.aborted) throw new Error('stopping')
    const lines = await fetchAllPages(cursor =>
      withDeadline(signal => settlements.listLines(reference, cursor, signal)),
    )
    const report = {
      provider,
      reference,
      currency,
      settledAt: settledAt.getTime(),
      statedTotalMinor: paidOutMinor,
      lines: lines.map(line => ({ kind: 'payment' as const, ...line })),
    }
    await receiveReport(database, report, { source: 'api', at: ports.clock.now() })
  }
}

/** Records differences for payments that should have been settled by now, and resolves differences that no longer exist. */
async function runLocalChecks(ports: Ports, database: Database): Promise<void> {
  const at = ports.clock.now()
  const settlementPeriodMs = ports.environment.PAYMENT_SETTLEMENT_DAYS * DAY
  for (const { provider, at: firstSettledAt } of await findFirstSettlements(database.read)) {
    // Starts with a gateway's first known settlement, because before that there is nothing to compare with.
    const from = Math.max(at - UNSETTLED_PERIOD_MS, firstSettledAt - settlementPeriodMs)
    const unsettled = await listUnsettled(database.read, {
      provider,
      from,
      before: at - settlementPeriodMs,
      limit: MAX_DIFFERENCES_PER_RUN,
    })
    await database.write(async tx => {
      for (const payment of unsettled)
        await insertDifference(tx, {
          kind: 'not_settled',
          key: unsettledDifferenceKey(payment.id),
          provider,
          reference: payment.providerReference,
          paymentId: payment.id,
          currency: payment.currency,
          expectedMinor: payment.amountPaidMinor,
          foundMinor: null,
          foundAt: at,
        })
    })
  }
  const openDifferences = await listDifferencesToRecheck(database.read, { limit: MAX_DIFFERENCES_PER_RUN })
  await database.write(async tx => {
    for (const { key, kind, paymentId } of openDifferences) {
      const payment = await findDifferencePayment(tx, paymentId)
      if (!payment) continue
      const ledger = await readLedgerAmounts(tx, payment)
      const isResolved =
        kind === 'deduction'
          ? ledger.deductedMinor <= ledger.returnedMinor
          : kind === 'amount_differs'
            ? ledger.settledMinor === ledger.receivedMinor
            : payment.status === 'reversed' || payment.status === 'refunded'
      if (isResolved) await resolveDifference(tx, { key, at })
    }
  })
}
