import { makeCertificate } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import type { SharedAccounts, Tester } from './subject.ts'

const COLUMNS = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'

/**
 * Defines the tests of staff work: users, register, upload, fee, logs, reports, analytics, search and exports, and who is
 * refused.
 */
export function defineStaffTests(
  { call, callOk, accountBy, newCertificate }: Tester,
  { admin, superAdmin, someone }: SharedAccounts,
) {
  test('staff create an account and disable it, which ends its sessions, but cannot change staff accounts', async () => {
    const [token, superAdminToken] = [await admin(), await superAdmin()]
    const person = await accountBy(token)
    expect((await callOk('GET', `/admin/users?search=${person.email}`, { token })).users).toMatchObject([
      { id: person.id, is_enabled: true },
    ])
    await callOk('PUT', `/admin/users/${person.id}/toggle-status`, { token })
    expect((await call('GET', '/verification/history', { token: person.token })).status).toBe(401)
    expect((await call('POST', '/auth/login', { body: person })).body.code).toBe('ACCOUNT_DISABLED')
    const listed = await callOk('GET', `/admin/users?search=${person.email}&status=disabled`, { token })
    expect(listed.users).toHaveLength(1)

    const superAdminId = (await callOk('GET', '/auth/profile', { token: superAdminToken })).user.id
    for (const [callerToken, id] of [
      [token, superAdminId],
      [superAdminToken, superAdminId],
    ] as const)
      expect((await call('PUT', `/admin/users/${id}/toggle-status`, { token: callerToken })).status).toBe(403)
    expect(
      (await call('PUT', `/admin/users/${person.id}/role`, { token, body: { role: 'admin' } })).status,
    ).toBe(403)
  })

  test('a change of an account’s role applies to its next call', async () => {
    const superAdminToken = await superAdmin()
    const { id, token } = await accountBy(superAdminToken)
    expect((await call('GET', '/admin/certificates', { token })).status).toBe(403)
    await callOk('PUT', `/admin/users/${id}/role`, { token: superAdminToken, body: { role: 'admin' } })
    expect((await call('GET', '/admin/certificates', { token })).status).toBe(200)
    await callOk('PUT', `/admin/users/${id}/role`, { token: superAdminToken, body: { role: 'user' } })
    expect((await call('GET', '/admin/certificates', { token })).status).toBe(403)
  })

  test('a certificate is added, corrected, found and deleted, and cannot be deleted twice', async () => {
    const token = await admin()
    const { id, ...fields } = await newCertificate(token)
    expect((await call('POST', '/admin/certificates', { token, body: fields })).body.code).toBe(
      'CERTIFICATE_EXISTS',
    )
    await callOk('PUT', `/admin/certificates/${id}`, { token, body: { ...fields, grade: 'Pass' } })
    const searchCertificate = () =>
      callOk('GET', `/admin/certificates?search=${encodeURIComponent(fields.certificate_number)}`, { token })
    expect((await searchCertificate()).certificates).toMatchObject([{ id, grade: 'Pass' }])
    const { certificates } = await callOk(
      'GET',
      `/admin/search?q=${encodeURIComponent(fields.certificate_number)}`,
      { token },
    )
    expect(certificates).toHaveLength(1)
    await callOk('DELETE', `/admin/certificates/${id}`, { token })
    expect((await searchCertificate()).certificates).toEqual([])
  })

  test('a file of certificates is imported row by row, with a report', async () => {
    const token = await admin()
    const certificate = makeCertificate()
    const line = COLUMNS.split(',').map(
      name => Object.entries(certificate).find(([key]) => key === name)?.[1],
    )
    const file = new FormData()
    file.append('file', new File([[COLUMNS, line.join(','), 'bad,,,,,,'].join('\r\n')], 'register.csv'))
    const { upload_id, summary, report } = await callOk('POST', '/admin/certificates/upload', {
      token,
      body: file,
    })
    expect(summary).toMatchObject({ total: 2, succeeded: 1, failed: 1 })
    expect(report[0]).toMatchObject({ row: 3, status: 'failed' })
    const listed = await callOk('GET', '/admin/certificates/uploads', { token })
    expect(listed.uploads[0]).toMatchObject({ id: upload_id })
    const csv = await callOk('GET', `/admin/certificates/uploads/${upload_id}/report`, { token })
    expect(csv).toContain(certificate.certificate_number)
    const noCsv = new FormData()
    noCsv.append('file', new File([new Uint8Array([80, 75, 3, 4])], 'register.csv'))
    expect(
      (await call('POST', '/admin/certificates/upload', { token, body: noCsv })).status,
    ).toBeGreaterThanOrEqual(400)
  })

  test('a new fee is charged from then on, and appears in the history of fees', async () => {
    const [token, person] = [await admin(), await someone()]
    const path = '/admin/settings/verification-fee'
    const { settings } = await callOk('GET', path, { token })
    const previousFee: number = settings.verification_fee
    try {
      expect((await call('PUT', path, { token, body: { fee: -1 } })).body.code).toBe('VALIDATION_ERROR')
      await callOk('PUT', path, { token, body: { fee: previousFee + 250.5 } })
      expect((await callOk('GET', '/verification/settings')).verification_fee).toBe(previousFee + 250.5)
      expect((await callOk('GET', '/admin/settings/fee-history', { token })).changes[0]).toMatchObject({
        to_fee: previousFee + 250.5,
      })
      const { certificate_number } = await newCertificate(token)
      const started = await callOk('POST', '/verification/process-payment', {
        token: person.token,
        body: { certificate_number },
      })
      expect(started.amount_paid).toBe(previousFee + 250.5)
    } finally {
      await callOk('PUT', path, { token, body: { fee: previousFee } })
    }
  })

  test('logs, reports, ledger and analytics show what was done, and admins cannot see the settings of super admins', async () => {
    const [token, superAdminToken] = [await admin(), await superAdmin()]
    const { email, id } = await someone()
    const { logs } = await callOk('GET', `/admin/activity-logs?user_id=${id}`, { token })
    expect(logs).toContainEqual(expect.objectContaining({ user_email: email, activity: 'User login' }))
    const lists: Record<string, string> = {
      '/admin/authentications': 'authentications',
      '/admin/bpms/transactions': 'transactions',
      '/admin/ledger': 'entries',
      '/admin/reconciliations': 'reconciliations',
      '/notifications': 'notifications',
    }
    for (const [path, name] of Object.entries(lists))
      expect([path, await callOk('GET', path, { token })]).toMatchObject([
        path,
        { [name]: expect.any(Array) },
      ])
    const day = new Date().toISOString().slice(0, 10)
    expect(await callOk('GET', `/admin/bpms/reports?date_from=${day}&date_to=${day}`, { token })).toBeTypeOf(
      'object',
    )
    const before = (await callOk('GET', '/admin/analytics/dashboard', { token })).analytics
    await newCertificate(token)
    const after = (await callOk('GET', '/admin/analytics/dashboard', { token })).analytics
    expect(after.total_certificates).toBe(before.total_certificates + 1)
    const csv = await call('GET', '/admin/activity-logs', {
      token: superAdminToken,
      headers: { accept: 'text/csv' },
    })
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/)
    expect(csv.body).toContain('User login')
    expect((await call('GET', '/admin/settings/policies', { token })).status).toBe(403)
    expect(await callOk('GET', '/admin/settings/policies', { token: superAdminToken })).toMatchObject({
      unknown_certificates: 'free',
    })
  })
}
