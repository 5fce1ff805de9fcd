import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  changeTransaction,
  claimDelivery,
  findTransaction,
  insertTransaction,
  listDeliveries,
  type NewDelivery,
} from './records.ts'
import { type Db, openDatabase, type Transaction } from './schema.ts'

let directory = ''
let db: Db
let close = () => {}
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'payment-records-'))
  const opened = await openDatabase(`file:${directory}/payments.db`)
  db = opened.db
  close = opened.close
})
afterAll(async () => {
  close()
  await rm(directory, { recursive: true })
})

function newTransaction(requestId: string): Transaction {
  return {
    transactionId: `SBX${requestId}`,
    requestId,
    kind: 'payment',
    paymentCode: '000000000000',
    amountDue: 500_000,
    currency: 'NGN',
    amountPaid: 0,
    paidCurrency: 'NGN',
    sname: 'S',
    fname: 'F',
    email: 'payer@demo.test',
    regnum: 'UG/2019/00123',
    purpose: '',
    payee: '',
    callbackUrl: null,
    fingerprint: '',
    idempotencyKey: null,
    scenario: '',
    status: 'PENDING',
    code: '',
    cardFirst6: null,
    cardLast4: null,
    otpTries: 0,
    expiresAt: 1000,
    createdAt: 0,
    updatedAt: 0,
    version: 1,
    changeId: '',
  }
}

function newDelivery(row: Transaction, eventId: string): NewDelivery {
  const { transactionId, requestId } = row
  return {
    eventId,
    transactionId,
    requestId,
    event: 'transaction.approved',
    raw: '{}',
    badSignature: false,
    status: 'pending',
    nextAttemptAt: 0,
    createdAt: 0,
  }
}

describe('records', () => {
  it('a change based on an older version changes nothing and causes no webhook', async () => {
    const row = newTransaction('RACE')
    expect(await insertTransaction(db, row)).toBe(true)
    const approved = { status: 'APPROVED', code: '00', amountPaid: 500_000, updatedAt: 1 } as const
    const failed = { status: 'FAILED', code: '51', updatedAt: 2 } as const
    expect(
      await changeTransaction(db, row, approved, [newDelivery(row, 'first'), newDelivery(row, 'first')]),
    ).toBe(true)
    expect(await changeTransaction(db, row, failed, [newDelivery(row, 'second')])).toBe(false)
    expect(await findTransaction(db, 'RACE')).toMatchObject({ ...approved, version: 2 })
    const stored = await listDeliveries(db, { requestId: 'RACE', limit: 10 })
    expect(stored.map(delivery => delivery.eventId)).toEqual(['first', 'first'])
  })

  it('only one of two senders gets a delivery', async () => {
    const row = newTransaction('CLAIM')
    await insertTransaction(db, row)
    await changeTransaction(db, row, { updatedAt: 1 }, [newDelivery(row, 'only')])
    const [delivery] = await listDeliveries(db, { requestId: 'CLAIM', limit: 1 })
    if (!delivery) throw new Error('No delivery')
    expect([await claimDelivery(db, delivery, 1000), await claimDelivery(db, delivery, 1000)]).toEqual([
      true,
      false,
    ])
  })

  it('only one record is stored per request ID', async () => {
    expect(await insertTransaction(db, newTransaction('TWICE'))).toBe(true)
    expect(await insertTransaction(db, { ...newTransaction('TWICE'), transactionId: 'SBXOTHER' })).toBe(false)
  })

  it('a file can be opened several times in parallel, and all connections see the same data', async () => {
    const url = `file:${directory}/shared.db`
    const opened = await Promise.all([openDatabase(url), openDatabase(url), openDatabase(url)])
    try {
      await insertTransaction(opened[0].db, newTransaction('KEPT'))
      expect(await findTransaction(opened[2].db, 'KEPT')).toMatchObject({ requestId: 'KEPT' })
    } finally {
      for (const database of opened) database.close()
    }
  })
})
