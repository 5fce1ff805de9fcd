import { createRandom } from '@portal/fixtures/random'
import { expect } from 'vitest'
import type { Database } from '../src/db/database.ts'
import { runScheduledJobs } from '../src/jobs/scheduled-jobs.ts'
import type { Outcome, Requery } from '../src/payment-gateway.ts'
import { continueRun, RUN_LEASE_MS } from '../src/payments/reconcile.ts'
import { insertRun } from '../src/payments/reconcile-store.ts'
import { approveRefund } from '../src/payments/refund-approval.ts'
import { GATEWAY_FEE, SETTLED } from '../src/payments/rules.ts'
import { syncWithGateway } from '../src/payments/sync.ts'
import type { Principal } from '../src/principal.ts'
import { receiveReport } from '../src/settlements/receive.ts'
import { openTestSetup, type Rows, type TestSetup } from './payment-setup.ts'
import { findCounterDifferences } from './recount.ts'
import { RefundingGateway } from './refunding-gateway.ts'

/*
 * Runs random histories of payments: starts, callbacks in any order and number, changing responses, failing gateways, refunds
 * that fail and are repeated, reversals that may be undone, reconciliations, crashes in the middle of a transaction, and
 * the passage of time. After each history the invariants of the design must hold.
 */

const STEP_COUNT = 30
const FEE = 500_000
const DAY = 86_400_000

let gateway: RefundingGateway
let setup: TestSetup
/** What happened in the histories, as counts. */
export interface HistoryTotals {
  /** Number of payments refunded in full. */
  refunded: number
  /** Number of payments for which more money was recorded later. */
  moreReceived: number
  /** Number of reversals of recorded payments, and number of reversals that were undone. */
  reversed: number
  reversalsUndone: number
  /** Calls to the gateway, and the refund orders among them. */
  calls: number
  refundOrders: number
}
let totals: HistoryTotals

/** Returns a database whose transactions fail before they commit, as if the process had been killed. */
const withCrashes = (database: Database): Database => ({
  ...database,
  write: work =>
    database.write(async tx => {
      await work(tx)
      throw new Error('killed')
    }),
})

/** Payments for which more money arrived after they had succeeded. */
const overpaidLater = new Set<string>()

/** Payments that the gateway has itself reversed, even if only temporarily. */
const everReversed = new Set<string>()

/** Adds money to a successful payment. The portal may learn of the payment before or after this. */
function addMoney(reference: string, extraMinor: number): void {
  const charge = gateway.charges.get(reference)
  const { minor, currency } = charge?.answer.amountPaid ?? { minor: charge?.minor ?? 0, currency: 'NGN' }
  gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: minor + extraMinor, currency } })
  overpaidLater.add(reference)
}

/** Returns a gateway's report of received money. If it reports a fee, the fee may have been added to the payer's amount. */
function withFee(dice: HistoryContext['fees'], minor: number, currency: string): Partial<Requery> {
  const feeMinor = dice.pick([0, 7600, 7600])
  if (dice.chance(0.3)) return { amountPaid: { minor, currency } }
  const passedOn = dice.chance(0.4) ? feeMinor : 0
  return { amountPaid: { minor: minor + passedOn, currency }, requestedMinor: minor, feeMinor }
}

/** Amounts that settlements have paid out for each payment, less deductions. */
const settledNets = new Map<string, number>()
let reportCount = 0

/** Lets the gateway pay out what it received for a payment, or deduct its refunds. The portal receives the report twice. */
async function settlePayout(dice: HistoryContext['fees'], reference: string): Promise<void> {
  const { database, ports } = setup
  const { answer } = gateway.charges.get(reference) ?? {}
  // Payments in dollars are not paid out to this account.
  if ((answer?.amountPaid?.currency ?? 'NGN') !== 'NGN') return
  const received = gateway.receivedMinorOf(reference)
  const refunded = gateway.refundedMinorOf(reference, ['processed'])
  const feeMinor = answer?.feeMinor ?? 7600
  const line =
    refunded > 0 && dice.chance(0.5)
      ? ({ kind: 'refund', amountMinor: -refunded } as const)
      : ({ kind: 'payment', amountMinor: received, feeMinor } as const)
  if (line.amountMinor === 0) return
  gateway.setOutcome(reference, gateway.charges.get(reference)?.outcome ?? 'pending', { ...answer, feeMinor })
  const report = {
    provider: 'sandbox',
    reference: `S${++reportCount}`,
    currency: 'NGN',
    settledAt: ports.time,
  }
  const settlement = { ...report, lines: [{ reference, ...line }] }
  const origin = { source: 'api', at: ports.time } as const
  const { added } = await receiveReport(database, settlement, origin)
  expect(added).toBe(1)
  expect(
    (await receiveReport(database, settlement, origin)).added,
    'a report that is received again adds nothing',
  ).toBe(0)
  const net = line.kind === 'payment' ? line.amountMinor - feeMinor : line.amountMinor
  settledNets.set(reference, (settledNets.get(reference) ?? 0) + net)
}

/** Lets the gateway correct its fee for a payment. */
function correctFee(dice: HistoryContext['fees'], reference: string): void {
  const charge = gateway.charges.get(reference)
  if (charge?.outcome !== 'succeeded' || !charge.answer.amountPaid) return
  gateway.setOutcome(reference, 'succeeded', { ...charge.answer, feeMinor: dice.pick([0, 5000, 10_000]) })
}

interface HistoryContext {
  dice: ReturnType<typeof createRandom>
  /** A random generator for the gateway's fees only. */
  fees: ReturnType<typeof createRandom>
  candidates: { user: Principal; number: string }[]
}

const listReferences = () => [...gateway.charges.keys()]

async function takeStep({ dice, fees, candidates }: HistoryContext): Promise<void> {
  const { database, ports } = setup
  const reference = listReferences().length > 0 ? dice.pick(listReferences().slice(-6)) : undefined
  const syncReference = (db = database) =>
    reference
      ? syncWithGateway(ports, db, { reference }, dice.pick(['webhook', 'return', 'user']))
      : undefined
  switch (dice.int(0, 12)) {
    case 0:
    case 1: {
      const { user, number } = dice.pick(candidates)
      const copies = dice.int(1, 3)
      await Promise.allSettled(Array.from({ length: copies }, () => setup.startPayment(user, number)))
      return
    }
    case 2:
    case 3: {
      if (!reference || gateway.reversedCharges.has(reference)) return
      if (gateway.charges.get(reference)?.outcome === 'succeeded') {
        if (dice.chance(0.3)) addMoney(reference, dice.pick([1, FEE]))
        else if (fees.chance(0.5)) correctFee(fees, reference)
        else await settlePayout(fees, reference)
        return
      }
      const outcome = dice.chance(0.4)
        ? 'succeeded'
        : dice.pick<Outcome>(['pending', 'processing', 'failed', 'cancelled', 'expired'])
      const minor = dice.pick([FEE, FEE, FEE, FEE - 1, FEE + 1, FEE + 1, FEE * 100, FEE / 100])
      const answer: Partial<Requery> =
        outcome === 'succeeded' ? withFee(fees, minor, dice.pick(['NGN', 'NGN', 'NGN', 'USD'])) : {}
      gateway.setOutcome(reference, outcome, answer)
      return
    }
    case 4:
      await Promise.all(Array.from({ length: dice.int(1, 4) }, () => syncReference()))
      return
    case 5:
      await syncReference(withCrashes(database))?.catch(() => undefined)
      return
    case 6:
      gateway.onRequery = async () => {
        throw new Error('down')
      }
      await syncReference()
      gateway.onRequery = async (_, proceed) => proceed()
      return
    case 7:
      ports.time += dice.pick([1000, 20_000, 5 * 60_000, 40 * 60_000])
      await Promise.all([runScheduledJobs(ports, database), runScheduledJobs(ports, database)])
      return
    case 8:
      gateway.onInitiate = async (_, proceed) => {
        if (dice.int(0, 1) === 1) proceed()
        throw new Error('500')
      }
      await setup
        .startPayment(dice.pick(candidates).user, dice.pick(candidates).number)
        .catch(() => undefined)
      gateway.onInitiate = async (_, proceed) => proceed()
      return
    case 9:
    case 10:
      return approveRandomRefund({ dice, fees, candidates })
    case 11:
      gateway.endRefunds(dice.pick(['processed', 'processed', 'failed', 'needs_attention']))
      await Promise.all([reconcileToday(), reconcileToday(), syncReference()])
      return
    case 12:
      if (!reference) return
      if (gateway.reversedCharges.has(reference)) gateway.undoReversal(reference)
      else if (gateway.receivedMinorOf(reference) > gateway.refundedMinorOf(reference, ['processed'])) {
        gateway.reversePayment(reference)
        everReversed.add(reference)
      }
      await Promise.all(Array.from({ length: dice.int(0, 3) }, () => syncReference()))
  }
}

/** Approves a refund several times in parallel, while the gateway behaves randomly. */
async function approveRandomRefund({ dice, candidates }: HistoryContext): Promise<void> {
  const { database, ports } = setup
  const [actor] = candidates
  const rows = filterByUser(await setup.readRows(), candidates[0]?.user)
  const openRefunds = rows.refunds.filter(({ status }) => status !== 'processed')
  if (!actor || openRefunds.length === 0) return
  const { id } = dice.pick(openRefunds)
  gateway.nextRefund = dice.pick(['processed', 'pending', 'failed', 'needs_attention'])
  const fault = dice.int(0, 3)
  gateway.onRefund = async (_, proceed) => {
    if (fault === 0) throw new Error('down')
    const refund = proceed()
    if (fault === 1) throw new Error('the response was lost')
    return refund
  }
  const bankReference = dice.chance(0.2) ? `FT-${id}` : null
  const approve = (db = database) =>
    approveRefund(ports, db, { id, actor: actor.user, bankReference, address: '-', requestId: '-' })
  if (dice.chance(0.3)) await approve(withCrashes(database)).catch(() => undefined)
  await Promise.allSettled(Array.from({ length: dice.int(1, 3) }, () => approve()))
  gateway.onRefund = async (_, proceed) => proceed()
}

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Reconciles each day on which a payment of the history was started. */
async function reconcileDays({ payments }: Rows) {
  const days = new Set(payments.map(({ createdAt }) => toDay(createdAt)))
  const runs = []
  for (const day of days) runs.push(await reconcile(day))
  return runs
}

const reconcileToday = () => reconcile(toDay(setup.ports.time))

async function reconcile(day: string) {
  const { database, ports } = setup
  const id = crypto.randomUUID()
  const at = ports.time
  const by = { id: 'staff', email: 'staff@users.test', address: '192.0.2.4' }
  await database.write(tx => insertRun(tx, { id, day, starter: by, at, leaseUntil: at + RUN_LEASE_MS }))
  return continueRun(ports, database, id)
}

const isFee = (entry: Rows['ledger'][number]) => entry.account === 'fees' && entry.reason === GATEWAY_FEE

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const toKey = (row: { userId: string; certificateNumber: string }) => `${row.userId} ${row.certificateNumber}`

/** Returns the required state of a payment that the gateway reports as paid. */
function getExpectedStatus(
  charge: { minor: number; answer: Partial<Requery> },
  isFullyRefunded: boolean,
  passedOn: number,
): string {
  const paid = charge.answer.amountPaid ?? { minor: charge.minor, currency: 'NGN' }
  if (isFullyRefunded) return 'refunded'
  return paid.currency === 'NGN' && paid.minor - passedOn >= FEE ? 'paid' : 'mismatched'
}

function checkInvariants(rows: Rows, isFinal: boolean): void {
  const openItems = rows.items.filter(item => item.open === 1).map(toKey)
  expect(new Set(openItems).size, 'at most one open attempt per user and number').toBe(openItems.length)
  const fulfilled = rows.fulfilments.map(row => row.paymentItemId)
  expect(new Set(fulfilled).size, 'at most one fulfilment per item').toBe(fulfilled.length)
  const verified = rows.fulfilments.filter(row => row.outcome === 'verified')
  expect(rows.letters.length, 'one letter per verification').toBe(verified.length)
  const reversed = new Set(rows.payments.filter(row => row.status === 'reversed').map(row => row.id))
  const currentVerifications = verified.filter(row => !reversed.has(row.paymentId)).map(toKey)
  expect(new Set(currentVerifications).size, 'at most one verification per user and number').toBe(
    currentVerifications.length,
  )

  for (const payment of rows.payments) {
    const rowsOfPayment = <Row extends { paymentId: string }>(all: readonly Row[]) =>
      all.filter(row => row.paymentId === payment.id)
    const entries = rowsOfPayment(rows.ledger)
    expect(
      sum(entries.map(entry => entry.amountMinor)),
      'the ledger entries of a payment add up to zero',
    ).toBe(0)
    const settledNet = settledNets.get(payment.providerReference) ?? 0
    const bankEntries = entries.filter(entry => entry.account === 'bank' && entry.reason === SETTLED)
    expect(sum(bankEntries.map(entry => entry.amountMinor)), 'settled amounts are in the bank account').toBe(
      settledNet,
    )
    const fee = sum(entries.filter(isFee).map(entry => entry.amountMinor))
    expect(fee, "the gateway's fee is recorded once").toBe(payment.gatewayFeeMinor ?? 0)
    // The gateway's fee has its own account; all other accounts are about the payer's money.
    const balance = (account: string) =>
      sum(
        entries
          .filter(entry => entry.account === account && ![GATEWAY_FEE, SETTLED].includes(entry.reason))
          .map(entry => entry.amountMinor),
      )
    const passedOn = 0 - balance('fees')
    expect([0, payment.passedOnMinor], 'the payer bears the fee at most once').toContain(passedOn)
    const receivedMinor = sum(
      entries
        .filter(entry => entry.reason === 'payment received' && entry.account === 'gateway_clearing')
        .map(entry => entry.amountMinor),
    )
    const refunds = rowsOfPayment(rows.refunds)
    const dueMinor = sum(refunds.map(refund => refund.amountMinor))
    const processedRefunds = refunds.filter(refund => refund.status === 'processed')
    const returnedMinor = sum(processedRefunds.map(refund => refund.amountMinor))
    const refundedByGateway = gateway.refundedMinorOf(payment.providerReference, ['processed'])
    const refundedByBank = sum(
      processedRefunds.filter(refund => refund.bankReference !== null).map(refund => refund.amountMinor),
    )
    expect(balance('bank'), 'refunds by bank transfer left the bank account').toBe(0 - refundedByBank)
    const isApplied = rowsOfPayment(rows.fulfilments).length > 0
    if (payment.status === 'paid') expect(isApplied, 'a paid payment is fulfilled').toBe(true)
    else if (payment.status !== 'refunded' && payment.status !== 'reversed')
      expect(isApplied, 'an unpaid payment is not fulfilled').toBe(false)
    if (everReversed.has(payment.providerReference)) {
      if (isFinal && receivedMinor > 0)
        checkReversed({ payment, refunds, balance, refundedByGateway, refundedByBank, receivedMinor })
      continue
    }
    expect(dueMinor, 'refunds do not exceed the amount received').toBeLessThanOrEqual(receivedMinor)
    expect(balance('refund_payable'), 'refunds that are not completed are owed').toBe(
      returnedMinor - dueMinor,
    )
    expect(balance('gateway_clearing'), 'refunded amounts left the gateway').toBe(
      receivedMinor - returnedMinor + refundedByBank,
    )
    expect(refundedByGateway + refundedByBank, 'no money is returned twice').toBeLessThanOrEqual(
      receivedMinor,
    )

    const charge = gateway.charges.get(payment.providerReference)
    if (!isFinal || charge?.outcome !== 'succeeded') {
      if (charge?.outcome !== 'succeeded') expect(receivedMinor, 'no money without an approval').toBe(0)
      continue
    }
    expect(refundedByGateway + refundedByBank, 'all completed refunds are recorded').toBe(returnedMinor)
    const paid = charge.answer.amountPaid ?? { minor: charge.minor, currency: 'NGN' }
    expect(receivedMinor, 'all money received is in the ledger').toBe(paid.minor)
    if (!overpaidLater.has(payment.providerReference))
      expect(payment.status).toBe(
        getExpectedStatus(charge, returnedMinor === receivedMinor, payment.passedOnMinor),
      )
    const revenue = -balance('revenue')
    expect(revenue + dueMinor + passedOn, 'money received is revenue, a fee or a refund due').toBe(
      receivedMinor,
    )
    const { feeMinor } = charge.answer
    if (receivedMinor > 0 && feeMinor !== undefined) expect(fee, 'the latest fee is recorded').toBe(feeMinor)
  }
}

/** Checks a payment that the gateway reversed at least once. */
function checkReversed({
  payment: { providerReference, status },
  refunds,
  balance,
  refundedByGateway,
  refundedByBank,
  receivedMinor,
}: {
  payment: Rows['payments'][number]
  refunds: Rows['refunds']
  balance: (account: string) => number
  refundedByGateway: number
  refundedByBank: number
  receivedMinor: number
}): void {
  const isReversed = gateway.reversedCharges.has(providerReference)
  expect(balance('gateway_clearing'), 'the gateway holds the amount in the ledger').toBe(
    isReversed ? 0 : receivedMinor - refundedByGateway,
  )
  const open = sum(
    refunds.filter(({ status: state }) => state !== 'processed').map(({ amountMinor }) => amountMinor),
  )
  const owed = 0 - balance('refund_payable')
  expect(open, 'the amount owed is covered by open refunds').toBe(Math.max(0, owed))
  if (isReversed)
    expect(owed, 'after a reversal, the payer owes only the refunds by bank transfer').toBe(
      0 - refundedByBank,
    )
  if (status !== 'reversed') return
  expect(balance('revenue') + balance('unapplied_receipts'), 'a reversed payment earned nothing').toBe(0)
}

/** Returns the rows of one user's payments. */
function filterByUser(rows: Rows, user: Principal | undefined): Rows {
  const ids = new Set(rows.payments.filter(row => row.userId === user?.id).map(row => row.id))
  const filterByPayments = <Row extends { paymentId: string }>(all: Row[]) =>
    all.filter(row => ids.has(row.paymentId))
  const fulfilments = filterByPayments(rows.fulfilments)
  const items = new Set(fulfilments.map(row => row.paymentItemId))
  return {
    ...rows,
    payments: rows.payments.filter(row => ids.has(row.id)),
    items: filterByPayments(rows.items),
    events: filterByPayments(rows.events),
    fulfilments,
    ledger: filterByPayments(rows.ledger),
    refunds: filterByPayments(rows.refunds),
    letters: rows.letters.filter(row => items.has(row.paymentItemId)),
  }
}

async function playHistory(dice: HistoryContext['dice']): Promise<void> {
  const user = await setup.newUser()
  const candidates = [
    { user, number: await setup.newCertificate() },
    { user, number: await setup.newCertificate() },
  ]
  const context = { dice, fees: createRandom(dice.int(0, 1_000_000)), candidates }
  const readOwnRows = async () => filterByUser(await setup.readRows(), user)
  for (let index = 0; index < STEP_COUNT; index++) await takeStep(context)
  checkInvariants(await readOwnRows(), false)

  // Unpaid payments may still be paid at the very end, even several attempts for one number.
  for (const [reference, { outcome }] of gateway.charges) {
    if (gateway.reversedCharges.has(reference)) {
      if (dice.chance(0.5)) gateway.undoReversal(reference)
    } else if (outcome !== 'succeeded' && dice.chance(0.5)) gateway.setOutcome(reference, 'succeeded')
  }
  for (const reference of listReferences())
    await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  for (let attempt = 0; attempt < 5; attempt++) await approveRandomRefund(context)
  // The gateway completes its pending refunds, and the scheduler learns of it. The scheduler's next run requeries failed refunds.
  gateway.endRefunds('processed')
  setup.ports.time += DAY / 4
  await runScheduledJobs(setup.ports, setup.database)
  await runScheduledJobs(setup.ports, setup.database)
  const finalRows = await readOwnRows()
  checkInvariants(finalRows, true)
  expect(await findCounterDifferences(setup.database.client), 'the counters match the rows').toEqual([])

  // Neither the nightly reconciliations of the history nor another one of each day find differences.
  setup.ports.time += 2 * DAY
  await runScheduledJobs(setup.ports, setup.database)
  expect((await reconcileDays(finalRows)).flatMap(({ mismatches }) => mismatches)).toEqual([])
  // Repeating all reports in reverse order changes nothing.
  for (const reference of listReferences().reverse()) {
    await syncWithGateway(setup.ports, setup.database, { reference }, 'reconcile')
  }
  expect(pickFacts(await readOwnRows())).toEqual(pickFacts(finalRows))

  totals.reversed += finalRows.events.filter(({ type }) => type === 'reversed').length
  totals.reversalsUndone += finalRows.events.filter(({ type }) => type === 'reversal_undone').length
  totals.moreReceived += finalRows.events.filter(({ type }) => type === 'more_received').length
  totals.refunded += finalRows.payments.filter(({ status }) => status === 'refunded').length
}

const pickFacts = ({ fulfilments, letters, ledger, refunds, payments }: Rows) => ({
  fulfilments,
  letters,
  ledger,
  refunds: refunds.map(({ id, status, amountMinor }) => [id, status, amountMinor]),
  states: payments.map(({ id, status, resolution }) => [id, status, resolution]),
})

/**
 * Runs `runs` histories and checks the invariants after each.
 * @returns what happened in the histories, so that a test can check that enough happened
 */
export async function runHistories(runs: number, firstSeed = 1): Promise<HistoryTotals> {
  totals = { refunded: 0, moreReceived: 0, reversed: 0, reversalsUndone: 0, calls: 0, refundOrders: 0 }
  gateway = new RefundingGateway()
  for (let run = 0; run < runs; run++) {
    // The database is replaced occasionally, because every history reads all of it.
    if (run % 10 === 0) {
      if (run > 0) await setup.close()
      setup = await openTestSetup(gateway)
    }
    const { charges, orderedRefunds, startedAt, reversedCharges } = gateway
    for (const collection of [
      charges,
      orderedRefunds,
      startedAt,
      reversedCharges,
      overpaidLater,
      everReversed,
      settledNets,
    ])
      collection.clear()
    gateway.nextRefund = 'processed'
    await playHistory(createRandom(firstSeed + run))
  }
  await setup.close()
  const refundOrders = gateway.refundOrders.length
  return { ...totals, refundOrders, calls: gateway.requeries + gateway.orders.length + refundOrders }
}
