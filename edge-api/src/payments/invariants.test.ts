import process from 'node:process'
import { random } from '@portal/fixtures/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, openBench, type Rows } from '../../test/payment-bench.ts'
import type { Principal } from '../auth/principal.ts'
import type { Database } from '../db/database.ts'
import type { Outcome, Requery } from './gateway.ts'
import { settle } from './settle.ts'
import { tick } from './tick.ts'

/*
 * The invariants of the design over random stories: starts, hints in any order and number, answers that change,
 * gateways that fail, deaths in the middle of a transaction, time that passes. `PROPERTY_RUNS` makes more of them.
 */

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25)
const STEPS = 25
const FEE = 500_000

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

/** Dies before the transaction commits, half way through or at its end. */
const dying = (database: Database): Database => ({
  ...database,
  write: work =>
    database.write(async tx => {
      await work(tx)
      throw new Error('killed')
    }),
})

interface Story {
  dice: ReturnType<typeof random>
  pairs: { user: Principal; number: string }[]
}

const references = () => [...bench.gateway.charges.keys()]

async function step({ dice, pairs }: Story): Promise<void> {
  const { gateway, database, ports } = bench
  const reference = references().length > 0 ? dice.pick(references().slice(-6)) : undefined
  const hint = (db = database) =>
    reference ? settle(ports, db, { reference }, dice.pick(['webhook', 'return', 'user'])) : undefined
  switch (dice.int(0, 8)) {
    case 0:
    case 1: {
      const { user, number } = dice.pick(pairs)
      const copies = dice.int(1, 3)
      await Promise.allSettled(Array.from({ length: copies }, () => bench.start(user, number)))
      return
    }
    case 2:
    case 3: {
      if (!reference || gateway.charges.get(reference)?.outcome === 'succeeded') return
      const outcome = dice.pick<Outcome>([
        'pending',
        'processing',
        'failed',
        'cancelled',
        'expired',
        'succeeded',
      ])
      const minor = dice.pick([FEE, FEE, FEE, FEE - 1, FEE + 1, FEE * 100, FEE / 100])
      const answer: Partial<Requery> =
        outcome === 'succeeded'
          ? { amountPaid: { minor, currency: dice.pick(['NGN', 'NGN', 'NGN', 'USD']) } }
          : {}
      gateway.end(reference, outcome, answer)
      return
    }
    case 4:
      await Promise.all(Array.from({ length: dice.int(1, 4) }, () => hint()))
      return
    case 5:
      await hint(dying(database))?.catch(() => undefined)
      return
    case 6:
      gateway.onRequery = async () => {
        throw new Error('down')
      }
      await hint()
      gateway.onRequery = async (_, proceed) => proceed()
      return
    case 7:
      ports.time += dice.pick([1000, 20_000, 5 * 60_000, 40 * 60_000])
      await Promise.all([tick(ports, database), tick(ports, database)])
      return
    case 8:
      gateway.onInitiate = async (_, proceed) => {
        if (dice.int(0, 1) === 1) proceed()
        throw new Error('500')
      }
      await bench.start(dice.pick(pairs).user, dice.pick(pairs).number).catch(() => undefined)
      gateway.onInitiate = async (_, proceed) => proceed()
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const key = (row: { userId: string; certificateNumber: string }) => `${row.userId} ${row.certificateNumber}`

function check(rows: Rows, settled: boolean): void {
  const open = rows.items.filter(item => item.open === 1).map(key)
  expect(new Set(open).size, 'one open attempt a user and number').toBe(open.length)
  const fulfilled = rows.fulfilments.map(row => row.paymentItemId)
  expect(new Set(fulfilled).size, 'one fulfilment an item').toBe(fulfilled.length)
  const verified = rows.fulfilments.filter(row => row.outcome === 'verified').map(key)
  expect(new Set(verified).size, 'one verification a user and number').toBe(verified.length)
  expect(rows.letters.length, 'one letter a verification').toBe(verified.length)

  for (const payment of rows.payments) {
    const own = <Row extends { paymentId: string }>(all: readonly Row[]) =>
      all.filter(row => row.paymentId === payment.id)
    const entries = own(rows.ledger)
    expect(sum(entries.map(entry => entry.amountMinor)), 'the ledger of a payment is at zero').toBe(0)
    const received = sum(
      entries.filter(entry => entry.account === 'gateway_clearing').map(entry => entry.amountMinor),
    )
    const due = sum(own(rows.refunds).map(refund => refund.amountMinor))
    expect(due, 'refunds are never above what was received').toBeLessThanOrEqual(received)
    expect(own(rows.fulfilments).length > 0, 'paid and fulfilled are one').toBe(payment.status === 'paid')

    const charge = bench.gateway.charges.get(payment.providerReference)
    if (!settled || charge?.outcome !== 'succeeded') {
      if (charge?.outcome !== 'succeeded') expect(received, 'no money without an approval').toBe(0)
      continue
    }
    const paid = charge.answer.amountPaid ?? { minor: charge.minor, currency: 'NGN' }
    expect(received, 'all money that came is in the books').toBe(paid.minor)
    const matches = paid.currency === 'NGN' && paid.minor >= FEE
    expect(payment.status).toBe(matches ? 'paid' : 'mismatched')
    const revenue = -sum(entries.filter(entry => entry.account === 'revenue').map(entry => entry.amountMinor))
    expect(revenue + due, 'money received is earned or due back').toBe(received)
  }
}

test(`the invariants hold in ${RUNS} random stories`, async () => {
  for (let run = 0; run < RUNS; run++) {
    const user = await bench.newUser()
    const pairs = [
      { user, number: await bench.newCertificate() },
      { user, number: await bench.newCertificate() },
    ]
    const story: Story = { dice: random(run + 1), pairs }
    bench.gateway.charges.clear()
    for (let turn = 0; turn < STEPS; turn++) await step(story)

    const own = (rows: Rows): Rows => {
      const ids = new Set(rows.payments.filter(row => row.userId === user.id).map(row => row.id))
      const among = <Row extends { paymentId: string }>(all: Row[]) =>
        all.filter(row => ids.has(row.paymentId))
      const fulfilments = among(rows.fulfilments)
      const items = new Set(fulfilments.map(row => row.paymentItemId))
      return {
        ...rows,
        payments: rows.payments.filter(row => ids.has(row.id)),
        items: among(rows.items),
        events: among(rows.events),
        fulfilments,
        ledger: among(rows.ledger),
        refunds: among(rows.refunds),
        letters: rows.letters.filter(row => items.has(row.paymentItemId)),
      }
    }
    check(own(await bench.rows()), false)
    // What nobody paid may still be paid at the very end, several attempts for one number too.
    for (const [reference, { outcome }] of bench.gateway.charges) {
      if (outcome !== 'succeeded' && story.dice.chance(0.5)) bench.gateway.end(reference, 'succeeded')
    }
    for (const reference of references()) await settle(bench.ports, bench.database, { reference }, 'webhook')
    const healed = own(await bench.rows())
    check(healed, true)
    // Saying it all again, backwards, changes nothing that counts.
    for (const reference of references().reverse()) {
      await settle(bench.ports, bench.database, { reference }, 'reconcile')
    }
    const again = own(await bench.rows())
    const facts = ({ fulfilments, letters, ledger, refunds, payments }: Rows) => ({
      fulfilments,
      letters,
      ledger,
      refunds,
      states: payments.map(({ id, status, resolution }) => [id, status, resolution]),
    })
    expect(facts(again)).toEqual(facts(healed))
  }
})
