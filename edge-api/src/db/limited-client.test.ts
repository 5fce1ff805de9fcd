import type { Client, ResultSet, Transaction } from '@libsql/client'
import { expect, test, vi } from 'vitest'
import { isUnreachable } from './errors.ts'
import { limitedClient } from './limited-client.ts'
import { ServerHealth } from './server-fetch.ts'

const LIMIT_MS = 60
const neverSettles = new Promise<never>(() => undefined)
const rows: ResultSet = Object.assign(Object.create(null), { rows: [{ one: 1 }] })

/** Returns a client like the driver's, whose methods depend on `this` and return what the test specifies. */
function fakeClient(response: () => Promise<ResultSet>) {
  class Fake {
    #open = true
    reconnect = vi.fn()
    get closed() {
      return !this.#open
    }
    async execute() {
      if (!this.#open) throw new Error('closed')
      return response()
    }
    async transaction(): Promise<Transaction> {
      return new Fake() as unknown as Transaction
    }
    async commit() {
      await response()
    }
    close() {
      this.#open = false
    }
  }
  const fake = new Fake()
  return { fake, client: limitedClient(fake as unknown as Client, new ServerHealth(), LIMIT_MS) }
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('passes results and errors on unchanged', async () => {
  const { client } = fakeClient(async () => rows)
  expect(await client.execute('select 1')).toBe(rows)
  expect(client.closed).toBe(false)
  client.close()
  expect(client.closed).toBe(true)
  expect(await failureOf(client.execute('select 1'))).toMatchObject({ message: 'closed' })
})

test('gives up on a silent server in time and reconnects, and refuses later calls immediately', async () => {
  const execute = vi.fn(() => neverSettles)
  const { client, fake } = fakeClient(execute)
  expect(isUnreachable(await failureOf(client.execute('select 1')))).toBe(true)
  expect(fake.reconnect).toHaveBeenCalledOnce()
  const failures = await Promise.all([1, 2, 3].map(() => failureOf(client.execute('select 1'))))
  expect(failures.every(isUnreachable)).toBe(true)
  // The calls were refused without a request, except for one retry if this process was delayed past the retry interval.
  expect(execute.mock.calls.length).toBeLessThanOrEqual(2)
})

test('a transaction has a time limit for each step', async () => {
  let isSilent = false
  const { client } = fakeClient(() => (isSilent ? neverSettles : Promise.resolve(rows)))
  const transaction = await client.transaction('write')
  expect(await transaction.execute('select 1')).toBe(rows)
  isSilent = true
  expect(isUnreachable(await failureOf(transaction.commit()))).toBe(true)
})
