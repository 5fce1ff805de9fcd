import { activityStatuses, activityTypes } from '@portal/contract/admin-logs'
import { classifyActivity } from '@portal/format/activity'
import { describe, expect, test } from 'vitest'
import { type Account, newAccount, newCertificate, request, signIn, staffToken } from '../../test/portal.ts'

const path = '/admin/activity-logs'
const get = (token: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  request('GET', `${path}?${new URLSearchParams(query)}`, { token, headers })

interface Log {
  id: number
  user_id: string | null
  user_email: string | null
  activity: string
  details: string
}

/** Creates an account with the role that a test needs. */
async function newColleague(role: 'admin' | 'super_admin'): Promise<Account> {
  const account = await newAccount()
  const superAdmin = await staffToken('super_admin')
  const changed = await request('PUT', `/admin/users/${account.id}/role`, {
    token: superAdmin,
    body: { role },
  })
  expect(changed.status).toBe(200)
  return { ...account, ...(await signIn(account.email, account.password)) }
}

describe('the activity log', () => {
  test('lists actors and activities, newest first, with counts for the whole filter', async () => {
    const account = await newAccount()
    const { status, body } = await get(await staffToken('admin'), { user_id: account.id })
    expect(status).toBe(200)
    expect(body.logs.map((log: Log) => log.activity)).toEqual([
      'User login',
      'Email verified',
      'User registered',
    ])
    expect(body.logs[0]).toEqual({
      id: expect.any(Number),
      user_id: account.id,
      user_email: account.email,
      activity: 'User login',
      details: '',
      ip_address: expect.any(String),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(body.pagination).toEqual({
      page: 1,
      pages: 1,
      per_page: 50,
      total: 3,
      has_prev: false,
      has_next: false,
    })
    expect(body.statistics).toMatchObject({
      total: 3,
      by_type: { user: 3, payment: 0 },
      by_status: { success: 3 },
    })

    const secondPage = await get(await staffToken('admin'), { user_id: account.id, page: '2', per_page: '2' })
    expect(secondPage.body.logs.map((log: Log) => log.activity)).toEqual(['User registered'])
    expect(secondPage.body.statistics.total).toBe(3)
  })

  test('filters by type, and the counts add up', async () => {
    const token = await staffToken('super_admin')
    const totals = (await get(token)).body.statistics
    let sum = 0
    for (const activity_type of activityTypes) {
      const { body } = await get(token, { activity_type, per_page: '100' })
      for (const log of body.logs) expect(classifyActivity(log.activity).type).toBe(activity_type)
      expect(body.statistics.by_type[activity_type]).toBe(body.statistics.total)
      sum += body.statistics.total
    }
    expect(sum).toBeGreaterThanOrEqual(totals.total)
    expect(activityStatuses.reduce((total, status) => total + totals.by_status[status], 0)).toBe(totals.total)
  })

  test('finds words in activity, details and email, includes both days of a period, and ignores empty filters', async () => {
    const certificate = await newCertificate()
    const token = await staffToken('admin')
    const today = new Date().toISOString().slice(0, 10)
    const filter = { search: certificate.certificate_number.toLowerCase() }
    expect((await get(token, filter)).body.logs).toMatchObject([
      {
        activity: 'Certificate created',
        details: expect.stringMatching(`^${certificate.certificate_number}; version 1;`),
      },
    ])
    expect((await get(token, { ...filter, date_from: today, date_to: today })).body.pagination.total).toBe(1)
    expect((await get(token, { ...filter, date_to: '2001-01-01' })).body.pagination.total).toBe(0)
    expect((await get(token, { ...filter, date_from: '2999-01-01' })).body.pagination.total).toBe(0)
    const emptyFilters = { user_id: '', activity_type: '', date_from: '', date_to: '', admin_view: '' }
    expect((await get(token, { ...filter, ...emptyFilters })).body.pagination.total).toBe(1)
    // A LIKE wildcard in the search matches only itself.
    expect((await get(token, { search: '%_%' })).body.pagination.total).toBe(0)
  })

  test.each([
    { activity_type: 'nonsense' },
    { date_from: '2026-02-30' },
    { admin_view: 'perhaps' },
    { per_page: '101' },
    { page: '0' },
  ])('refuses %j', async query => {
    expect(await get(await staffToken('admin'), query)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
  })

  test('the activity log is for staff only', async () => {
    const { token } = await newAccount()
    expect((await get(token)).status).toBe(403)
    expect((await request('GET', path)).status).toBe(401)
  })
})

describe('visible entries', () => {
  test('for an admin, are their own and those of ordinary users and the system, with any filter', {
    tags: ['QUALITY-18', 'STAFF-16'],
  }, async () => {
    const other = await newColleague('admin')
    const otherSuperAdmin = await newColleague('super_admin')
    const user = await newAccount()
    const unknown = `nobody-${crypto.randomUUID()}@example.org`
    await request('POST', '/auth/login', { body: { email: unknown, password: 'Wrong1234' } })
    const me = await newColleague('admin')

    for (const admin_view of ['', 'true', 'false']) {
      const readLogs = async (query: Record<string, string>) =>
        (await get(me.token, { admin_view, ...query })).body
      expect((await readLogs({ user_id: other.id })).logs).toEqual([])
      expect((await readLogs({ user_id: other.id })).statistics.total).toBe(0)
      expect((await readLogs({ user_id: otherSuperAdmin.id })).logs).toEqual([])
      expect((await readLogs({ search: other.email })).logs).toEqual([])
      expect((await readLogs({ user_id: me.id })).logs.length).toBeGreaterThan(0)
      expect((await readLogs({ user_id: user.id })).logs.length).toBeGreaterThan(0)
      const system = await readLogs({ activity_type: 'user', search: 'Unknown email address' })
      expect(system.logs.some((log: Log) => log.user_id === null)).toBe(true)
    }

    const file = await get(me.token, { search: other.email }, { accept: 'text/csv' })
    expect(file.body.trim().split('\r\n')).toHaveLength(1)
  })

  test('for a super admin, are all entries, or on request those that an admin sees', async () => {
    const other = await newColleague('admin')
    const token = await staffToken('super_admin')
    expect((await get(token, { user_id: other.id })).body.logs.length).toBeGreaterThan(0)
    expect((await get(token, { user_id: other.id, admin_view: 'true' })).body.logs).toEqual([])
  })
})

describe('the export', () => {
  test('contains all matching entries as CSV, and is itself logged', { tags: ['QUALITY-36'] }, async () => {
    const account = await newAccount()
    const token = await staffToken('super_admin')
    const response = await get(token, { user_id: account.id, per_page: '1' }, { accept: 'text/csv' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('vary')).toMatch(/accept/i)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const today = new Date().toISOString().slice(0, 10)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="activity_logs_${today}.csv"`,
    )
    const lines = response.body.trimEnd().split('\r\n')
    expect(lines[0]).toBe('id,user_id,user_email,activity,details,ip_address,timestamp')
    expect(lines.slice(1).map((line: string) => line.split(',')[3])).toEqual([
      'User login',
      'Email verified',
      'User registered',
    ])
    const logged = await get(token, { search: 'Activity logs exported' })
    expect(logged.body.statistics.total).toBeGreaterThan(0)
  })

  test('neutralises formulas, and keeps any input within one record', {
    tags: ['QUALITY-39', 'QUALITY-40'],
  }, async () => {
    const email = `=cmd-${crypto.randomUUID().slice(0, 8)}@example.org`
    const token = await staffToken('super_admin')
    const account = await newAccount({ email })
    const response = await get(token, { user_id: account.id }, { accept: 'text/csv' })
    const lines = response.body.trimEnd().split('\r\n')
    expect(lines).toHaveLength(4)
    for (const line of lines.slice(1)) expect(line.split(',')[2]).toBe(`'${email}`)
  })

  test('streams every entry once', async () => {
    const token = await staffToken('super_admin')
    const { total } = (await get(token)).body.statistics
    const { body } = await get(token, {}, { accept: 'text/csv' })
    const lines: string[] = body.trimEnd().split('\r\n').slice(1)
    const ids = lines.map(line => Number(line.split(',', 1)[0]))
    expect(ids.length).toBeGreaterThanOrEqual(total)
    expect(new Set(ids).size).toBe(ids.length)
    // Entries are in order of time. The IDs of two parallel entries may be in reverse order.
    const times = lines.map(line => line.slice(line.lastIndexOf(',') + 1))
    expect(times).toEqual(times.toSorted().reverse())
  })
})
