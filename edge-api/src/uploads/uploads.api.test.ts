import type { ReportRow } from '@portal/contract/admin-uploads'
import { unusualGradeWarning } from '@portal/contract/upload-warnings'
import { makeCertificate } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import { newLetter } from '../../test/letter.ts'
import { newAccount, newCertificate, request } from '../../test/portal.ts'
import { type Fields, HEADER, pickFigures, setUpUploads, toCsvFile, toCsvLine } from '../../test/uploads.ts'

/* Tests the effects of an upload on the register. */

const { call, findCertificates, upload } = setUpUploads()

test('adds new rows, and reports the outcome of each row, failed ones first', {
  tags: ['STAFF-9'],
}, async () => {
  const [one, two] = [makeCertificate(), makeCertificate({ student_name: 'Ọbáfẹ́mi "Femi", Jr.' })]
  const response = await upload(`${toCsvFile(one, two)}\nbad,,,,,,\n\n`)
  expect(response.status).toBe(201)
  expect(response.body.summary).toEqual({ total: 3, succeeded: 2, failed: 1 })
  expect(response.body.outcomes).toEqual({ created: 2, updated: 0, unchanged: 0 })
  expect(response.body.report).toEqual([
    {
      row: 4,
      certificate_number: 'bad',
      status: 'failed',
      error:
        'Please enter a valid certificate number. Student name is required. Course is required. Graduation date is required. Grade is required. Department is required.',
    },
    { row: 2, certificate_number: one.certificate_number, status: 'success' },
    { row: 3, certificate_number: two.certificate_number, status: 'success' },
  ])
  expect(await findCertificates(two.certificate_number)).toMatchObject([
    { ...two, uploader_email: 'admin@demo.test' },
  ])
})

test('changes nothing if the same file is uploaded again', { tags: ['QUALITY-38'] }, async () => {
  const content = toCsvFile(makeCertificate(), makeCertificate())
  await upload(content)
  expect(pickFigures(await upload(content))).toMatchObject({
    succeeded: 2,
    created: 0,
    unchanged: 2,
    failed: 0,
  })
})

test('an existing number with other content fails unless updates were requested', async () => {
  const certificate = await newCertificate({ grade: 'Pass' })
  const { id: _, uploader_email: __, uploaded_at: ___, ...fields } = certificate
  const content = toCsvFile({ ...fields, grade: 'First Class' })
  const refused = await upload(content)
  expect(refused.body.report[0]).toMatchObject({
    status: 'failed',
    error: 'On record with different content: Grade: Pass → First Class',
  })
  const tried = await upload(content, { query: '?on_conflict=update&dry_run=true' })
  expect(tried.body).toMatchObject({ dry_run: true, outcomes: { updated: 1 } })
  expect(await findCertificates(certificate.certificate_number)).toMatchObject([{ grade: 'Pass' }])
  const updated = await upload(content, { query: '?on_conflict=update' })
  expect(updated.body.report[0]).toMatchObject({ outcome: 'updated', changes: 'Grade: Pass → First Class' })
  expect(await findCertificates(certificate.certificate_number)).toMatchObject([
    { id: certificate.id, grade: 'First Class' },
  ])
})

test('an updated certificate is found by its new content, and not by the old', async () => {
  const one = makeCertificate({ student_name: 'Abimbola Quillfeather' })
  await upload(toCsvFile(one))
  await upload(toCsvFile({ ...one, student_name: 'Abimbola Zwingmann' }), { query: '?on_conflict=update' })
  expect(await findCertificates('Quillfeather')).toEqual([])
  expect(await findCertificates('zwingmann')).toMatchObject([{ certificate_number: one.certificate_number }])
})

test('if a number is twice in a file, the same row again is unchanged, and other content fails', async () => {
  const one = makeCertificate()
  for (const query of ['?dry_run=true&on_conflict=update', '?on_conflict=update']) {
    const response = await upload(toCsvFile(one, one, { ...one, student_name: 'Other' }), { query })
    expect(response.body.report.map((row: ReportRow) => [row.row, row.outcome, row.error])).toEqual([
      [
        4,
        undefined,
        'Row 2 has the same certificate number with different content. Please keep the correct row only.',
      ],
      [2, undefined, undefined],
      [3, 'unchanged', undefined],
    ])
  }
})

test('the same file uploaded several times in parallel adds each number once', {
  tags: ['DATA-20'],
}, async () => {
  const content = toCsvFile(...Array.from({ length: 3000 }, () => makeCertificate()))
  const responses = (await Promise.all([1, 2, 3].map(() => upload(content)))).map(pickFigures)
  const sum = (key: 'created' | 'unchanged' | 'failed') =>
    responses.reduce((total, figures) => total + figures[key], 0)
  expect([sum('created'), sum('unchanged'), sum('failed')]).toEqual([3000, 6000, 0])
})

test('a dry run changes nothing', async () => {
  const one = makeCertificate()
  const response = await upload(toCsvFile(one), { query: '?dry_run=true' })
  expect(pickFigures(response)).toMatchObject({ status: 201, created: 1 })
  expect(await findCertificates(one.certificate_number)).toEqual([])
})

test('a dry run warns of numbers that differ from those on record only in their separators', async () => {
  const { certificate_number: knownNumber } = await newCertificate()
  const dashedNumber = knownNumber.replaceAll('/', '-')
  const plain = makeCertificate()
  const digits = String(Math.random()).slice(2, 12)
  const content = toCsvFile(
    plain,
    makeCertificate({ certificate_number: dashedNumber }),
    makeCertificate({ certificate_number: `UG-1971-${digits}` }),
  )
  const { body } = await upload(content, { query: '?dry_run=true' })
  expect(body.report).toEqual([
    expect.objectContaining({ row: 3, warning: expect.stringContaining(`On record as ${knownNumber}, `) }),
    expect.objectContaining({
      row: 4,
      warning: expect.stringContaining(`Usually printed as UG/1971/${digits}.`),
    }),
    { row: 2, certificate_number: plain.certificate_number, status: 'success' },
  ])
  const saved = await call('GET', `/admin/certificates/uploads/${body.upload_id}/report`)
  expect(String(saved.body).split('\n')[2]).toContain(`On record as ${knownNumber}`)
  const { body: imported } = await upload(content)
  expect(imported.report.map(({ warning }: ReportRow) => warning)).toEqual([undefined, undefined, undefined])
})

test('a dry run warns about grades that no certificate in the register has', async () => {
  const [usual, misspelt] = [makeCertificate(), makeCertificate({ grade: 'Frist Class Honours' })]
  const { body } = await upload(toCsvFile(usual, misspelt), { query: '?dry_run=true' })
  expect(body.report).toEqual([
    {
      row: 3,
      certificate_number: misspelt.certificate_number,
      status: 'success',
      warning: unusualGradeWarning('Frist Class Honours'),
    },
    { row: 2, certificate_number: usual.certificate_number, status: 'success' },
  ])
})

test('sends progress as JSON lines on request', async () => {
  const response = await upload(toCsvFile(makeCertificate()), { accept: 'application/x-ndjson' })
  expect(response.status).toBe(201)
  expect(response.headers.get('content-type')).toMatch('application/x-ndjson')
  const lines = response.body
    .trim()
    .split('\n')
    .map((item: string) => JSON.parse(item))
  expect(lines[0]).toMatchObject({ type: 'progress', processed: 1, total: 1 })
  expect(lines.at(-1)).toMatchObject({ type: 'result', outcomes: { created: 1 }, report: [{ row: 2 }] })
})

test('if the file is missing or of another type, says what to do', async () => {
  const none = await call('POST', '/admin/certificates/upload', new FormData())
  expect(none).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR', fields: { file: 'Please select a file first' } },
  })
  expect(await upload('a', { name: 'register.xlsx' })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR', fields: { file: 'Please select a CSV file' } },
  })
  expect(await call('POST', '/admin/certificates/upload', {})).toMatchObject({
    status: 415,
    body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
  })
})

test('rows between two stray quotation marks are imported', { tags: ['DATA-19'] }, async () => {
  const [one, two] = [makeCertificate(), makeCertificate()]
  const plain = (fields: Fields) => toCsvLine(fields).replaceAll('"', '')
  const response = await upload(
    `${HEADER}\n"${plain(one)}\n${plain(two)}\n${plain(one).replace(',', '",')}\n`,
  )
  expect(pickFigures(response)).toMatchObject({ total: 3, created: 1, failed: 2 })
  expect(response.body.report.map((item: ReportRow) => item.row)).toEqual([2, 4, 3])
})

test('a damaged line does not affect other lines', { tags: ['QUALITY-37'] }, async () => {
  const [one, two] = [makeCertificate(), makeCertificate()]
  const response = await upload(`${HEADER}\n${toCsvLine(one)}\n"UG/2019/1,broken\n${toCsvLine(two)}`)
  expect(pickFigures(response)).toMatchObject({ created: 2, failed: 1 })
  expect(response.body.report[0]).toMatchObject({ row: 3, status: 'failed' })
})

test('an upload is for staff only', async () => {
  const { token: user } = await newAccount()
  const body = new FormData()
  expect(await request('POST', '/admin/certificates/upload', { body })).toMatchObject({ status: 401 })
  expect(await request('POST', '/admin/certificates/upload', { token: user, body })).toMatchObject({
    status: 403,
  })
})

test('a dry run with updates counts the letters that the updates would supersede', async () => {
  const added = () => makeCertificate({ grade: 'Pass', department: 'Botany' })
  const [graded, moved, same] = [added(), added(), added()]
  for (const fields of [graded, moved, same]) await newLetter(await newCertificate(fields))
  // Letters do not contain the department.
  const content = toCsvFile({ ...graded, grade: 'Merit' }, { ...moved, department: 'Zoology' }, same)
  const response = await upload(content, { query: '?dry_run=true&on_conflict=update' })
  expect(response.body).toMatchObject({ outcomes: { updated: 2, unchanged: 1 }, letters_affected: 1 })
})
