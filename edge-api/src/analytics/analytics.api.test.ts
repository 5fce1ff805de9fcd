import { describe, expect, test } from 'vitest'
import { newAccount, newCertificate, request, settlePayment, staff } from '../../test/portal.ts'

const read = async (token: string) =>
  (await request('GET', '/admin/analytics/dashboard', { token })).body.analytics

describe('the dashboard’s figures', () => {
  test('count accounts, certificates, paid verifications and revenue as they happen', async () => {
    const token = await staff('admin')
    const { body: fee } = await request('GET', '/verification/settings')
    const before = await read(token)
    const today = before.daily.at(-1)
    const account = await newAccount()
    const certificate = await newCertificate()
    const started = await request('POST', '/verification/process-payment', {
      token: account.token,
      body: { certificate_number: certificate.certificate_number },
    })
    expect(started.body.status).toBe('payment_initiated')
    expect((await read(token)).total_authentications).toBe(before.total_authentications)
    await settlePayment(started.body.payment_reference, '00')
    const settled = await request('GET', `/verification/payment-status/${started.body.transaction_id}`, {
      token: account.token,
    })
    expect(settled.body.status).toBe('paid')

    const after = await read(token)
    expect(after).toMatchObject({
      total_users: before.total_users + 1,
      recent_users: before.recent_users + 1,
      total_certificates: before.total_certificates + 1,
      recent_certificates: before.recent_certificates + 1,
      total_authentications: before.total_authentications + 1,
      recent_authentications: before.recent_authentications + 1,
      total_revenue: before.total_revenue + fee.verification_fee,
      recent_revenue: before.recent_revenue + fee.verification_fee,
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

  test('cover 30 days without a gap, and agree with one another', async () => {
    const figures = await read(await staff('super_admin'))
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
    expect(figures.total_authentications).toBeGreaterThan(0)
    expect(figures.success_rate).toBeGreaterThan(0)
    expect(figures.success_rate).toBeLessThanOrEqual(100)
  })

  test('are for staff alone', async () => {
    const { token } = await newAccount()
    expect((await request('GET', '/admin/analytics/dashboard', { token })).status).toBe(403)
    expect((await request('GET', '/admin/analytics/dashboard')).status).toBe(401)
  })
})
