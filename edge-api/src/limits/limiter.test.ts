import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createTemporaryDatabase,
  createTestPorts,
  type TemporaryDatabase,
  type TestPorts,
} from '../../test/temporary-database.ts'
import { Fault } from '../fault.ts'
import { consume, consumeUpTo, countRemaining, type LimiterCall, requireAllowance } from './limiter.ts'

let temporary: TemporaryDatabase
let ports: TestPorts
let call: LimiterCall

beforeEach(async () => {
  temporary = await createTemporaryDatabase()
  ports = createTestPorts()
  call = { db: temporary.database, ports }
})
afterEach(() => temporary.remove())

const faultOf = (work: Promise<unknown>): Promise<Fault> =>
  work.then(
    () => {
      throw new Error('was admitted')
    },
    fault => fault,
  )

const tenTimes = Array.from({ length: 10 })

test('admits as many requests as the limit allows and refuses the next one, with Retry-After', async () => {
  for (const _ of tenTimes) await consume(call, 'login_account', 'user@demo.test')
  ports.time += 60_000
  const fault = await faultOf(consume(call, 'login_account', 'user@demo.test'))
  expect(fault.code).toBe('RATE_LIMITED')
  expect(fault.retryAfter).toBe(14 * 60)
  await consume(call, 'login_account', 'other@demo.test')
})

test('admits exactly as many parallel requests as the limit allows', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, () => consume(call, 'login_account', 'user@demo.test')),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
})

test('forgets a hit after its window, and never counts refused hits', async () => {
  for (const _ of tenTimes) await consume(call, 'login_account', 'user@demo.test')
  for (const _ of tenTimes) await faultOf(consume(call, 'login_account', 'user@demo.test'))
  ports.time += 15 * 60_000
  await consume(call, 'login_account', 'user@demo.test')
  const { rows } = await temporary.database.client.execute('select count(*) as n from rate_limits')
  expect(rows[0]?.n).toBe(1)
})

test('uses a sliding window: hits late in one window still count after that window has ended', async () => {
  ports.time += 14 * 60_000
  for (const _ of tenTimes) await consume(call, 'login_account', 'user@demo.test')
  ports.time += 2 * 60_000
  expect((await faultOf(consume(call, 'login_account', 'user@demo.test'))).retryAfter).toBe(13 * 60)
})

test('checking the remaining allowance counts no hit', async () => {
  for (const _ of tenTimes) await requireAllowance(call, 'login_account', 'user@demo.test')
  expect(await countRemaining(call, 'login_account', 'user@demo.test')).toBe(10)
  for (const _ of tenTimes) await consume(call, 'login_account', 'user@demo.test')
  expect(await countRemaining(call, 'login_account', 'user@demo.test')).toBe(0)
  expect((await faultOf(requireAllowance(call, 'login_account', 'user@demo.test'))).code).toBe('RATE_LIMITED')
})

test('admits only as many hits of a group as the limit still allows', async () => {
  expect(await consumeUpTo(call, 'certificate_misses', 'account', 15)).toBe(15)
  expect(await consumeUpTo(call, 'certificate_misses', 'account', 15)).toBe(5)
  // If nothing was admitted, nothing is stored, in this minute or the next.
  ports.time += 60_000
  expect(await consumeUpTo(call, 'certificate_misses', 'account', 15)).toBe(0)
  const { rows } = await temporary.database.client.execute('select count from rate_limits')
  expect(rows).toMatchObject([{ count: 20 }])
})

test('stores neither email address nor IP address', async () => {
  await consume(call, 'login_account', 'user@demo.test')
  await consume(call, 'login_address', '203.0.113.7')
  const { rows } = await temporary.database.client.execute('select key from rate_limits order by key')
  for (const { key } of rows) expect(key).toMatch(/^login_(account|address):[0-9a-f]{64}$/)
})

test('if the counters fail, refuses logins but admits lookups, and logs both', async () => {
  await temporary.database.client.execute('drop table rate_limits')
  const refused = await faultOf(requireAllowance(call, 'login_account', 'user@demo.test'))
  expect(refused).toMatchObject({
    status: 503,
    retryAfter: 5,
    cause: { message: expect.stringMatching(/./) },
  })
  expect((await faultOf(consume(call, 'mail_address', '203.0.113.7'))).status).toBe(503)
  await consume(call, 'public_tracking', '203.0.113.7')
  expect(await consumeUpTo(call, 'certificate_misses', 'account', 3)).toBe(3)
  expect(ports.lines).toMatchObject(
    ['login_account', 'mail_address', 'public_tracking', 'certificate_misses'].map(limit => ({
      level: 'error',
      event: 'limiter_failed',
      limit,
      cause: expect.stringMatching(/Error/),
    })),
  )
  expect(JSON.stringify(ports.lines)).not.toContain('203.0.113.7')
})

test('a busy or unreachable database is not treated as an exhausted limit', async () => {
  const write = () => Promise.reject(new Fault('DATABASE_UNAVAILABLE'))
  const failingCall = { ...call, db: { ...temporary.database, write } }
  await consume(failingCall, 'public_tracking', '203.0.113.7')
  expect((await faultOf(consume(failingCall, 'login_address', '203.0.113.7'))).retryAfter).toBe(5)
})
