import { makeCertificate } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import { type Fields, pickFigures, setUpUploads, TEMPLATE, toCsvFile, toCsvLine } from '../../test/uploads.ts'

/* Tests column headers and dates as found in real files. */

const { call, findCertificates, upload } = setUpUploads()

/** Returns a file with these headers and each certificate's values in the template's order. */
const csvWithHeader = (headers: string, ...rows: Fields[]) => [headers, ...rows.map(toCsvLine)].join('\n')

const PEOPLE_HEADER = 'Cert. No.,Full Name,Matric No,Course of Study,Date of Graduation,Class of Degree,Dept'

test('recognises common header names, and lists ignored columns', { tags: ['OPERATIONS-5'] }, async () => {
  const one = makeCertificate()
  const columns = { recognised_columns: TEMPLATE, ignored_columns: ['Remarks'], date_order: null }
  const response = await upload(`${csvWithHeader(`${PEOPLE_HEADER},Remarks`, one)},fine`)
  expect(response.body).toMatchObject({ ...columns, outcomes: { created: 1 } })
  expect(await findCertificates(one.certificate_number)).toMatchObject([one])
  const { body } = await call('GET', `/admin/certificates/uploads/${response.body.upload_id}`)
  expect(body.upload).toMatchObject(columns)
  const lines = await upload(`${csvWithHeader(`${PEOPLE_HEADER},Remarks`, one)},fine`, {
    accept: 'application/x-ndjson',
  })
  expect(JSON.parse(lines.body.trim().split('\n').at(-1))).toMatchObject(columns)
})

test.each([
  [`${PEOPLE_HEADER},Certificate Number`, '“Cert. No.” and “Certificate Number”'],
  [`${PEOPLE_HEADER},Remarks,remarks`, '“Remarks” and “remarks”'],
])('refuses a header that names a column twice: %s', { tags: ['OPERATIONS-5'] }, async (header, message) => {
  const response = await upload(csvWithHeader(header, makeCertificate()))
  expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_CSV' } })
  expect(response.body.error).toContain(message)
})

test('an update keeps a field whose column is absent, and erases one whose cell is empty', {
  tags: ['OPERATIONS-5'],
}, async () => {
  const one = makeCertificate()
  await upload(toCsvFile(one))
  const without = (fields: Fields) =>
    `${TEMPLATE.filter(name => name !== 'matric_number').join(',')}\n${fields.certificate_number},${fields.student_name},${fields.course},${fields.graduation_date},${fields.grade},${fields.department}`
  expect(pickFigures(await upload(without(one)))).toMatchObject({ unchanged: 1, failed: 0 })
  const corrected = { ...one, grade: 'Pass' }
  const refused = await upload(without(corrected))
  expect(refused.body.report[0].error).toBe(
    'On record with different content: Grade: First Class Honours → Pass',
  )
  const file = await call('GET', `/admin/certificates/uploads/${refused.body.upload_id}/report?rows=failed`)
  expect(file.body).not.toContain('matric_number')
  expect(pickFigures(await upload(file.body, { query: '?on_conflict=update' }))).toMatchObject({ updated: 1 })
  expect(await findCertificates(one.certificate_number)).toMatchObject([corrected])
  await upload(toCsvFile({ ...corrected, matric_number: null }), { query: '?on_conflict=update' })
  expect(await findCertificates(one.certificate_number)).toMatchObject([{ matric_number: null }])
})

test.each(['15/07/0019', '0001-01-01', '1899-12-31', '2099-01-01'])(
  'refuses the date %s',
  { tags: ['OPERATIONS-5'] },
  async date => {
    const response = await upload(toCsvFile(makeCertificate({ graduation_date: date })))
    expect(response.body.report).toMatchObject([
      { row: 2, error: 'Please enter a graduation date between January 1, 1900 and today.' },
    ])
  },
)

test.each(['', '?dry_run=true'])(
  'refuses the whole file if it has dates in both orders, unless an order is chosen: %s',
  async query => {
    const [one, two, three] = ['2019-07-24', '25/07/2019', '07/26/2019'].map(graduation_date =>
      makeCertificate({ graduation_date }),
    ) as [Fields, Fields, Fields]
    const response = await upload(toCsvFile(one, two, three), { query })
    expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_CSV' } })
    expect(response.body.error).toContain(
      'row 3 has the day first (25/07/2019), row 4 has the month first (07/26/2019)',
    )
    expect(await findCertificates(one.certificate_number)).toEqual([])
    const queryPrefix = query === '' ? '?' : `${query}&`
    const chosen = await upload(toCsvFile(one, two, three), { query: `${queryPrefix}date_order=mdy` })
    expect(chosen.body).toMatchObject({
      date_order: 'mdy',
      outcomes: { created: 2 },
      report: [{ row: 3, status: 'failed' }, { row: 2 }, { row: 4 }],
    })
    if (query === '')
      expect(await findCertificates(three.certificate_number)).toMatchObject([
        { graduation_date: '2019-07-26' },
      ])
  },
)
