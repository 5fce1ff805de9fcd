import { registerSorts } from '@portal/contract/register-filters'
import { makeCertificate } from '@portal/fixtures/factories'
import { beforeAll, describe, expect, test } from 'vitest'
import { newCertificate, request, staffToken } from '../../test/portal.ts'
import { setUpUploads, toCsvFile } from '../../test/uploads.ts'

const { upload } = setUpUploads()
let token: string
/** A department that no other test uses, so that this file's certificates can be told apart. */
const department = `Sorting, 100% ${crypto.randomUUID()}`
beforeAll(async () => {
  token = await staffToken('admin')
})

const path = (query: Record<string, string>) => `/admin/certificates?${new URLSearchParams(query)}`
const get = (query: Record<string, string>) => request('GET', path(query), { token })
const namesIn = async (query: Record<string, string>) =>
  (await get(query)).body.certificates.map((row: { student_name: string }) => row.student_name)

describe('GET /admin/certificates', () => {
  test('sorts names without regard to case and diacritics, and equal names newest first', {
    tags: ['REGISTER-24'],
  }, async () => {
    for (const [student_name, graduation_date] of [
      ['Zainab Musa', '2019-07-01'],
      ['ábiọ́dún Ọjọ́', '2020-07-01'],
      ['Abiodun Aina', '2020-07-01'],
      ['bello Sani', '2018-07-01'],
    ] as const)
      await newCertificate({ student_name, graduation_date, department })
    const byName = ['Abiodun Aina', 'ábiọ́dún Ọjọ́', 'bello Sani', 'Zainab Musa']
    expect(await namesIn({ department, sort: 'student_name' })).toEqual(byName)
    expect(await namesIn({ department, sort: '-student_name' })).toEqual(byName.toReversed())
    expect(await namesIn({ department, sort: '-graduation_date' })).toEqual([
      'Abiodun Aina',
      'ábiọ́dún Ọjọ́',
      'Zainab Musa',
      'bello Sani',
    ])
    expect(await namesIn({ department })).toEqual([
      'bello Sani',
      'Abiodun Aina',
      'ábiọ́dún Ọjọ́',
      'Zainab Musa',
    ])
    const rows = []
    for (const page of ['1', '2', '3', '4'])
      rows.push(...(await namesIn({ department, sort: 'student_name', per_page: '1', page })))
    expect(rows).toEqual(byName)
  })

  test('lists certificates with the same name newest first, regardless of course', {
    tags: ['REGISTER-24'],
  }, async () => {
    const student_name = `Ngozi ${makeCertificate().student_name}`
    const newCertificateOfCourse = (course: string) =>
      newCertificate({ student_name, course, department: 'One name' })
    const [first, second, third] = [
      await newCertificateOfCourse('Botany'),
      await newCertificateOfCourse('Zoology'),
      await newCertificateOfCourse('Anatomy'),
    ]
    for (const sort of ['student_name', '-student_name']) {
      const query = { department: 'One name', search: student_name, sort }
      expect((await get(query)).body.certificates).toMatchObject([third, second, first])
      const file = await request('GET', path(query), { token, headers: { accept: 'text/csv' } })
      expect(file.body.match(/Botany|Zoology|Anatomy/g)).toEqual(['Anatomy', 'Zoology', 'Botany'])
    }
  })

  test('combines filters with AND, ignores empty ones, and refuses invalid ones', {
    tags: ['REGISTER-25'],
  }, async () => {
    const grade = `Grade, 50%_${crypto.randomUUID()}`
    const certificate = await newCertificate({ department, grade, graduation_date: '2015-03-02' })
    const ids = async (query: Record<string, string>) =>
      (await get(query)).body.certificates.map((row: { id: string }) => row.id)
    expect(await ids({ grade, department, course: '' })).toEqual([certificate.id])
    expect(await ids({ grade, course: 'x'.repeat(500) })).toEqual([])
    expect(await ids({ grade, graduated_from: '2015-03-02', graduated_to: '2015-03-02' })).toEqual([
      certificate.id,
    ])
    expect(await ids({ grade, graduated_from: '2015-03-03' })).toEqual([])
    const today = certificate.uploaded_at.slice(0, 10)
    expect(await ids({ grade, uploaded_from: today, uploaded_to: today, letters: 'without' })).toEqual([
      certificate.id,
    ])
    expect(await ids({ grade, letters: 'with' })).toEqual([])
    for (const uploader of ['admin@demo.test', 'Admin@Demo.Test'])
      expect(await ids({ grade, uploader })).toEqual([certificate.id])
    expect(await ids({ grade, uploader: 'super@demo.test' })).toEqual([])
    expect(await ids({ grade, search: certificate.student_name })).toEqual([certificate.id])
    for (const query of [
      { sort: 'grade' },
      { letters: 'some' },
      { graduated_from: '31/02/2015' },
      { course: 'x'.repeat(501) },
    ])
      expect(await get(query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  test('finds two certificates by the beginning of their matric number, in upper or lower case', {
    tags: ['REGISTER-27'],
  }, async () => {
    const matric_number = `Q${crypto.randomUUID().slice(0, 8)}/7`
    const [first, second] = [await newCertificate({ matric_number }), await newCertificate({ matric_number })]
    for (const search of [matric_number.toLowerCase(), matric_number.slice(0, 6).toUpperCase()])
      expect((await get({ search })).body).toMatchObject({
        certificates: [{ id: second.id }, { id: first.id }],
        pagination: { total: 2 },
      })
    const { body } = await get({ search: matric_number.slice(0, 2), per_page: '100' })
    expect(body.certificates.map((row: { id: string }) => row.id)).toContain(first.id)
  })

  test('finds matric numbers with letters other than A to Z in either case, including deleted ones', {
    tags: ['REGISTER-27'],
  }, async () => {
    const uniqueText = crypto.randomUUID().slice(0, 8)
    const [capital, small] = [
      await newCertificate({ matric_number: `Ẹ̀KÓ ${uniqueText}/1` }),
      await newCertificate({ matric_number: `ẹ̀kó ${uniqueText}/2` }),
    ]
    const searches = [
      `Ẹ̀KÓ ${uniqueText}`,
      `ẹ̀kó  ${uniqueText}`,
      `ẹ̀kó ${uniqueText.toUpperCase()}`.normalize('NFD'),
    ]
    for (const search of searches)
      expect((await get({ search })).body).toMatchObject({
        certificates: [{ id: small.id }, { id: capital.id }],
        pagination: { total: 2 },
      })
    for (const { id } of [capital, small]) await request('DELETE', `/admin/certificates/${id}`, { token })
    for (const search of searches)
      expect((await get({ search, state: 'deleted' })).body.pagination).toMatchObject({ total: 2 })
  })

  test('an export has the rows of all pages in their order, with any filters and sort', {
    tags: ['REGISTER-24', 'REGISTER-25'],
  }, async () => {
    const ownDepartment = `Pages, 50% ${crypto.randomUUID()}`
    const uniqueName = `Mark${crypto.randomUUID().slice(0, 6)}`
    for (const digit of [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5])
      await newCertificate({
        department: ownDepartment,
        student_name: `${digit % 2 ? 'ọmọ' : 'Omo'} ${uniqueName} ${digit % 3}`,
        grade: digit > 3 ? 'Pass' : 'Merit',
        graduation_date: `20${10 + digit}-07-0${digit}`,
      })
    const { body } = await get({ department: ownDepartment, per_page: '2' })
    for (const { id } of body.certificates) await request('DELETE', `/admin/certificates/${id}`, { token })
    const filters: Record<string, string>[] = [
      { department: ownDepartment },
      { department: ownDepartment, grade: 'Pass' },
      { department: ownDepartment, search: uniqueName.toLowerCase() },
      {
        department: ownDepartment,
        search: `omo ${uniqueName}`,
        letters: 'without',
        graduated_from: '2013-01-01',
      },
      { department: ownDepartment, state: 'deleted' },
      { search: uniqueName, uploader: 'admin@demo.test' },
    ]
    for (const filter of filters)
      for (const sort of registerSorts) {
        const paged: string[] = []
        for (let page = 1, pages = 1; page <= pages; page++) {
          const { body: listPage } = await get({ ...filter, sort, page: String(page), per_page: '2' })
          paged.push(...listPage.certificates.map((row: { id: string }) => row.id))
          pages = listPage.pagination.pages
        }
        const file = await request('GET', path({ ...filter, sort, page: '2' }), {
          token,
          headers: { accept: 'text/csv' },
        })
        const exported = file.body.trim().split('\r\n').slice(1)
        const ids = exported.map((line: string) => line.match(/[0-9a-f-]{36}(?=,)/g)?.at(-1))
        expect([filter, sort, ids]).toEqual([filter, sort, paged])
        expect(paged.length).toBeGreaterThan(1)
      }
  })

  test('lists deleted certificates with the time, the person who deleted them and the deadline for restoring them', async () => {
    const { id, certificate_number: search } = await newCertificate()
    await request('DELETE', `/admin/certificates/${id}`, { token })
    expect((await get({ search })).body.certificates).toEqual([])
    const { body } = await get({ search, state: 'deleted' })
    expect(body.certificates).toMatchObject([{ id, version: 2, deleted_by: 'admin@demo.test' }])
    expect(body.certificates[0].purge_on > body.certificates[0].deleted_at).toBe(true)
  })

  test('filters by upload', async () => {
    const sent = await upload(toCsvFile(makeCertificate(), makeCertificate()))
    const { body } = await get({ upload_id: sent.body.upload_id })
    expect(body.pagination.total).toBe(2)
    const { body: detail } = await request('GET', `/admin/certificates/${body.certificates[0].id}`, { token })
    expect(detail.upload).toMatchObject({ id: sent.body.upload_id, filename: 'register.csv' })
  })

  test('uploading an exported file leaves every row unchanged, and the log contains the filters of the export', {
    tags: ['REGISTER-23'],
  }, async () => {
    const course = `=1+1 "quoted", ${crypto.randomUUID()}`
    await newCertificate({ course, student_name: '-Dash Name' })
    await newCertificate({ course, grade: '@Grade' })
    await newCertificate({ course, matric_number: "'=2" })
    const exported = await request('GET', path({ course, sort: 'student_name' }), {
      token,
      headers: { accept: 'text/csv' },
    })
    expect(exported.headers.get('content-disposition')).toMatch(
      /filename="certificates_\d{4}-\d\d-\d\d\.csv"/,
    )
    expect(exported.body).toContain("'=1+1")
    const sent = await upload(exported.body, { query: '?on_conflict=update' })
    expect(sent.body).toMatchObject({ outcomes: { created: 0, updated: 0, unchanged: 3 } })
    const { body } = await request('GET', '/admin/activity-logs?search=Certificates%20exported', { token })
    expect(body.logs[0].details).toBe(`course: ${course}, sort: student_name`)
  })
})

test('GET /admin/certificates/facets counts each value, and lists the most frequent first', async () => {
  const { status, body } = await request('GET', '/admin/certificates/facets', { token })
  expect(status).toBe(200)
  for (const values of [body.departments, body.courses, body.grades]) {
    const counts = values.map(({ count }: { count: number }) => count)
    expect(counts.length).toBeGreaterThan(0)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
  }
})
