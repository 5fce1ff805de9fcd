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
 * Wraps the database so that the `nth` statement of its next write transactions throws instead of running. Commits count as
 * statements.
 */
function dieAtStatement({ client }: Database, nth: number): { database: Database; hasDied: () => boolean } {
  let statements = 0
  let died = false
  const countStatement = () => {
    statements++
    if (statements === nth) {
      died = true
      throw new Killed()
    }
  }
  const statementMethods = new Set(['execute', 'cells', 'firstCells', 'batch', 'commit'])
  const wrapTransaction = (transaction: Transaction): Transaction =>
    new Proxy(transaction, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (typeof name === 'string' && statementMethods.has(name)) countStatement()
          return Reflect.apply(value, target, args)
        }
      },
    })
  const wrappedClient: Client = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (name === 'transaction') return async () => wrapTransaction(await target.transaction('write'))
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { database: openDatabase(wrappedClient, { serialiseWrites: true }), hasDied: () => died }
}

test('fault 24: a sync that dies at any step leaves nothing behind, and the next sync does everything once', {
  tags: ['QUALITY-44', 'FAULT-24'],
}, async () => {
  let statementCount = 0
  for (let nth = 1; ; nth++) {
    const { reference, transactionId } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 500_100, currency: 'NGN' } })
    // The mail of the previous payment must be sent before the rows are compared.
    await setup.waitUntilIdle()
    const before = await setup.readRows()
    const { database, hasDied } = dieAtStatement(setup.database, nth)
    const outcome = await syncWithGateway(setup.ports, database, { reference }, 'webhook').catch(
      (error: unknown) => error,
    )
    if (!hasDied()) {
      statementCount = nth - 1
      break
    }
    expect([outcome, outcome instanceof Error && outcome.cause]).toContainEqual(expect.any(Killed))
    expect(await setup.readRows()).toEqual(before)

    await syncWithGateway(setup.ports, setup.database, { reference }, 'scheduler')
    const after = await setup.readRows()
    const payment = after.payments.find(row => row.transactionId === transactionId)
    expect(payment).toMatchObject({ status: 'paid', resolution: 'verified', amountPaidMinor: 500_100 })
    const filterByPayment = <Row extends { paymentId: string }>(rows: Row[]) =>
      rows.filter(row => row.paymentId === payment?.id)
    expect(filterByPayment(after.fulfilments)).toHaveLength(1)
    expect(filterByPayment(after.refunds)).toMatchObject([{ amountMinor: 100, reason: 'over_payment' }])
    expect(filterByPayment(after.events).filter(event => event.type === 'paid')).toHaveLength(1)
    expect(filterByPayment(after.ledger).reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
    expect(after.letters.length - before.letters.length).toBe(1)
    expect(after.outbox.length - before.outbox.length).toBe(1)
  }
  // A smaller number would mean that not all statements are counted.
  expect(statementCount).toBeGreaterThan(20)
})
