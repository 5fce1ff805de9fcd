import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDesk, PASSWORD } from '../../test/account-desk.ts'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { tick } from '../payments/tick.ts'

/* What was written while the clock was a week ahead is neither stuck nor valid for longer once the clock is corrected. */

const WEEK = 7 * 86_400_000

let bench: Bench
let desk: Awaited<ReturnType<typeof openDesk>>
beforeEach(async () => {
  bench = await openBench()
  desk = await openDesk(bench)
})
afterEach(() => bench.close())

const execute = async (sql: string) => (await bench.database.client.execute(sql)).rows

test('mails and payments leased or scheduled ahead go on after the correction', async () => {
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
  await tick(bench.ports, bench.database)
  expect(bench.ports.sent.map(({ to }) => to)).toContain('a@users.test')
  expect(await execute('select status from payments')).toMatchObject([{ status: 'paid' }])
})

test('a payment that was started ahead is asked for again within minutes', async () => {
  const now = bench.ports.time
  bench.ports.time += WEEK
  const { reference } = await bench.newPayment()
  bench.ports.time = now
  await tick(bench.ports, bench.database)
  bench.gateway.end(reference, 'succeeded')
  bench.ports.time += 11 * 60_000
  await tick(bench.ports, bench.database)
  expect(await execute('select status from payments')).toMatchObject([{ status: 'paid' }])
})

test('an account locked ahead can log in, and a session begun ahead does not outlive its time', async () => {
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
  await tick(bench.ports, bench.database)
  bench.ports.time += WEEK + 60_000
  expect((await desk.call('GET', '/auth/profile', ahead)).status).toBe(401)
})

test('an erasure asked for ahead comes after the usual week, and never sooner', async () => {
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
