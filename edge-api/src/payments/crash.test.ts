import type { Client, Transaction } from '@libsql/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { syncWithGateway } from './sync.ts'

/* Tests fault 24: the process dies between any two steps of a sync, once at each of its statements. */

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

class Killed extends Error {}

/**
 * Returns the database, except that the `nth` statement of its next write transactions, commits included, throws instead of
 * running.
 */
function dieAtWrite({ client }: Database, nth: number): { database: Database; hasDied: () => boolean } {
  let statements = 0
  let died = false
  const step = () => {
    statements++
    if (statements === nth) {
      died = true
      throw new Killed()
    }
  }
  const watched = new Set(['execute', 'cells', 'firstCells', 'batch', 'commit'])
  const dying = (transaction: Transaction): Transaction =>
    new Proxy(transaction, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (typeof name === 'string' && watched.has(name)) step()
          return Reflect.apply(value, target, args)
        }
      },
    })
  const wrapped: Client = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (name === 'transaction') return async () => dying(await target.transaction('write'))
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { database: openDatabase(wrapped, { serialiseWrites: true }), hasDied: () => died }
}

test('fault 24: a sync that dies at any step leaves nothing behind, and the next sync does everything once', {
  tags: ['QUALITY-44', 'FAULT-24'],
}, async () => {
  let steps = 0
  for (let nth = 1; ; nth++) {
    const { reference, transactionId } = await setup.newPayment()
    setup.gateway.end(reference, 'succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
    // Waits until the mail of the previous payment is sent.
    await setup.idle()
    const before = await setup.rows()
    const dying = dieAtWrite(setup.database, nth)
    const outcome = await syncWithGateway(setup.ports, dying.database, { reference }, 'webhook').catch(
      (error: unknown) => error,
    )
    if (!dying.hasDied()) {
      steps = nth - 1
      break
    }
    expect([outcome, outcome instanceof Error && outcome.cause]).toContainEqual(expect.any(Killed))
    expect(await setup.rows()).toEqual(before)

    await syncWithGateway(setup.ports, setup.database, { reference }, 'scheduler')
    const after = await setup.rows()
    const payment = after.payments.find(row => row.transactionId === transactionId)
    expect(payment).toMatchObject({ status: 'paid', resolution: 'verified', amountPaidMinor: 500_100 })
    const filterOwn = <Row extends { paymentId: string }>(rows: Row[]) =>
      rows.filter(row => row.paymentId === payment?.id)
    expect(filterOwn(after.fulfilments)).toHaveLength(1)
    expect(filterOwn(after.refunds)).toMatchObject([{ amountMinor: 100, reason: 'over_payment' }])
    expect(filterOwn(after.events).filter(event => event.type === 'paid')).toHaveLength(1)
    expect(filterOwn(after.ledger).reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
    expect(after.letters.length - before.letters.length).toBe(1)
    expect(after.outbox.length - before.outbox.length).toBe(1)
  }
  // A smaller number would mean that not all statements are counted.
  expect(steps).toBeGreaterThan(20)
})
