import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { reserveInDatabase, reserveStatusCheck } from './requery-reservation-store.ts'
import { compareAndSet, findPayment, leaseDuePayment, type Payment } from './store.ts'
import { VersionConflict } from './version-conflict.ts'

let setup: TestSetup
let payment: Payment
beforeEach(async () => {
  setup = await openTestSetup()
  const { transactionId } = await setup.newPayment()
  const found = await findPayment(setup.database.read, { transactionId })
  if (!found) throw new Error('no payment')
  payment = found
})
afterEach(() => setup.close())

test('a change based on an outdated state updates no row', async () => {
  const { database } = setup
  await database.write(tx => compareAndSet(tx, payment, { status: 'processing' }))
  await expect(database.write(tx => compareAndSet(tx, payment, { status: 'failed' }))).rejects.toBeInstanceOf(
    VersionConflict,
  )
  const [row] = (await setup.readRows()).payments
  expect(row).toMatchObject({ status: 'processing', version: payment.version + 1 })
  expect((await setup.readRows()).items).toMatchObject([{ open: 1 }])
})

test('a due payment can be leased only once at a time', async () => {
  const { database } = setup
  const now = (payment.nextRequeryAt ?? 0) + 1
  const lease = (at: number) =>
    database.write(tx => leaseDuePayment(tx, { id: payment.id, now: at, until: at + 1000 }))
  expect(await lease((payment.nextRequeryAt ?? 0) - 1)).toBe(false)
  expect(await Promise.all([lease(now), lease(now), lease(now)])).toEqual([true, false, false])
  expect(await lease(now + 999)).toBe(false)
  expect(await lease(now + 1001)).toBe(true)
})

test('allows a status check every 5 s, even if the clock was set back', {
  tags: ['FAULT-32'],
}, async () => {
  const { database } = setup
  const { transactionId } = payment
  const reserve = (now: number) =>
    database.write(tx => reserveInDatabase(tx, { transactionId, now, gap: 5000 }))
  expect(await reserve(100_000)).toMatchObject({ ...payment, lastRequeryAt: 100_000 })
  expect(await reserve(104_999)).toBeUndefined()
  expect(await reserve(105_000)).toMatchObject({ transactionId })
  expect(await reserve(50_000)).toMatchObject({ transactionId })
})

test('reserves a status check on a file database for one of several parallel callers', async () => {
  const { database } = setup
  const { transactionId } = payment
  const reserve = (now: number) => reserveStatusCheck(database, { transactionId, now, gap: 5000 })
  const reservations = await Promise.all([reserve(100_000), reserve(100_000), reserve(100_000)])
  expect(reservations.filter(Boolean)).toMatchObject([{ transactionId }])
  expect(await reserve(104_999)).toBeUndefined()
  expect(await reserve(105_000)).toMatchObject({ transactionId })
  expect(await reserve(50_000)).toMatchObject({ transactionId })
  // A recorded status check counts too, even one by another process.
  await database.client.execute({ sql: 'update payments set last_requery_at = ?', args: [300_000] })
  expect(await reserve(304_999)).toBeUndefined()
  expect(await reserve(305_000)).toMatchObject({ transactionId })
})
