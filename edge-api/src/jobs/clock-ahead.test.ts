import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestPortal, PASSWORD } from '../../test/account-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { runScheduledJobs } from './scheduled-jobs.ts'

/*
 * Checks that rows written while the clock was a week ahead are neither stuck nor valid for longer once the clock is
 * corrected.
 */

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR

let setup: TestSetup
let portal: Awaited<ReturnType<typeof openTestPortal>>
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
})
afterEach(() => setup.close())

const execute = async (sql: string) => (await setup.database.client.execute(sql)).rows

test('mails and payments that were leased or scheduled continue after the correction', {
  tags: ['DATA-11'],
}, async () => {
  const now = setup.ports.time
  setup.ports.time += WEEK
  await setup.database.write(tx =>
    enqueueMail(tx, setup.ports, { to: 'a@users.test', subject: 's', text: 't', html: 'h' }),
  )
  const { reference } = await setup.newPayment()
  await execute(`update outbox set lease_until = ${setup.ports.time + 120_000}`)
  await execute(`update payments set lease_until = ${setup.ports.time + 60_000}`)
  await execute(`update job_leases set last_run_at = ${setup.ports.time}, lease_until = ${setup.ports.time}`)
  setup.gateway.setOutcome(reference, 'succeeded')
  setup.ports.time = now
  await runScheduledJobs(setup.ports, setup.database)
  expect(setup.ports.sent.map(({ to }) => to)).toContain('a@users.test')
  expect(await execute('select status from payments')).toMatchObject([{ status: 'paid' }])
})

test('a payment that was started while the clock was ahead is requeried within minutes', {
  tags: ['DATA-11'],
}, async () => {
  const now = setup.ports.time
  setup.ports.time += WEEK
  const { reference } = await setup.newPayment()
  setup.ports.time = now
  await runScheduledJobs(setup.ports, setup.database)
  setup.gateway.setOutcome(reference, 'succeeded')
  setup.ports.time += 11 * 60_000
  await runScheduledJobs(setup.ports, setup.database)
  expect(await execute('select status from payments')).toMatchObject([{ status: 'paid' }])
})

test('after the correction, a locked account can log in, and a session ends at its usual time', {
  tags: ['DATA-14'],
}, async () => {
  const account = await portal.account()
  const login = (password: string) =>
    portal.call('POST', '/auth/login', undefined, { email: account.email, password })
  const now = setup.ports.time
  setup.ports.time += WEEK
  const tokenFromFuture = (await login(PASSWORD)).body.token
  for (let tries = 0; tries < 10; tries++) await login('Wrong1234')
  expect((await login(PASSWORD)).status).toBe(429)
  setup.ports.time = now
  expect((await login(PASSWORD)).status).toBe(200)
  expect((await portal.call('GET', '/auth/profile', tokenFromFuture)).status).toBe(401)
  await runScheduledJobs(setup.ports, setup.database)
  setup.ports.time += WEEK + 60_000
  expect((await portal.call('GET', '/auth/profile', tokenFromFuture)).status).toBe(401)
})

test('an erasure requested while the clock was ahead happens after the usual week, and never sooner', {
  tags: ['DATA-11'],
}, async () => {
  const account = await portal.account()
  const now = setup.ports.time
  setup.ports.time += WEEK
  await portal.call('POST', '/account/erasure', account.token, { current_password: PASSWORD })
  setup.ports.time = now
  await portal.advance(0)
  await portal.advance(WEEK - 60_000)
  expect((await portal.call('GET', '/auth/profile', account.token)).status).toBe(200)
  await portal.advance(120_000)
  expect((await portal.call('GET', '/auth/profile', account.token)).status).toBe(401)
})

test.each([
  ['an hour', HOUR],
  ['a day', 24 * HOUR],
  ['a year', 365 * 24 * HOUR],
])(
  'items deferred while the clock was %s ahead are retried after the correction',
  { tags: ['DATA-13'] },
  async (_, aheadMs) => {
    const now = setup.ports.time
    const { send } = setup.ports.mailer
    setup.ports.mailer.send = () => Promise.reject(new Error('refused'))
    const account = await portal.account()
    await execute(`update users set erasure_due_at = 1 where id = '${account.id}'`)
    await execute(
      `create trigger poison before update of erased_at on users begin select raise(abort, 'poison'); end`,
    )
    setup.ports.time += aheadMs
    await setup.database.write(tx =>
      enqueueMail(tx, setup.ports, { to: 'a@users.test', subject: 's', text: 't', html: 'h' }),
    )
    // This many runs defer the items for hours.
    for (let tries = 0; tries < 6; tries++) {
      await portal.advance(HOUR)
    }
    expect(await execute('select * from deferrals')).toHaveLength(2)
    setup.ports.time = now
    await execute('drop trigger poison')
    setup.ports.mailer.send = send
    await portal.advance(0)
    expect(await execute('select * from deferrals')).toEqual([])
    expect(setup.ports.sent.map(({ to }) => to)).toContain('a@users.test')
    expect(await execute(`select erased_at from users where id = '${account.id}'`)).toMatchObject([
      { erased_at: now },
    ])
  },
)

test('no item is lost or processed twice if the clock repeatedly jumps ahead and back', {
  tags: ['DATA-13'],
}, async () => {
  const { send } = setup.ports.mailer
  let sends = 0
  setup.ports.mailer.send = (...mail) =>
    sends++ % 2 === 0 ? Promise.reject(new Error('refused')) : send(...mail)
  const start = setup.ports.time
  for (let index = 0; index < 12; index++) {
    setup.ports.time = start + (index % 3 === 1 ? WEEK : index % 3 === 2 ? -WEEK / 7 : 0) + index * 60_000
    await setup.database.write(tx =>
      enqueueMail(tx, setup.ports, { to: `m${index}@users.test`, subject: 's', text: 't', html: 'h' }),
    )
    await portal.advance(0)
  }
  for (let index = 0; index < 4; index++) await portal.advance(HOUR)
  const sent = setup.ports.sent.map(({ to }) => to).sort()
  expect(sent).toEqual(Array.from({ length: 12 }, (_, index) => `m${index}@users.test`).sort())
})
