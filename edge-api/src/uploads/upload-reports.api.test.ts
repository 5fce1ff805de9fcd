import { FAILED_ROWS_KEPT } from '@portal/contract/admin-uploads'
import { makeCertificate } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import { HEADER, pickFigures, setUpUploads, toCsvFile, toCsvLine } from '../../test/uploads.ts'

/* Tests the list of uploads, and the files of their reports. */

const { call, upload } = setUpUploads()

test('the template has the expected columns and file name', { tags: ['STAFF-9'] }, async () => {
  const response = await call('GET', '/admin/certificates/template')
  expect(response.body).toBe(HEADER)
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="certificate_upload_template.csv"',
  )
})

test('both lists show every upload with its author, newest first', async () => {
  const { body } = await upload(toCsvFile(makeCertificate()))
  for (const path of ['/admin/certificates/uploads', '/admin/reports/upload-history']) {
    const list = await call('GET', `${path}?per_page=1`)
    expect(list.body.pagination).toMatchObject({ page: 1, per_page: 1 })
    expect(list.body.uploads).toMatchObject([
      {
        id: body.upload_id,
        filename: 'register.csv',
        uploader_email: 'admin@demo.test',
        state: 'done',
        succeeded: 1,
      },
    ])
  }
  const one = await call('GET', `/admin/certificates/uploads/${body.upload_id}`)
  expect(one.body.upload).toMatchObject({ state: 'done', total: 1, processed: 1 })
  const none = await call('GET', `/admin/certificates/uploads/${crypto.randomUUID()}`)
  expect(none).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('the whole report can be downloaded in row order, safe to open in a spreadsheet', {
  tags: ['QUALITY-39'],
}, async () => {
  const rows = Array.from({ length: 2500 }, () => makeCertificate())
  const lines = rows.map((row, index) => (index % 100 === 7 ? '=cmd|x,,,,,,' : toCsvLine(row)))
  const { body } = await upload([HEADER, ...lines].join('\r\n'))
  expect(body).toMatchObject({ summary: { total: 2500, failed: 25 }, outcomes: { created: 2475 } })
  expect(body.report).toHaveLength(1000)
  const file = await call('GET', `/admin/certificates/uploads/${body.upload_id}/report`)
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="certificate_upload_report.csv"')
  const [header, ...kept] = file.body.trim().split('\r\n')
  expect(header).toBe('row,certificate_number,status,error,outcome,changes,warning')
  expect(kept.map((item: string) => Number(item.split(',')[0]))).toEqual(rows.map((_, index) => index + 2))
  expect(kept[7]).toMatch("9,'=cmd|x,failed")
})

test('the failed rows can be downloaded unchanged, and succeed once corrected', async () => {
  const fields = makeCertificate({ graduation_date: '2019-02-31' })
  const { body } = await upload(toCsvFile(fields, makeCertificate()))
  const file = await call('GET', `/admin/certificates/uploads/${body.upload_id}/report?rows=failed`)
  expect(file.body).toContain(fields.certificate_number)
  const secondUpload = await upload(file.body.replace('2019-02-31', '2019-02-28'))
  expect(pickFigures(secondUpload)).toMatchObject({ total: 1, created: 1 })
})

test('the failed rows that an update would accept can be downloaded separately, and update the register', async () => {
  const [conflict, bad] = [makeCertificate(), makeCertificate({ graduation_date: '2019-02-31' })]
  await upload(toCsvFile(conflict))
  const { body } = await upload(toCsvFile({ ...conflict, grade: 'Other' }, bad, makeCertificate()))
  expect(body.summary).toMatchObject({ total: 3, failed: 2 })
  const file = await call('GET', `/admin/certificates/uploads/${body.upload_id}/report?rows=conflicts`)
  expect(file.headers.get('content-disposition')).toBe(
    'attachment; filename="certificate_upload_failed_rows.csv"',
  )
  expect(file.body).not.toContain(bad.certificate_number)
  const secondUpload = await upload(file.body, { query: '?on_conflict=update' })
  expect(pickFigures(secondUpload)).toMatchObject({ total: 1, updated: 1 })
})

test('failed rows beyond the first 2,000 are reported with reasons but without values', {
  tags: ['DATA-21'],
}, async () => {
  // A reason is only stored if it differs from the previous one (`import-store.ts`).
  const isBad = (at: number) => at % 5 < 3
  const rows = Array.from({ length: FAILED_ROWS_KEPT + 20 }, (_, index) => ({
    number: isBad(index) ? `bad ${index}` : `UG/2001/${index + 10_000}`,
    course: isBad(index) ? 'Law' : '',
    error: isBad(index) ? 'Please enter a valid certificate number.' : 'Course is required',
  }))
  const lines = rows.map(({ number, course }) => `${number},Ada Obi,,${course},2019-07-07,Pass,Law`)
  const { body } = await upload([HEADER, ...lines].join('\n'))
  expect(body.summary).toEqual({ total: rows.length, succeeded: 0, failed: rows.length })
  const path = `/admin/certificates/uploads/${body.upload_id}/report`
  const [, ...report] = (await call('GET', path)).body.trim().split('\r\n')
  expect(report).toEqual(
    rows.map(({ number, error }, index) => `${index + 2},${number},failed,${error},failed,,`),
  )
  const [, ...failed] = (await call('GET', `${path}?rows=failed`)).body.trim().split('\r\n')
  expect(failed[FAILED_ROWS_KEPT - 1]).toMatch(/^UG\/2001\/11999,Ada Obi,/)
  expect(failed[FAILED_ROWS_KEPT]).toMatch(/^bad 2000,,,.*please correct row 2002 in the uploaded file/)
})
