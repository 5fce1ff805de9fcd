import { makeCertificate } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import {
  encodeLatin1,
  type Fields,
  HEADER,
  pickFigures,
  setUpUploads,
  toCsvFile,
  toCsvLine,
} from '../../test/uploads.ts'

/* Tests uploads of files in any encoding, and text in any Unicode normalisation form. */

const { call, findCertificates, upload } = setUpUploads()

test('accepts CSV files with the variations found in practice', { tags: ['QUALITY-37'] }, async () => {
  const text = (certificateNumber: string) =>
    `Course;Certificate Number;STUDENT NAME;Graduation_Date;Grade;department\r\nLaw;${certificateNumber};Zoë Adé;22/11/2019;Pass;"Law; Faculty of"\r\n`
  const utf16 = (certificateNumber: string) =>
    new Uint8Array(Buffer.from(`\ufeff${text(certificateNumber)}`, 'utf16le'))
  const latin1 = (certificateNumber: string) => encodeLatin1(text(certificateNumber))
  for (const content of [text, utf16, latin1]) {
    const { certificate_number } = makeCertificate()
    expect(pickFigures(await upload(content(certificate_number.toLowerCase())))).toMatchObject({ created: 1 })
    expect(await findCertificates(certificate_number)).toMatchObject([
      {
        student_name: 'Zoë Adé',
        graduation_date: '2019-11-22',
        department: 'Law; Faculty of',
        matric_number: null,
      },
    ])
  }
})

test('resubmitting identical data by form or file changes nothing, whatever its Unicode normalisation form', {
  tags: ['DATA-28'],
}, async () => {
  const fields = makeCertificate({
    student_name: 'Ọlá  Adébáyọ̀',
    course: 'Èdè Yorùbá',
    grade: 'Kíláàsì kìn\u0301ní',
    department: 'Ẹ̀kọ́ Ìṣẹ̀dá',
  })
  const normaliseFields = (normalisation: 'NFC' | 'NFD') =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, value?.normalize(normalisation) ?? null]),
    ) as Fields
  const created = await call('POST', '/admin/certificates', normaliseFields('NFD'))
  expect(created.status).toBe(201)
  expect(created.body.certificate.student_name).toBe('Ọlá Adébáyọ̀'.normalize('NFC'))
  for (const normalisation of ['NFC', 'NFD'] as const) {
    const secondUpload = await upload(toCsvFile(normaliseFields(normalisation)), {
      query: '?on_conflict=update',
    })
    expect(secondUpload.body.outcomes).toEqual({ created: 0, updated: 0, unchanged: 1 })
    const { body } = await call(
      'GET',
      `/admin/certificates?search=${encodeURIComponent('Èdè Yorùbá'.normalize(normalisation))}&per_page=100`,
    )
    expect(body.certificates.map((certificate: { id: string }) => certificate.id)).toContain(
      created.body.certificate.id,
    )
  }
  const edit = await call('PUT', `/admin/certificates/${created.body.certificate.id}`, normaliseFields('NFD'))
  expect(edit.body.certificate).toEqual(created.body.certificate)
})

test('forms and files report unprintable and invisible characters with the same message', {
  tags: ['DATA-28'],
}, async () => {
  for (const [student_name, error] of [
    ['李 Obi', 'Student name contains characters the letter cannot print: 李 (U+674E)'],
    ['Ada\u202eObi', 'Student name contains invisible characters: U+202E. Please remove them.'],
  ] as const) {
    const fields = makeCertificate({ student_name })
    const formResponse = await call('POST', '/admin/certificates', fields)
    expect(formResponse).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', fields: { student_name: error } },
    })
    const fileResponse = await upload(toCsvFile(fields, makeCertificate()))
    expect(fileResponse.body.summary).toEqual({ total: 2, succeeded: 1, failed: 1 })
    expect(fileResponse.body.report[0]).toMatchObject({ status: 'failed', error })
  }
})

test('in a file of mixed encodings, only rows that are not UTF-8 fail, each with its line', {
  tags: ['DATA-18'],
}, async () => {
  const [one, two, three] = ['Zoë', 'Ọláńrewájú', 'Plain'].map(student_name =>
    makeCertificate({ student_name }),
  )
  if (!one || !two || !three) throw new Error('expected three certificates')
  const rows = [
    encodeLatin1(`${HEADER}\n${toCsvLine(one)}\n`),
    new Uint8Array(Buffer.from(`${toCsvLine(one)}\n${toCsvLine(two)}\n`)),
    encodeLatin1(`${toCsvLine({ ...two, student_name: 'Zoë' })}\n${toCsvLine(three)}\n`),
    // A thousand UTF-8 rows do not make the other rows UTF-8.
    new Uint8Array(Buffer.from(Array.from({ length: 1000 }, () => `${toCsvLine(two)}\n`).join(''))),
  ]
  const response = await upload(new Uint8Array(Buffer.concat(rows)))
  expect(pickFigures(response)).toMatchObject({ total: 1005, created: 3, unchanged: 1000, failed: 2 })
  expect(response.body.report.slice(0, 2)).toMatchObject([
    { row: 2, error: expect.stringMatching('cannot be decoded') },
    { row: 5, error: expect.stringMatching('cannot be decoded') },
  ])
  for (const item of [one, two, three])
    expect(await findCertificates(item.certificate_number)).toMatchObject([item])
})

test('a NUL character is reported with its line', async () => {
  const { body } = await upload(`${HEADER}\n\n${toCsvLine(makeCertificate())}\na,\0`)
  expect(JSON.stringify(body)).toContain('Line 4 has a NUL character')
})

test.each([
  ['an empty file', ''],
  ['no header', 'UG/2019/00001,Ada,,Law,2019-07-07,Pass,Law'],
  ['one column too few', 'certificate_number,student_name,course,graduation_date,grade'],
  ['a renamed archive', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0])],
  ['NUL characters', `${HEADER}\n\0\0\0`],
  ['a header without rows', `${HEADER}\n\n`],
  ['Mac Roman', encodeLatin1(`${HEADER}\nUG/2019/77001,Jos\x8e,,Law,2019-07-07,Pass,Law`)],
  ['a line of 8 MB', `${HEADER}\n${'x'.repeat(8_000_000)}`],
])('refuses the whole file: %s', { tags: ['DATA-18'] }, async (_, content) => {
  expect(await upload(content)).toMatchObject({ status: 400, body: { code: 'INVALID_CSV' } })
})
