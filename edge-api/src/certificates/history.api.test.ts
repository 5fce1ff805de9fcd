import { certificateFields } from '@portal/contract/admin-certificates'
import type { Certificate } from '@portal/contract/shapes'
import { makeCertificate } from '@portal/fixtures/factories'
import { beforeAll, describe, expect, test } from 'vitest'
import { newLetter } from '../../test/letter.ts'
import { newCertificate, request, staffToken } from '../../test/portal.ts'
import { setUpUploads, toCsvFile } from '../../test/uploads.ts'

const { upload: uploadFile } = setUpUploads()

let token: string
beforeAll(async () => {
  token = await staffToken('admin')
})

type Body = ReturnType<typeof makeCertificate>
const put = (id: string, body: Body, version?: string) =>
  request('PUT', `/admin/certificates/${id}`, {
    token,
    body,
    ...(version !== undefined && { headers: { 'if-match': version } }),
  })
const historyOf = async (id: string) =>
  (await request('GET', `/admin/certificates/${id}/history`, { token })).body.changes
const fieldsOf = ({ certificate_number }: { certificate_number: string }, grade: string) =>
  makeCertificate({ certificate_number, grade })
const inputOf = (stored: Certificate) => certificateFields.parse(stored)
const CONFLICT = { status: 412, body: { code: 'VERSION_CONFLICT' } }

describe('If-Match', () => {
  test('refuses the second of two forms that save the same version, and writes nothing', {
    tags: ['REGISTER-1'],
  }, async () => {
    const stored = await newCertificate()
    expect(await put(stored.id, fieldsOf(stored, 'Pass'), '"1"')).toMatchObject({
      status: 200,
      body: { certificate: { version: 2 } },
    })
    expect(await put(stored.id, fieldsOf(stored, 'Third Class'), '"1"')).toMatchObject(CONFLICT)
    expect(await historyOf(stored.id)).toHaveLength(2)
    const response = await request('GET', `/admin/certificates/${stored.id}`, { token })
    expect(response.headers.get('etag')).toBe('"2"')
    expect(response.body.certificate).toMatchObject({ grade: 'Pass', version: 2, state: 'current' })
  })

  test('accepts exactly one of 100 parallel changes', { tags: ['REGISTER-2'] }, async () => {
    const stored = await newCertificate()
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => put(stored.id, fieldsOf(stored, `Grade ${index}`), '"1"')),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 99 }, () => 412)])
    expect(await historyOf(stored.id)).toHaveLength(2)
  })

  test('is not required, but a change without it makes a form that was already open fail', {
    tags: ['REGISTER-3'],
  }, async () => {
    const stored = await newCertificate()
    expect(await put(stored.id, fieldsOf(stored, 'Pass'))).toMatchObject({ status: 200 })
    expect(await put(stored.id, fieldsOf(stored, 'Third Class'), '"1"')).toMatchObject(CONFLICT)
    expect(await put(stored.id, fieldsOf(stored, 'Third Class'), '*')).toMatchObject({ status: 200 })
    expect(await put(stored.id, fieldsOf(stored, 'Pass'), '"1", "3"')).toMatchObject({ status: 200 })
  })

  test('is refused if it is malformed', { tags: ['REGISTER-4'] }, async () => {
    const stored = await newCertificate()
    const response = await put(stored.id, fieldsOf(stored, 'Pass'), '1')
    expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(Object.keys(response.body.fields)).toEqual(['If-Match'])
    expect(await put(stored.id, fieldsOf(stored, 'Pass'), 'W/"1"')).toMatchObject(CONFLICT)
  })

  test('refuses a deletion based on an old version', { tags: ['REGISTER-6'] }, async () => {
    const stored = await newCertificate()
    await put(stored.id, fieldsOf(stored, 'Pass'))
    const path = `/admin/certificates/${stored.id}`
    expect(await request('DELETE', path, { token, headers: { 'if-match': '"1"' } })).toMatchObject(CONFLICT)
    expect(await request('DELETE', path, { token, headers: { 'if-match': '"2"' } })).toMatchObject({
      status: 200,
    })
  })

  test('refuses a form that was opened before an upload updated the certificate', {
    tags: ['REGISTER-9'],
  }, async () => {
    const stored = await newCertificate()
    const file = toCsvFile({ ...inputOf(stored), grade: 'Upgraded' })
    const sent = await uploadFile(file, { query: '?on_conflict=update', name: 'corrections.csv' })
    expect(sent).toMatchObject({ status: 201, body: { summary: { succeeded: 1 } } })
    expect(await put(stored.id, fieldsOf(stored, 'Pass'), '"1"')).toMatchObject(CONFLICT)
    expect(await historyOf(stored.id)).toMatchObject([
      {
        version: 2,
        action: 'updated',
        source: { kind: 'upload', id: sent.body.upload_id, label: 'corrections.csv' },
        changes: [{ field: 'grade', from: stored.grade, to: 'Upgraded' }],
      },
      { version: 1, action: 'created' },
    ])
  })
})

describe('history', () => {
  test('lists each change with actor, reason, and old and new values, while the activity log has only field names', async () => {
    const stored = await newCertificate({ grade: 'Pass' })
    const { id } = stored
    const body = { ...inputOf(stored), grade: 'Second Class', reason: 'Senate decision 12' }
    await request('PUT', `/admin/certificates/${id}`, { token, body })
    expect(await historyOf(id)).toMatchObject([
      {
        version: 2,
        action: 'updated',
        actor: { email: 'admin@demo.test' },
        source: { kind: 'form', id: null, label: null },
        reason: 'Senate decision 12',
        changes: [{ field: 'grade', from: 'Pass', to: 'Second Class' }],
      },
      { version: 1, action: 'created', reason: null },
    ])
    const path = `/admin/activity-logs?search=${encodeURIComponent(stored.certificate_number)}`
    const { body: logs } = await request('GET', path, { token })
    expect(logs.logs[0].details).toMatch(
      new RegExp(`^${stored.certificate_number}: grade; version 2; [0-9a-f]{32}$`),
    )
  })

  test('has the old and new value of every field, even if it is cleared or not in ASCII', async () => {
    const before = makeCertificate({ matric_number: 'MAT/Ẹ̀KÓ 7', student_name: 'Adébáyọ̀ Ọláṣẹ́ńí' })
    const { id, ...stored } = await newCertificate(before)
    const after = {
      ...makeCertificate(),
      matric_number: null,
      student_name: 'Ńgọ́zí “O’Brien” Ẹ̀bùn',
      course: 'B.Sc. Économie & Droit',
      department: 'Ìmọ̀ Èdè',
      grade: 'Première classe – 1',
      graduation_date: '2011-11-11',
    }
    const putVersion = (body: object, version: number) =>
      request('PUT', `/admin/certificates/${id}`, { token, body, headers: { 'if-match': `"${version}"` } })
    const first = await putVersion(after, 1)
    expect(first).toMatchObject({ status: 200 })
    const saved = first.body
    expect(await putVersion(certificateFields.parse({ ...stored, id }), 2)).toMatchObject({ status: 200 })
    const [revertChange, change] = await historyOf(id)
    const fields = Object.keys(certificateFields.shape)
    expect(change.changes.map(({ field }: { field: string }) => field).sort()).toEqual([...fields].sort())
    for (const { field, from, to } of change.changes) {
      expect([field, from, to]).toEqual([field, stored[field as 'grade'], saved.certificate[field]])
      expect(revertChange.changes).toContainEqual({ field, from: to, to: from })
    }
    expect(change.changes).toContainEqual({ field: 'matric_number', from: stored.matric_number, to: null })
    expect(change.changes).toContainEqual(
      expect.objectContaining({ field: 'student_name', to: after.student_name }),
    )
    const path = `/admin/register-changes?search=${encodeURIComponent(after.certificate_number)}`
    const { body: file } = await request('GET', path, { token, headers: { accept: 'text/csv' } })
    expect(file).toContain(after.student_name)
    expect(file).toMatch(/,matric_number,MAT[^,\r\n]*7,,/)
  })

  test('saving identical content changes neither version nor letters, and writes nothing', {
    tags: ['REGISTER-5'],
  }, async () => {
    const body = makeCertificate()
    const stored = await newCertificate(body)
    const { code } = await newLetter(stored)
    const response = await put(stored.id, body)
    expect(response).toMatchObject({ status: 200, body: { certificate: { version: 1 } } })
    expect(response.headers.get('etag')).toBe('"1"')
    expect(await historyOf(stored.id)).toHaveLength(1)
    expect((await request('GET', `/letters/${code}`)).body.status).toBe('valid')
    await put(stored.id, { ...body, grade: 'Pass' })
    expect((await request('GET', `/letters/${code}`)).body.status).not.toBe('valid')
  })

  test('a change refused because the number is taken does not change the version', {
    tags: ['REGISTER-8'],
  }, async () => {
    const [certificate, other] = [await newCertificate(), await newCertificate()]
    expect(await put(certificate.id, fieldsOf(other, 'Pass'), '"1"')).toMatchObject({ status: 409 })
    expect(
      (await request('GET', `/admin/certificates/${certificate.id}`, { token })).body.certificate.version,
    ).toBe(1)
  })

  test('deleting, restoring and deleting again are three changes', { tags: ['REGISTER-12'] }, async () => {
    const { id } = await newCertificate()
    const path = `/admin/certificates/${id}`
    await request('DELETE', `${path}?reason=Twice`, { token })
    await request('POST', `${path}/restore`, { token, body: { reason: 'By mistake' } })
    await request('DELETE', path, { token })
    expect(await historyOf(id)).toMatchObject([
      { version: 4, action: 'deleted', reason: null },
      { version: 3, action: 'restored', reason: 'By mistake' },
      { version: 2, action: 'deleted', reason: 'Twice' },
      { version: 1, action: 'created' },
    ])
    const { body } = await request('GET', path, { token })
    expect(body.certificate).toMatchObject({ state: 'deleted', deleted_by: 'admin@demo.test' })
    const days = Date.parse(body.certificate.purge_on) - Date.parse(body.certificate.deleted_at)
    expect(Math.ceil(days / 86_400_000)).toBe(90)
  })

  test('returns HTML as it was entered', { tags: ['REGISTER-31'] }, async () => {
    const stored = await newCertificate()
    await put(stored.id, fieldsOf(stored, '<b>Pass</b>'))
    const [change] = await historyOf(stored.id)
    expect(change.changes).toContainEqual({ field: 'grade', from: stored.grade, to: '<b>Pass</b>' })
  })
})
