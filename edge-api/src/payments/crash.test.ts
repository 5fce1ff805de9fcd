import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import type { Database, Tx } from '../db/database.ts'
import { syncWithGateway } from './sync.ts'

/* Fault 24: the process dies between any two steps, once at each statement of a sync. */

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

class Killed extends Error {}

/** The database, except that the `nth` statement of its next write transaction is never run. */
function dyingAt(database: Database, nth: number): { database: Database; died: () => boolean } {
  let statements = 0
  let died = false
  const step = () => {
    statements++
    if (statements === nth) {
      died = true
      throw new Killed()
    }
  }
  const watched = new Set(['insert', 'update', 'delete', 'select'])
  const wrap = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, property) {
        if (typeof property === 'string' && watched.has(property)) step()
        const value: unknown = Reflect.get(target, property)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  return {
    database: { ...database, write: work => database.write(tx => work(wrap(tx))) },
    died: () => died,
  }
}

test('fault 24: a sync that dies at any step leaves nothing, and the next hint does all of it once', {
  tags: ['QUALITY-44', 'FAULT-24'],
}, async () => {
  let steps = 0
  for (let nth = 1; ; nth++) {
    const { reference, transactionId } = await bench.newPayment()
    bench.gateway.end(reference, 'succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
    const before = await bench.rows()
    const dying = dyingAt(bench.database, nth)
    const outcome = await syncWithGateway(bench.ports, dying.database, { reference }, 'webhook').catch(
      (error: unknown) => error,
    )
    if (!dying.died()) {
      steps = nth - 1
      break
    }
    expect(outcome).toBeInstanceOf(Killed)
    expect(await bench.rows()).toEqual(before)

    await syncWithGateway(bench.ports, bench.database, { reference }, 'scheduler')
    const after = await bench.rows()
    const payment = after.payments.find(row => row.transactionId === transactionId)
    expect(payment).toMatchObject({ status: 'paid', resolution: 'verified', amountPaidMinor: 500_100 })
    const own = <Row extends { paymentId: string }>(rows: Row[]) =>
      rows.filter(row => row.paymentId === payment?.id)
    expect(own(after.fulfilments)).toHaveLength(1)
    expect(own(after.refunds)).toMatchObject([{ amountMinor: 100, reason: 'over_payment' }])
    expect(own(after.events).filter(event => event.type === 'paid')).toHaveLength(1)
    expect(own(after.ledger).reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
    expect(after.letters.length - before.letters.length).toBe(1)
    expect(after.outbox.length - before.outbox.length).toBe(1)
  }
  // Fewer would mean that the statements are no longer counted.
  expect(steps).toBeGreaterThan(15)
})
