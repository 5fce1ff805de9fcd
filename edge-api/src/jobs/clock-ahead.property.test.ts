import { getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestPortal, PASSWORD } from '../../test/account-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { RefundingGateway } from '../../test/refunding-gateway.ts'
import { insertLink } from '../accounts/link-store.ts'
import * as accounts from '../db/schema/accounts.ts'
import * as activity from '../db/schema/activity.ts'
import * as certificates from '../db/schema/certificates.ts'
import * as counters from '../db/schema/counters.ts'
import * as frontEnds from '../db/schema/front-ends.ts'
import * as letters from '../db/schema/letters.ts'
import * as money from '../db/schema/money.ts'
import * as operations from '../db/schema/operations.ts'
import * as payments from '../db/schema/payments.ts'
import * as reconciliation from '../db/schema/reconciliation.ts'
import * as settings from '../db/schema/settings.ts'
import { sha256Hex } from '../digest.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { insertCallback } from '../payments/inbox-store.ts'
import { approveRefund } from '../payments/refund-approval.ts'
import { defer } from '../queues/deferral-store.ts'
import { backUpIfDue } from './backup/schedule.ts'
import { recordBackup } from './backup/store.ts'
import { runScheduledJobs } from './scheduled-jobs.ts'

/*
 * Checks that nothing stays locked, late or valid forever after a clock that was ahead is corrected. Covers every stored time
 * until which something waits or is valid.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let setup: TestSetup
let gateway: RefundingGateway
let portal: Awaited<ReturnType<typeof openTestPortal>>
beforeEach(async () => {
  gateway = new RefundingGateway()
  setup = await openTestSetup(gateway)
  portal = await openTestPortal(setup)
})
afterEach(() => setup.close())

const execute = async (sql: string) => (await setup.database.client.execute(sql)).rows
const readValue = async (sql: string) => Object.values((await execute(sql))[0] ?? {})[0]
async function run(afterMs = 0) {
  setup.ports.time += afterMs
  await runScheduledJobs(setup.ports, setup.database)
  await setup.waitUntilIdle()
}
const login = ({ email }: { email: string }, extraFields = {}, password = PASSWORD) =>
  portal.call('POST', '/auth/login', undefined, { email, password, ...extraFields })

/**
 * A test case: called while the clock is ahead. Returns a function to call after the correction, with the offset in
 * milliseconds.
 */
type TestCase = () => Promise<(aheadMs: number) => Promise<void>>

/** The columns that each case writes; together they are all columns with times that something waits for. */
const cases: Record<string, readonly [columns: readonly string[], ahead: TestCase]> = {
  'a payment expires, and another can start': [
    ['payments.expires_at', 'payments.next_requery_at', 'payments.created_at'],
    async () => {
      const { user, number, reference } = await setup.newPayment()
      return async () => {
        await run()
        for (let waited = 0; waited < 60; waited += 11) await run(11 * MINUTE)
        expect(await readValue(`select status from payments where provider_reference = '${reference}'`)).toBe(
          'expired',
        )
        expect((await setup.startPayment(user, number)).kind).toBe('initiated')
      }
    },
  ],
  'a leased payment is requeried': [
    ['payments.lease_until', 'payments.last_requery_at'],
    async () => {
      const { reference } = await setup.newPayment()
      gateway.setOutcome(reference, 'succeeded')
      const { time } = setup.ports
      await execute(`update payments set lease_until = ${time + MINUTE}, last_requery_at = ${time}`)
      return async () => {
        await run(11 * MINUTE)
        expect(await readValue('select status from payments')).toBe('paid')
      }
    },
  ],
  'a mail is sent': [
    ['outbox.next_attempt_at', 'outbox.lease_until', 'outbox.created_at'],
    async () => {
      const enqueue = (to: string) =>
        setup.database.write(tx => enqueueMail(tx, setup.ports, { to, subject: 's', text: 't', html: 'h' }))
      await enqueue('new@users.test')
      await enqueue('retried@users.test')
      await enqueue('held@users.test')
      const { time } = setup.ports
      await execute(`update outbox set attempts = 1, next_attempt_at = ${time + MINUTE} where rowid = 2`)
      await execute(`update outbox set lease_until = ${time + 2 * MINUTE} where rowid = 3`)
      return async () => {
        await run(8 * MINUTE)
        expect(setup.ports.sent.map(({ to }) => to.split('@')[0]).sort()).toEqual(['held', 'new', 'retried'])
      }
    },
  ],
  'a callback is processed': [
    ['webhook_inbox.received_at'],
    async () => {
      const { reference } = await setup.newPayment()
      gateway.setOutcome(reference, 'succeeded')
      await execute('update payments set next_requery_at = null')
      const callback = {
        provider: 'sandbox',
        eventKey: 'e',
        reference,
        raw: '{}',
        receivedAt: setup.ports.time,
      }
      await setup.database.write(tx => insertCallback(tx, callback))
      return async () => {
        await run()
        expect(await readValue('select status from payments')).toBe('paid')
      }
    },
  ],
  'a refund is requested': [
    ['refunds.next_try_at', 'refunds.lease_until', 'refunds.approved_at'],
    async () => {
      const superAdmin = await setup.newUser('super_admin')
      const { reference } = await setup.newPayment()
      gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 600_000, currency: 'NGN' } })
      await run(20_000)
      gateway.onRefund = () => Promise.reject(new Error('no answer'))
      const id = String(await readValue('select id from refunds'))
      const approval = { id, actor: superAdmin, bankReference: null, address: '192.0.2.1', requestId: 'r' }
      await approveRefund(setup.ports, setup.database, approval)
      await execute(`update refunds set lease_until = ${setup.ports.time + MINUTE}`)
      gateway.onRefund = async (_, proceed) => proceed()
      return async () => {
        await run(8 * MINUTE)
        expect(await readValue('select status from refunds')).toBe('processed')
      }
    },
  ],
  'a deferred item is retried': [
    ['deferrals.next_at', 'deferrals.since'],
    async () => {
      const { reference, transactionId } = await setup.newPayment()
      gateway.setOutcome(reference, 'succeeded')
      const { time: now } = setup.ports
      const item = { queue: 'requery' as const, item: transactionId, reason: 'No answer.', now }
      await setup.database.write(tx => defer(tx, item))
      return async () => {
        await run(11 * MINUTE)
        expect(await readValue('select status from payments')).toBe('paid')
      }
    },
  ],
  'an interrupted upload ends': [
    ['uploads.lease_until'],
    async () => {
      const { time } = setup.ports
      await execute(`insert into uploads (id, uploader_id, uploader_email, filename, dry_run, on_conflict, state, created_at,
        lease_until) values ('u', 'u', 'staff@users.test', 'u.csv', 0, 'fail', 'receiving', ${time}, ${time + 2 * MINUTE})`)
      return async () => {
        await run(8 * MINUTE)
        expect(await readValue('select state from uploads')).toBe('interrupted')
      }
    },
  ],
  'an interrupted reconciliation ends': [
    ['reconciliations.lease_until', 'reconciliations.started_at'],
    async () => {
      const { time } = setup.ports
      await execute(`insert into reconciliations (id, day, nightly, started_at, lease_until, mismatches)
        values ('r', '2020-01-01', 0, ${time}, ${time + MINUTE}, '[]')`)
      return async () => {
        await run(8 * MINUTE)
        expect(await readValue("select finished_at from reconciliations where id = 'r'")).not.toBeNull()
      }
    },
  ],
  'expired data is deleted': [
    ['job_leases.lease_until', 'job_leases.last_run_at'],
    async () => {
      await run()
      const { id } = await setup.newUser()
      await execute(`insert into sessions (id, user_id, created_at, expires_at) values ('s', '${id}', 1, 1)`)
      return async () => {
        await run()
        expect(await execute("select * from sessions where id = 's'")).toEqual([])
      }
    },
  ],
  'the database is backed up': [
    ['backups.at'],
    async () => {
      const backup = {
        kind: 'scheduled' as const,
        file: 'f',
        bytes: 1,
        tookMs: 1,
        verified: true,
        error: null,
      }
      const at = setup.ports.time
      await setup.database.write(tx => recordBackup(tx, { ...backup, at }))
      return async () => {
        const schedule = { intervalMs: DAY, take: async () => [] }
        expect(await backUpIfDue(setup.database, schedule, setup.ports.clock)).toBeDefined()
      }
    },
  ],
  'a locked account is unlocked, now and when the time that the clock showed arrives': [
    ['rate_limits.window_start', 'rate_limits.expires_at'],
    async () => {
      const account = await portal.account()
      for (let tries = 0; tries < 10; tries++) await login(account, {}, 'Wrong1234')
      expect((await login(account)).status).toBe(429)
      return async aheadMs => {
        expect((await login(account)).status).toBe(200)
        await run()
        setup.ports.time += aheadMs + MINUTE
        expect((await login(account)).status).toBe(200)
      }
    },
  ],
  'a session has ended, now and when the time that the clock showed arrives': [
    ['sessions.expires_at', 'sessions.created_at'],
    async () => {
      const account = await portal.account()
      const token = await portal.session(account.id, 'user')
      return async aheadMs => {
        const profile = () => portal.call('GET', '/auth/profile', token)
        expect((await profile()).status).toBe(401)
        await run()
        setup.ports.time += aheadMs + MINUTE
        expect((await profile()).status).toBe(401)
      }
    },
  ],
  'a mailed link has expired, now and when the time that the clock showed arrives': [
    ['mail_tokens.expires_at', 'mail_tokens.created_at'],
    async () => {
      const { id: userId } = await portal.account()
      const createdAt = setup.ports.time
      const link = { purpose: 'reset_password' as const, userId, createdAt, expiresAt: createdAt + HOUR }
      const token = 'A'.repeat(43)
      const hash = sha256Hex(token)
      await setup.database.write(tx => insertLink(tx, { ...link, hash }))
      return async aheadMs => {
        const reset = () => portal.call('GET', `/auth/reset-password/${token}`)
        expect((await reset()).status).toBe(400)
        await run()
        setup.ports.time += aheadMs + MINUTE
        expect((await reset()).status).toBe(400)
      }
    },
  ],
  'a code of the second factor is accepted': [
    ['second_factors.last_step'],
    async () => {
      const member = await portal.account('super_admin')
      const enrolment = await portal.call('POST', '/auth/second-factor', member.token, {
        current_password: PASSWORD,
      })
      const totp = new TOTP({ secret: Secret.fromBase32(enrolment.body.secret) })
      const code = () => totp.generate({ timestamp: setup.ports.time })
      const path = '/auth/second-factor/confirm'
      expect((await portal.call('POST', path, member.token, { code: code() })).status).toBe(200)
      return async () => {
        expect((await login(member, { code: code() })).status).toBe(200)
      }
    },
  ],
  'an erasure happens after a week': [
    ['users.erasure_due_at'],
    async () => {
      const account = await portal.account()
      await portal.call('POST', '/account/erasure', account.token, { current_password: PASSWORD })
      return async () => {
        await run()
        await run(7 * DAY + MINUTE)
        expect(await readValue(`select erased_at from users where id = '${account.id}'`)).not.toBeNull()
      }
    },
  ],
  'a letter holder is notified of a withdrawn letter': [
    ['letters.status_at'],
    async () => {
      const { reference } = await setup.newPayment()
      gateway.setOutcome(reference, 'succeeded')
      await run(20_000)
      await execute(
        `update letters set status = 'withdrawn', pending_status = 'withdrawn', status_at = ${setup.ports.time}`,
      )
      return async () => {
        await run()
        expect(await readValue('select pending_status from letters')).toBeNull()
      }
    },
  ],
}

/**
 * Names of columns with times of past events, which are displayed, used to sort, or start a deletion period. Nothing waits for
 * these times.
 */
const PAST_EVENTS =
  /(^at|created|updated|verified|erased|used|confirmed|read|uploaded|withdrawn|finished|issued|checked|revoked|retired|processed|delivered|paid|result|cursor|seen)_?(at)?$/

test('every stored time is the time of a past event or is covered by one of these cases', {
  tags: ['QUALITY-51'],
}, () => {
  const schemas = [
    accounts,
    activity,
    certificates,
    counters,
    frontEnds,
    letters,
    money,
    operations,
    payments,
  ]
  const tables = [...schemas, reconciliation, settings]
    .flatMap(Object.values)
    .filter(value => is(value, Table))
  const timeColumns = tables.flatMap(table =>
    Object.values(getTableColumns(table))
      .map(({ name }) => name)
      .filter(name => /(_at|_until|^at|since|_start|_step)$/.test(name) && !PAST_EVENTS.test(name))
      .map(name => `${getTableName(table)}.${name}`),
  )
  const coveredColumns = Object.values(cases).flatMap(([columns]) => columns)
  expect(timeColumns.length).toBeGreaterThan(15)
  expect(timeColumns.filter(name => !coveredColumns.includes(name))).toEqual([])
})

describe.each([
  ['an hour', HOUR],
  ['two days', 2 * DAY],
  ['40 days', 40 * DAY],
  ['ten years', 3653 * DAY],
])('once a clock that was ahead by %s is corrected', (_, aheadMs) => {
  test.each(Object.keys(cases))(
    'nothing stays locked, late or valid for too long: %s',
    { tags: ['QUALITY-51'] },
    async name => {
      const now = setup.ports.time
      setup.ports.time += aheadMs
      const checkAfterCorrection = await cases[name]?.[1]()
      setup.ports.time = now
      await checkAfterCorrection?.(aheadMs)
    },
  )
})
