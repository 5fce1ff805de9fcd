import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  endPaymentAtGateway,
  newAccount,
  newCertificate,
  request,
  sharedPortal,
  staffToken,
} from '../../test/portal.ts'

/** The gateway's response code for an approved payment. */
const APPROVED = '00'

const readDashboard = async (token: string) =>
  (await request('GET', '/admin/analytics/dashboard', { token })).body.analytics

describe('the dashboard’s figures', () => {
  test('count new accounts, certificates, paid verifications and revenue immediately', {
    tags: ['STAFF-2'],
  }, async () => {
    const token = await staffToken('admin')
    const { body: fee } = await request('GET', '/verification/settings')
    const before = await readDashboard(token)
    const today = before.daily.at(-1)
    const account = await newAccount()
    const certificate = await newCertificate()
    const started = await request('POST', '/verification/process-payment', {
      token: account.token,
      body: { certificate_number: certificate.certificate_number },
    })
    expect(started.body.status).toBe('payment_initiated')
    expect((await readDashboard(token)).total_authentications).toBe(before.total_authentications)
    await endPaymentAtGateway(started.body.payment_reference, APPROVED)
    const settled = await request('GET', `/verification/payment-status/${started.body.transaction_id}`, {
      token: account.token,
    })
    expect(settled.body.status).toBe('paid')

    const after = await readDashboard(token)
    expect(after).toMatchObject({
      total_users: before.total_users + 1,
      recent_users: before.recent_users + 1,
      total_certificates: before.total_certificates + 1,
      recent_certificates: before.recent_certificates + 1,
      total_authentications: before.total_authentications + 1,
      recent_authentications: before.recent_authentications + 1,
      total_revenue: before.total_revenue + fee.verification_fee,
      recent_revenue: before.recent_revenue + fee.verification_fee,
      this_month: {
        users: before.this_month.users + 1,
        certificates: before.this_month.certificates + 1,
        authentications: before.this_month.authentications + 1,
        revenue: before.this_month.revenue + fee.verification_fee,
      },
      currency: 'NGN',
    })
    expect(after.daily.at(-1)).toEqual({
      date: today.date,
      verifications: today.verifications + 1,
      successful: today.successful + 1,
      not_found: today.not_found,
      revenue: today.revenue + fee.verification_fee,
    })
  })

  test('cover 30 days without a gap, and are consistent with one another', async () => {
    const figures = await readDashboard(await staffToken('super_admin'))
    expect(figures.daily).toHaveLength(30)
    const first = Date.parse(figures.daily[0].date)
    figures.daily.forEach((day: { date: string }, index: number) => {
      expect(Date.parse(day.date)).toBe(first + index * 86_400_000)
    })
    const sum = (key: string) =>
      figures.daily.reduce((total: number, day: Record<string, number>) => total + (day[key] ?? 0), 0)
    expect(sum('verifications')).toBe(figures.recent_authentications)
    expect(sum('successful') + sum('not_found')).toBe(figures.recent_authentications)
    expect(sum('revenue')).toBeCloseTo(figures.recent_revenue, 2)
    const month = figures.daily.at(-1).date.slice(0, 7)
    const days: { date: string; verifications: number }[] = figures.daily
    // On the 31st, the month is one day longer than the series.
    if (!figures.daily.at(-1).date.endsWith('31'))
      expect(figures.this_month.authentications).toBe(
        days.filter(day => day.date.startsWith(month)).reduce((sum, day) => sum + day.verifications, 0),
      )
    expect(figures.total_authentications).toBeGreaterThan(0)
    expect(figures.success_rate).toBeGreaterThan(0)
    expect(figures.success_rate).toBeLessThanOrEqual(100)
  })

  test('are for staff only', async () => {
    const { token } = await newAccount()
    expect((await request('GET', '/admin/analytics/dashboard', { token })).status).toBe(403)
    expect((await request('GET', '/admin/analytics/dashboard')).status).toBe(401)
  })
})

describe('a period', () => {
  const path = '/admin/analytics'
  const readPeriod = async (token: string, query: Record<string, string> = {}) =>
    (await request('GET', `${path}?${new URLSearchParams(query)}`, { token })).body.analytics
  const today = new Date().toISOString().slice(0, 10)
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

  test('has figures, courses and organisations that are updated immediately', {
    tags: ['STAFF-17'],
  }, async () => {
    const token = await staffToken('super_admin')
    const { body: fee } = await request('GET', '/verification/settings')
    const company = `Chukwu & Sons ${crypto.randomUUID().slice(0, 8)}`
    const course = `B.Sc. Analytics ${crypto.randomUUID().slice(0, 8)}`
    const account = await newAccount({ address: ` ${company} , 1 Marina, , Lagos, Lagos, Nigeria` })
    const { certificate_number } = await newCertificate({ course })
    const initial = await readPeriod(token, { date_from: today, date_to: today })
    const body = { certificate_number }
    const started = await request('POST', '/verification/process-payment', { token: account.token, body })
    await endPaymentAtGateway(started.body.payment_reference, APPROVED)
    const statusPath = `/verification/payment-status/${started.body.transaction_id}`
    expect((await request('GET', statusPath, { token: account.token })).body.status).toBe('paid')

    const updated = await readPeriod(token, { date_from: today, date_to: today })
    expect(updated).toMatchObject({ from: today, to: today, days: 1, unit: 'day', currency: 'NGN' })
    expect(updated.figures).toMatchObject({
      verifications: initial.figures.verifications + 1,
      successful: initial.figures.successful + 1,
      not_found: initial.figures.not_found,
      revenue: initial.figures.revenue + fee.verification_fee,
    })
    expect(updated.series).toEqual([{ from: today, to: today, ...updated.figures }])
    // In the response, `before` is the preceding period of the same length.
    expect(updated.before).toMatchObject({ from: daysAgo(1), to: daysAgo(1) })

    // The file contains at least the top-ranked organisations.
    const csv = await request('GET', `${path}?date_from=${today}`, { token, headers: { accept: 'text/csv' } })
    expect(csv.status).toBe(200)
    expect(csv.headers.get('content-disposition')).toMatch(/filename="analytics_\d{4}-\d\d-\d\d\.csv"/)
    const lines = String(csv.body).trim().split('\r\n')
    expect(lines[0]).toBe(
      'section,name,from,to,verifications,successful,not_found,success_rate,revenue,users,certificates',
    )
    expect(lines.filter(line => line.startsWith('day,'))).toHaveLength(1)
    for (const { name } of updated.organisations.slice(0, 3))
      expect(lines.some(line => line.startsWith('organisation,') && line.includes(name))).toBe(true)
    const allTime = await readPeriod(token)
    expect(allTime.before).toBeNull()
    expect(allTime.figures.verifications).toBeGreaterThanOrEqual(updated.figures.verifications)
    const names = [...updated.organisations, ...allTime.organisations].map(
      (item: { name: string }) => item.name,
    )
    if (updated.organisations.length < 10) expect(names).toContain(company)
    if (updated.courses.length < 10)
      expect(updated.courses).toContainEqual(expect.objectContaining({ name: course, verifications: 1 }))
  })

  test('agrees with the dashboard’s 30 days, and its parts agree with its totals', async () => {
    const token = await staffToken('super_admin')
    const { body } = await request('GET', '/admin/analytics/dashboard', { token })
    const month = await readPeriod(token, { date_from: daysAgo(29) })
    expect(month.series).toHaveLength(30)
    expect(month.figures).toMatchObject({
      verifications: body.analytics.recent_authentications,
      revenue: body.analytics.recent_revenue,
      users: body.analytics.recent_users,
    })
    const sum = (rows: { verifications: number }[]) =>
      rows.reduce((total, row) => total + row.verifications, 0)
    expect(sum(month.series)).toBe(month.figures.verifications)
    expect(sum(month.organisations)).toBeLessThanOrEqual(month.figures.verifications)
    expect(month.courses.length).toBeGreaterThan(0)
    expect(month.days).toBe(30)
    const emptyPeriod = await readPeriod(token, { date_from: '2001-01-01', date_to: '2001-12-31' })
    expect(emptyPeriod).toMatchObject({ unit: 'week', courses: [], organisations: [] })
    expect(emptyPeriod.figures).toMatchObject({ verifications: 0, success_rate: null })
  })

  test.each([
    [{ date_from: '2026-02-30' }, { date_from: expect.any(String) }],
    [
      { date_from: '2026-02-02', date_to: '2026-02-01' },
      { date_to: 'The period must not end before it begins.' },
    ],
    [
      { date_from: '1900-01-01', date_to: '2026-01-01' },
      { date_from: 'Please choose a period of at most 50 years.' },
    ],
  ])('rejects %j', async (query, fields) => {
    const response = await request('GET', `${path}?${new URLSearchParams(query)}`, {
      token: await staffToken('super_admin'),
    })
    expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', fields } })
  })

  test('is for super admins only', async () => {
    expect((await request('GET', path, { token: await staffToken('admin') })).status).toBe(403)
    expect((await request('GET', path)).status).toBe(401)
  })
})

test('the disk space used by a database file is measured', { tags: ['STAFF-18'] }, async () => {
  const { status, body } = await request('GET', '/admin/system', { token: await staffToken('admin') })
  expect(status).toBe(200)
  if (existsSync(path.join(sharedPortal().folder, 'portal.db'))) {
    expect(body.storage.database_bytes).toBeGreaterThan(100_000)
    expect(body.storage.free_bytes).toBeGreaterThan(0)
    expect(['healthy', 'warning', 'error']).toContain(body.storage.status)
  } else expect(body.storage).toMatchObject({ status: 'unknown', free_bytes: null })
  const { token } = await newAccount()
  expect((await request('GET', '/admin/system', { token })).status).toBe(403)
})
