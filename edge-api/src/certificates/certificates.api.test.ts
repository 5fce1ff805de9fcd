import { makeCertificate } from '@portal/fixtures/factories'
import { beforeAll, describe, expect, test } from 'vitest'
import { newAccount, newCertificate, request, staffToken } from '../../test/portal.ts'

let token: string
beforeAll(async () => {
  token = await staffToken('admin')
})

describe('POST /admin/certificates', () => {
  test('adds a certificate, upper-casing and trimming its number', async () => {
    const fields = makeCertificate()
    const body = { ...fields, certificate_number: ` ${fields.certificate_number.toLowerCase()} ` }
    const response = await request('POST', '/admin/certificates', { token, body })
    expect(response.status).toBe(201)
    expect(response.body.certificate).toMatchObject({ ...fields, uploader_email: 'admin@demo.test' })
  })

  test('refuses a number that is taken', async () => {
    const { certificate_number } = await newCertificate()
    const body = makeCertificate({ certificate_number })
    const response = await request('POST', '/admin/certificates', { token, body })
    expect(response).toMatchObject({ status: 409, body: { code: 'CERTIFICATE_EXISTS' } })
  })

  test('reports every invalid field', { tags: ['STAFF-8'] }, async () => {
    const response = await request('POST', '/admin/certificates', {
      token,
      body: { certificate_number: 'X', graduation_date: '31/02/2020' },
    })
    expect(response.status).toBe(400)
    expect(response.body.fields).toEqual({
      certificate_number: 'Please enter a valid certificate number.',
      student_name: 'Student name is required',
      course: 'Course is required',
      graduation_date: 'Please enter a date as YYYY-MM-DD.',
      grade: 'Grade is required',
      department: 'Department is required',
    })
  })

  test('is for staff only', async () => {
    const { token: user } = await newAccount()
    const body = makeCertificate()
    expect(await request('POST', '/admin/certificates', { body })).toMatchObject({ status: 401 })
    expect(await request('POST', '/admin/certificates', { token: user, body })).toMatchObject({ status: 403 })
  })
})

describe('GET /admin/certificates', () => {
  test('finds by number, name and course, and treats wildcards literally', {
    tags: ['STAFF-7'],
  }, async () => {
    const certificate = await newCertificate({
      student_name: 'Zẹ̀bùlónì 100% Ọ̀kán',
      course: 'B.A. Cartography_x',
    })
    for (const search of [certificate.certificate_number.slice(2), 'bùlónì 100%', 'Cartography_x']) {
      const response = await request('GET', `/admin/certificates?search=${encodeURIComponent(search)}`, {
        token,
      })
      expect(response.body.certificates.map((row: { id: string }) => row.id)).toContain(certificate.id)
    }
    const none = await request('GET', '/admin/certificates?search=Cartography%25x', { token })
    expect(none.body).toMatchObject({ certificates: [], pagination: { total: 0, pages: 1, has_next: false } })
  })

  test('returns pages, newest certificates first', async () => {
    const newest = await newCertificate()
    const first = await request('GET', '/admin/certificates?per_page=1', { token })
    expect(first.body.certificates).toHaveLength(1)
    expect(first.body.certificates[0].uploaded_at >= newest.uploaded_at).toBe(true)
    expect(first.body.pagination).toMatchObject({ page: 1, per_page: 1, has_prev: false, has_next: true })
  })

  test('refuses a page size beyond 100', async () => {
    const response = await request('GET', '/admin/certificates?per_page=101', { token })
    expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })
})

describe('PUT /admin/certificates/{id}', () => {
  test('corrects a certificate', async () => {
    const { id, certificate_number } = await newCertificate()
    const body = makeCertificate({ certificate_number, student_name: 'Corrected Name' })
    const response = await request('PUT', `/admin/certificates/${id}`, { token, body })
    expect(response).toMatchObject({
      status: 200,
      body: { certificate: { id, student_name: 'Corrected Name' } },
    })
  })

  test('refuses the number of another certificate, and an unknown ID', async () => {
    const certificate = await newCertificate()
    const other = await newCertificate()
    const taken = makeCertificate({ certificate_number: other.certificate_number })
    expect(
      await request('PUT', `/admin/certificates/${certificate.id}`, { token, body: taken }),
    ).toMatchObject({
      status: 409,
      body: { code: 'CERTIFICATE_EXISTS' },
    })
    expect(
      await request('PUT', `/admin/certificates/${crypto.randomUUID()}`, { token, body: makeCertificate() }),
    ).toMatchObject({ status: 404, body: { code: 'CERTIFICATE_NOT_FOUND' } })
  })
})

describe('DELETE /admin/certificates/{id}', () => {
  test('deletes a certificate once, after which its number can be used again', {
    tags: ['STAFF-7'],
  }, async () => {
    const { id, certificate_number } = await newCertificate()
    expect(await request('DELETE', `/admin/certificates/${id}`, { token })).toMatchObject({
      status: 200,
      body: { message: 'Certificate deleted.' },
    })
    expect(await request('DELETE', `/admin/certificates/${id}`, { token })).toMatchObject({
      status: 404,
      body: { code: 'CERTIFICATE_NOT_FOUND' },
    })
    expect(await newCertificate({ certificate_number })).toMatchObject({ certificate_number })
  })
})

describe('POST /admin/certificates/{id}/restore', () => {
  const restore = (id: string) => request('POST', `/admin/certificates/${id}/restore`, { token })

  test('restores a deleted certificate once, to its former place in the list and to the search', {
    tags: ['STAFF-20'],
  }, async () => {
    const { id, certificate_number, student_name, uploaded_at } = await newCertificate()
    const newer = await newCertificate()
    await request('DELETE', `/admin/certificates/${id}`, { token })
    const search = `/admin/certificates?search=${encodeURIComponent(certificate_number)}`
    expect((await request('GET', search, { token })).body.certificates).toEqual([])
    expect(await restore(id)).toMatchObject({
      status: 200,
      body: { message: 'Certificate restored.', certificate: { id, student_name, uploaded_at } },
    })
    expect((await request('GET', search, { token })).body.certificates).toMatchObject([{ id }])
    const { body } = await request('GET', '/admin/certificates?per_page=2', { token })
    expect(body.certificates.map((row: { id: string }) => row.id)).toEqual([newer.id, id])
    expect(await restore(id)).toMatchObject({ status: 404, body: { code: 'CERTIFICATE_NOT_FOUND' } })
  })

  test('refuses to restore a certificate whose number another certificate now has, and an unknown ID', {
    tags: ['REGISTER-10'],
  }, async () => {
    const { id, certificate_number } = await newCertificate()
    await request('DELETE', `/admin/certificates/${id}`, { token })
    await newCertificate({ certificate_number })
    expect(await restore(id)).toMatchObject({ status: 409, body: { code: 'CERTIFICATE_EXISTS' } })
    expect(await restore(crypto.randomUUID())).toMatchObject({ status: 404 })
  })
})
