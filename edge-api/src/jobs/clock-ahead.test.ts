import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDesk, PASSWORD } from '../../test/account-desk.ts'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { runScheduledJobs } from './scheduled-jobs.ts'

/*
 * Rows written while the clock was a week ahead are neither stuck nor valid for longer once the clock is corrected.
 */

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR

let bench: Bench
let desk: Awaited<ReturnType<typeof openDesk>>
beforeEach(async () => {
  bench = await openBench()
  desk = await openDesk(bench)
})
afterEach(() => bench.close())

const execute = async (sql: string) => (await bench.database.client.execute(sql)).rows

test('mails and payments that were leased or scheduled continue after the correction', {
  tags: ['DATA-11'],
}, async () => {
  const now = bench.ports.time
  bench.ports.time += WEEK
  await bench.database.write(tx =>
    enqueueMail(tx, bench.ports, { to: 'a@users.test', subject: 's', text: 't', html: 'h' }),
  )
  const { reference } = await bench.newPayment()
  await execute(`update outbox set lease_until = ${bench.ports.time + 120_000}`)
  await execute(`update payments set lease_until = ${bench.ports.time + 60_000}`)
  await execute(`update job_leases set last_run_at = ${bench.ports.time}, lease_until = ${bench.ports.time}`)
  bench.gateway.end(reference, 'succeeded')
  bench.ports.time = now
  await runScheduledJobs(bench.ports, bench.database)
  expect(bench.ports.sent.map(({ to }) => to)).toContain('a@users.test')
  expect(await execute('select status from payments')).toMatchObject([{ status: 'paid' }])
})

test('a payment that was started while the clock was ahead is requeried within minutes', {
  tags: ['DATA-11'],
}, async () => {
  const now = bench.ports.time
  bench.ports.time += WEEK
  const { reference } = await bench.newPayment()
  bench.ports.time = now
  await runScheduledJobs(bench.ports, bench.database)
  bench.gateway.end(reference, 'succeeded')
  bench.ports.time += 11 * 60_000
  await runScheduledJobs(bench.ports, bench.database)
  expect(await execute('select status from payments')).toMatchObject([{ status: 'paid' }])
})

test('after the correction, a locked account can log in, and a session does not outlive its time', {
  tags: ['DATA-14'],
}, async () => {
  const account = await desk.account()
  const login = (password: string) =>
    desk.call('POST', '/auth/login', undefined, { email: account.email, password })
  const now = bench.ports.time
  bench.ports.time += WEEK
  const ahead = (await login(PASSWORD)).body.token
  for (let tries = 0; tries < 10; tries++) await login('Wrong1234')
  expect((await login(PASSWORD)).status).toBe(429)
  bench.ports.time = now
  expect((await login(PASSWORD)).status).toBe(200)
  expect((await desk.call('GET', '/auth/profile', ahead)).status).toBe(401)
  await runScheduledJobs(bench.ports, bench.database)
  bench.ports.time += WEEK + 60_000
  expect((await desk.call('GET', '/auth/profile', ahead)).status).toBe(401)
})

test('an erasure requested while the clock was ahead happens after the usual week, and never sooner', {
  tags: ['DATA-11'],
}, async () => {
  const account = await desk.account()
  const now = bench.ports.time
  bench.ports.time += WEEK
  await desk.call('POST', '/account/erasure', account.token, { current_password: PASSWORD })
  bench.ports.time = now
  await desk.ticked(0)
  await desk.ticked(WEEK - 60_000)
  expect((await desk.call('GET', '/auth/profile', account.token)).status).toBe(200)
  await desk.ticked(120_000)
  expect((await desk.call('GET', '/auth/profile', account.token)).status).toBe(401)
})

test.each([
  ['an hour', HOUR],
  ['a day', 24 * HOUR],
  ['a year', 365 * 24 * HOUR],
])(
  'items deferred while the clock was %s ahead are tried after the correction, and their age counts from then',
  { tags: ['DATA-13'] },
  async (_, ahead) => {
    const now = bench.ports.time
    const { send } = bench.ports.mailer
    bench.ports.mailer.send = () => Promise.reject(new Error('refused'))
    const account = await desk.account()
    await execute(`update users set erasure_due_at = 1 where id = '${account.id}'`)
    await execute(
      `create trigger poison before update of erased_at on users begin select raise(abort, 'poison'); end`,
    )
    bench.ports.time += ahead
    await bench.database.write(tx =>
      enqueueMail(tx, bench.ports, { to: 'a@users.test', subject: 's', text: 't', html: 'h' }),
    )
    // Enough runs for a wait of hours.
    for (let tries = 0; tries < 6; tries++) {
      await desk.ticked(HOUR)
    }
    expect(await execute('select * from deferrals')).toHaveLength(2)
    bench.ports.time = now
    await execute('drop trigger poison')
    bench.ports.mailer.send = send
    await desk.ticked(0)
    expect(await execute('select * from deferrals')).toEqual([])
    expect(bench.ports.sent.map(({ to }) => to)).toContain('a@users.test')
    expect(await execute(`select erased_at from users where id = '${account.id}'`)).toMatchObject([
      { erased_at: now },
    ])
  },
)

test('a clock that repeatedly jumps ahead and back loses and duplicates no item', {
  tags: ['DATA-13'],
}, async () => {
  const { send } = bench.ports.mailer
  let sends = 0
  bench.ports.mailer.send = (...mail) =>
    sends++ % 2 === 0 ? Promise.reject(new Error('refused')) : send(...mail)
  const start = bench.ports.time
  for (let at = 0; at < 12; at++) {
    bench.ports.time = start + (at % 3 === 1 ? WEEK : at % 3 === 2 ? -WEEK / 7 : 0) + at * 60_000
    await bench.database.write(tx =>
      enqueueMail(tx, bench.ports, { to: `m${at}@users.test`, subject: 's', text: 't', html: 'h' }),
    )
    await desk.ticked(0)
  }
  for (let at = 0; at < 4; at++) await desk.ticked(HOUR)
  const sent = bench.ports.sent.map(({ to }) => to).sort()
  expect(sent).toEqual(Array.from({ length: 12 }, (_, at) => `m${at}@users.test`).sort())
})
