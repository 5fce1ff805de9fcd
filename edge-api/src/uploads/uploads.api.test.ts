import type { ReportRow, Upload } from '@portal/contract/admin-uploads'
import { makeCertificate } from '@portal/fixtures/factories'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type Answer, eventually, newAccount, newCertificate, request, staff } from '../../test/portal.ts'
import { startPortal } from '../../test/servers/portal-server.ts'

const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'
const TEMPLATE = HEADER.split(',')

let token: string
beforeAll(async () => {
  token = await staff('admin')
})

type Fields = ReturnType<typeof makeCertificate>
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
const line = (fields: Fields) =>
  TEMPLATE.map(name => quoted(String(Object.entries(fields).find(([key]) => key === name)?.[1] ?? ''))).join(
    ',',
  )
const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const sheet = (...rows: Fields[]) => [HEADER, ...rows.map(line)].join('\n')

interface Options {
  query?: string
  name?: string
  accept?: string
}

function upload(
  content: string | Uint8Array<ArrayBuffer>,
  { query = '', name = 'register.csv', accept }: Options = {},
) {
  const body = new FormData()
  body.append('file', new File([content], name))
  return request('POST', `/admin/certificates/upload${query}`, {
    token,
    body,
    ...(accept !== undefined && { headers: { accept } }),
  })
}

const found = async (number: string) => {
  const { body } = await request('GET', `/admin/certificates?search=${encodeURIComponent(number)}`, { token })
  return body.certificates
}

const figuresOf = ({ status, body }: Answer) => ({ status, ...body.summary, ...body.outcomes })

describe('POST /admin/certificates/upload', () => {
  test('adds what is new, and says what became of each row, failures first', async () => {
    const [one, two] = [makeCertificate(), makeCertificate({ student_name: 'Ọbáfẹ́mi "Femi", Jr.' })]
    const answer = await upload(`${sheet(one, two)}\nbad,,,,,,\n\n`)
    expect(answer.status).toBe(201)
    expect(answer.body.summary).toEqual({ total: 3, succeeded: 2, failed: 1 })
    expect(answer.body.outcomes).toEqual({ created: 2, updated: 0, unchanged: 0 })
    expect(answer.body.report).toEqual([
      {
        row: 4,
        certificate_number: 'bad',
        status: 'failed',
        error: 'Please enter a valid certificate number.',
      },
      { row: 2, certificate_number: one.certificate_number, status: 'success' },
      { row: 3, certificate_number: two.certificate_number, status: 'success' },
    ])
    expect(await found(two.certificate_number)).toMatchObject([{ ...two, uploader_email: 'admin@demo.test' }])
  })

  test('the same file twice changes nothing', async () => {
    const content = sheet(makeCertificate(), makeCertificate())
    await upload(content)
    expect(figuresOf(await upload(content))).toMatchObject({
      succeeded: 2,
      created: 0,
      unchanged: 2,
      failed: 0,
    })
  })

  test('identical data changes nothing, however its letters are composed: form, file and file again', async () => {
    const fields = makeCertificate({
      student_name: 'Ọlá  Adébáyọ̀',
      course: 'Èdè Yorùbá',
      grade: 'Kíláàsì kìn\u0301ní',
      department: 'Ẹ̀kọ́ Ìṣẹ̀dá',
    })
    const formed = (form: 'NFC' | 'NFD') =>
      Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, value?.normalize(form) ?? null]),
      ) as Fields
    const created = await request('POST', '/admin/certificates', { token, body: formed('NFD') })
    expect(created.status).toBe(201)
    expect(created.body.certificate.student_name).toBe('Ọlá Adébáyọ̀'.normalize('NFC'))
    for (const form of ['NFC', 'NFD'] as const) {
      const again = await upload(sheet(formed(form)), { query: '?on_conflict=update' })
      expect(again.body.outcomes).toEqual({ created: 0, updated: 0, unchanged: 1 })
      const { body } = await request(
        'GET',
        `/admin/certificates?search=${encodeURIComponent('Èdè Yorùbá'.normalize(form))}&per_page=100`,
        { token },
      )
      expect(body.certificates.map((each: { id: string }) => each.id)).toContain(created.body.certificate.id)
    }
    const edited = await request('PUT', `/admin/certificates/${created.body.certificate.id}`, {
      token,
      body: formed('NFD'),
    })
    expect(edited.body.certificate).toEqual(created.body.certificate)
  })

  test('what no letter prints, or nobody sees, is refused by form and file in the same words', async () => {
    for (const [student_name, error] of [
      ['李 Obi', 'Student name contains characters the letter cannot print: 李 (U+674E)'],
      ['Ada\u202eObi', 'Student name contains invisible characters: U+202E. Please remove them.'],
    ] as const) {
      const fields = makeCertificate({ student_name })
      const form = await request('POST', '/admin/certificates', { token, body: fields })
      expect(form).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', fields: { student_name: error } },
      })
      const file = await upload(sheet(fields, makeCertificate()))
      expect(file.body.summary).toEqual({ total: 2, succeeded: 1, failed: 1 })
      expect(file.body.report[0]).toMatchObject({ status: 'failed', error })
    }
  })

  test('a number on record with other content fails, unless it is to be updated', async () => {
    const certificate = await newCertificate({ grade: 'Pass' })
    const { id: _, uploader_email: __, uploaded_at: ___, ...fields } = certificate
    const content = sheet({ ...fields, grade: 'First Class' })
    const refused = await upload(content)
    expect(refused.body.report[0]).toMatchObject({
      status: 'failed',
      error: 'On record with other content: grade: Pass → First Class',
    })
    const tried = await upload(content, { query: '?on_conflict=update&dry_run=true' })
    expect(tried.body).toMatchObject({ dry_run: true, outcomes: { updated: 1 } })
    expect(await found(certificate.certificate_number)).toMatchObject([{ grade: 'Pass' }])
    const updated = await upload(content, { query: '?on_conflict=update' })
    expect(updated.body.report[0]).toMatchObject({ outcome: 'updated', changes: 'grade: Pass → First Class' })
    expect(await found(certificate.certificate_number)).toMatchObject([
      { id: certificate.id, grade: 'First Class' },
    ])
  })

  test('an update is found by what it says now, and no longer by what it said', async () => {
    const one = makeCertificate({ student_name: 'Abimbola Quillfeather' })
    await upload(sheet(one))
    await upload(sheet({ ...one, student_name: 'Abimbola Zwingmann' }), { query: '?on_conflict=update' })
    expect(await found('Quillfeather')).toEqual([])
    expect(await found('zwingmann')).toMatchObject([{ certificate_number: one.certificate_number }])
  })

  test('a number twice in a file: the same again is unchanged, other content fails', async () => {
    const one = makeCertificate()
    for (const query of ['?dry_run=true&on_conflict=update', '?on_conflict=update']) {
      const answer = await upload(sheet(one, one, { ...one, student_name: 'Other' }), { query })
      expect(answer.body.report.map((row: ReportRow) => [row.row, row.outcome, row.error])).toEqual([
        [4, undefined, 'Line 2 has this number already, with other content.'],
        [2, undefined, undefined],
        [3, 'unchanged', undefined],
      ])
    }
  })

  test('a dry run changes nothing', async () => {
    const one = makeCertificate()
    const answer = await upload(sheet(one), { query: '?dry_run=true' })
    expect(figuresOf(answer)).toMatchObject({ status: 201, created: 1 })
    expect(await found(one.certificate_number)).toEqual([])
  })

  test('takes CSV as people have it', async () => {
    const text = (number: string) =>
      `Course;Certificate Number;STUDENT NAME;Graduation_Date;Grade;department\r\nLaw;${number};Zoë Adé;22/11/2019;Pass;"Law; Faculty of"\r\n`
    const utf16 = (number: string) => new Uint8Array(Buffer.from(`\ufeff${text(number)}`, 'utf16le'))
    const windows = (number: string) => new Uint8Array(Buffer.from(text(number), 'latin1'))
    for (const content of [text, utf16, windows]) {
      const { certificate_number } = makeCertificate()
      expect(figuresOf(await upload(content(certificate_number.toLowerCase())))).toMatchObject({ created: 1 })
      expect(await found(certificate_number)).toMatchObject([
        {
          student_name: 'Zoë Adé',
          graduation_date: '2019-11-22',
          department: 'Law; Faculty of',
          matric_number: null,
        },
      ])
    }
  })

  /** A file with these headers and, of each certificate, its values in the template's order. */
  const headed = (headers: string, ...rows: Fields[]) => [headers, ...rows.map(line)].join('\n')
  const PEOPLE = 'Cert. No.,Full Name,Matric No,Course of Study,Date of Graduation,Class of Degree,Dept'

  test('recognises the headers people use, and lists what it ignores', async () => {
    const one = makeCertificate()
    const columns = { recognised_columns: TEMPLATE, ignored_columns: ['Remarks'], date_order: null }
    const answer = await upload(`${headed(`${PEOPLE},Remarks`, one)},fine`)
    expect(answer.body).toMatchObject({ ...columns, outcomes: { created: 1 } })
    expect(await found(one.certificate_number)).toMatchObject([one])
    const { body } = await request('GET', `/admin/certificates/uploads/${answer.body.upload_id}`, { token })
    expect(body.upload).toMatchObject(columns)
    const lines = await upload(`${headed(`${PEOPLE},Remarks`, one)},fine`, { accept: 'application/x-ndjson' })
    expect(JSON.parse(lines.body.trim().split('\n').at(-1))).toMatchObject(columns)
  })

  test.each([
    [`${PEOPLE},Certificate Number`, '“Cert. No.” and “Certificate Number”'],
    [`${PEOPLE},Remarks,remarks`, '“Remarks” and “remarks”'],
  ])('refuses a header that names a column twice: %s', async (header, message) => {
    const answer = await upload(headed(header, makeCertificate()))
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_CSV' } })
    expect(answer.body.error).toContain(message)
  })

  test('an update keeps a field whose column is absent, and erases one whose cell is empty', async () => {
    const one = makeCertificate()
    await upload(sheet(one))
    const without = (fields: Fields) =>
      `${TEMPLATE.filter(name => name !== 'matric_number').join(',')}\n${fields.certificate_number},${fields.student_name},${fields.course},${fields.graduation_date},${fields.grade},${fields.department}`
    expect(figuresOf(await upload(without(one)))).toMatchObject({ unchanged: 1, failed: 0 })
    const corrected = { ...one, grade: 'Pass' }
    const refused = await upload(without(corrected))
    expect(refused.body.report[0].error).toBe(
      'On record with other content: grade: First Class Honours → Pass',
    )
    const file = await request(
      'GET',
      `/admin/certificates/uploads/${refused.body.upload_id}/report?rows=failed`,
      { token },
    )
    expect(file.body).not.toContain('matric_number')
    expect(figuresOf(await upload(file.body, { query: '?on_conflict=update' }))).toMatchObject({ updated: 1 })
    expect(await found(one.certificate_number)).toMatchObject([corrected])
    await upload(sheet({ ...corrected, matric_number: null }), { query: '?on_conflict=update' })
    expect(await found(one.certificate_number)).toMatchObject([{ matric_number: null }])
  })

  test.each(['15/07/0019', '0001-01-01', '1899-12-31', '2099-01-01'])('refuses the date %s', async date => {
    const answer = await upload(sheet(makeCertificate({ graduation_date: date })))
    expect(answer.body.report).toMatchObject([
      { row: 2, error: 'Please enter a graduation date between 1900-01-01 and today.' },
    ])
  })

  test.each(['', '?dry_run=true'])(
    'refuses a file with dates in both orders as a whole, unless the order is chosen %s',
    async query => {
      const [one, two, three] = ['2019-07-24', '25/07/2019', '07/26/2019'].map(graduation_date =>
        makeCertificate({ graduation_date }),
      ) as [Fields, Fields, Fields]
      const answer = await upload(sheet(one, two, three), { query })
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_CSV' } })
      expect(answer.body.error).toContain(
        'line 3 has the day first (25/07/2019), line 4 has the month first (07/26/2019)',
      )
      expect(await found(one.certificate_number)).toEqual([])
      const join = query === '' ? '?' : `${query}&`
      const chosen = await upload(sheet(one, two, three), { query: `${join}date_order=mdy` })
      expect(chosen.body).toMatchObject({
        date_order: 'mdy',
        outcomes: { created: 2 },
        report: [{ row: 3, status: 'failed' }, { row: 2 }, { row: 4 }],
      })
      if (query === '')
        expect(await found(three.certificate_number)).toMatchObject([{ graduation_date: '2019-07-26' }])
    },
  )

  test('follows with lines of JSON for those who ask', async () => {
    const answer = await upload(sheet(makeCertificate()), { accept: 'application/x-ndjson' })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toMatch('application/x-ndjson')
    const lines = answer.body
      .trim()
      .split('\n')
      .map((each: string) => JSON.parse(each))
    expect(lines[0]).toMatchObject({ type: 'progress', processed: 1, total: 1 })
    expect(lines.at(-1)).toMatchObject({ type: 'result', outcomes: { created: 1 }, report: [{ row: 2 }] })
  })

  test('without a file, or with one of another kind, says what to do', async () => {
    const none = await request('POST', '/admin/certificates/upload', { token, body: new FormData() })
    expect(none).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', fields: { file: 'Please select a file first' } },
    })
    expect(await upload('a', { name: 'register.xlsx' })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', fields: { file: 'Please select a CSV file' } },
    })
    expect(await request('POST', '/admin/certificates/upload', { token, body: {} })).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    })
  })

  test.each([
    ['an empty file', ''],
    ['no header', 'UG/2019/00001,Ada,,Law,2019-07-07,Pass,Law'],
    ['a column too few', 'certificate_number,student_name,course,graduation_date,grade'],
    ['a renamed archive', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0])],
    ['NUL characters', `${HEADER}\n\0\0\0`],
    ['a header without rows', `${HEADER}\n\n`],
    ['Mac Roman', latin(`${HEADER}\nUG/2019/77001,Jos\x8e,,Law,2019-07-07,Pass,Law`)],
    ['a line of 8 MB', `${HEADER}\n${'x'.repeat(8_000_000)}`],
  ])('refuses %s as a whole', async (_, content) => {
    expect(await upload(content)).toMatchObject({ status: 400, body: { code: 'INVALID_CSV' } })
  })

  test('a NUL is named with its line', async () => {
    const { body } = await upload(`${HEADER}\n\n${line(makeCertificate())}\na,\0`)
    expect(JSON.stringify(body)).toContain('Line 4 has a NUL character')
  })

  test('in a file of mixed encodings, rows that are not UTF-8 fail with their line and shadow no others', async () => {
    const [one, two, three] = ['Zoë', 'Ọláńrewájú', 'Plain'].map(student_name =>
      makeCertificate({ student_name }),
    )
    if (!one || !two || !three) throw new Error('three certificates')
    const rows = [
      latin(`${HEADER}\n${line(one)}\n`),
      new Uint8Array(Buffer.from(`${line(one)}\n${line(two)}\n`)),
      latin(`${line({ ...two, student_name: 'Zoë' })}\n${line(three)}\n`),
      // A thousand times UTF-8 does not make the others UTF-8.
      new Uint8Array(Buffer.from(Array.from({ length: 1000 }, () => `${line(two)}\n`).join(''))),
    ]
    const answer = await upload(new Uint8Array(Buffer.concat(rows)))
    expect(figuresOf(answer)).toMatchObject({ total: 1005, created: 3, unchanged: 1000, failed: 2 })
    expect(answer.body.report.slice(0, 2)).toMatchObject([
      { row: 2, error: expect.stringMatching('cannot be decoded') },
      { row: 5, error: expect.stringMatching('cannot be decoded') },
    ])
    for (const each of [one, two, three]) expect(await found(each.certificate_number)).toMatchObject([each])
  })

  test('the rows between two stray quotation marks are taken', async () => {
    const [one, two] = [makeCertificate(), makeCertificate()]
    const plain = (fields: Fields) => line(fields).replaceAll('"', '')
    const answer = await upload(
      `${HEADER}\n"${plain(one)}\n${plain(two)}\n${plain(one).replace(',', '",')}\n`,
    )
    expect(figuresOf(answer)).toMatchObject({ total: 3, created: 1, failed: 2 })
    expect(answer.body.report.map((each: ReportRow) => each.row)).toEqual([2, 4, 3])
  })

  test('a damaged line stops no other', async () => {
    const [one, two] = [makeCertificate(), makeCertificate()]
    const answer = await upload(`${HEADER}\n${line(one)}\n"UG/2019/1,broken\n${line(two)}`)
    expect(figuresOf(answer)).toMatchObject({ created: 2, failed: 1 })
    expect(answer.body.report[0]).toMatchObject({ row: 3, status: 'failed' })
  })

  test('is for staff alone', async () => {
    const { token: user } = await newAccount()
    const body = new FormData()
    expect(await request('POST', '/admin/certificates/upload', { body })).toMatchObject({ status: 401 })
    expect(await request('POST', '/admin/certificates/upload', { token: user, body })).toMatchObject({
      status: 403,
    })
  })
})

describe('reports', () => {
  test('the template has the columns and its name', async () => {
    const answer = await request('GET', '/admin/certificates/template', { token })
    expect(answer.body).toBe(HEADER)
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="certificate_upload_template.csv"',
    )
  })

  test('every upload is listed by whom, in both places, newest first', async () => {
    const { body } = await upload(sheet(makeCertificate()))
    for (const path of ['/admin/certificates/uploads', '/admin/reports/upload-history']) {
      const list = await request('GET', `${path}?per_page=1`, { token })
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
    const one = await request('GET', `/admin/certificates/uploads/${body.upload_id}`, { token })
    expect(one.body.upload).toMatchObject({ state: 'done', total: 1, processed: 1 })
    const none = await request('GET', `/admin/certificates/uploads/${crypto.randomUUID()}`, { token })
    expect(none).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  test('the whole report is a file in the order of the rows, safe in a spreadsheet', async () => {
    const rows = Array.from({ length: 2500 }, () => makeCertificate())
    const lines = rows.map((row, at) => (at % 100 === 7 ? '=cmd|x,,,,,,' : line(row)))
    const { body } = await upload([HEADER, ...lines].join('\r\n'))
    expect(body).toMatchObject({ summary: { total: 2500, failed: 25 }, outcomes: { created: 2475 } })
    expect(body.report).toHaveLength(1000)
    const file = await request('GET', `/admin/certificates/uploads/${body.upload_id}/report`, { token })
    expect(file.headers.get('content-disposition')).toBe(
      'attachment; filename="certificate_upload_report.csv"',
    )
    const [header, ...kept] = file.body.trim().split('\r\n')
    expect(header).toBe('row,certificate_number,status,error,outcome,changes')
    expect(kept.map((each: string) => Number(each.split(',')[0]))).toEqual(rows.map((_, at) => at + 2))
    expect(kept[7]).toMatch("9,'=cmd|x,failed")
  })

  test('the failed rows come back as they stood, and succeed once corrected', async () => {
    const fields = makeCertificate({ graduation_date: '2019-02-31' })
    const { body } = await upload(sheet(fields, makeCertificate()))
    const file = await request('GET', `/admin/certificates/uploads/${body.upload_id}/report?rows=failed`, {
      token,
    })
    expect(file.body).toContain(fields.certificate_number)
    const again = await upload(file.body.replace('2019-02-31', '2019-02-28'))
    expect(figuresOf(again)).toMatchObject({ total: 1, created: 1 })
  })

  test('a file that breaks off changes nothing, and is listed as interrupted', async () => {
    const fields = makeCertificate()
    const cut = `--B\r\nContent-Disposition: form-data; name="file"; filename="cut.csv"\r\n\r\n${sheet(fields)}\n`
    const answer = await request('POST', '/admin/certificates/upload', {
      token,
      body: new Uint8Array(Buffer.from(cut)),
      headers: { 'content-type': 'multipart/form-data; boundary=B' },
    })
    expect(answer.status).toBe(400)
    const interrupted = await eventually(async () => {
      const { body } = await request('GET', '/admin/certificates/uploads', { token })
      return body.uploads.find((each: Upload) => each.filename === 'cut.csv' && each.state === 'interrupted')
    }, 'an interrupted upload')
    expect(interrupted).toMatchObject({ total: null, processed: 0 })
    expect(await found(fields.certificate_number)).toEqual([])
  })

  test('what could not be read is listed with why', async () => {
    await upload('a,b,c', { name: 'wrong.csv' })
    const upload_ = await eventually(async () => {
      const { body } = await request('GET', '/admin/certificates/uploads', { token })
      return body.uploads.find((each: Upload) => each.filename === 'wrong.csv' && each.state === 'failed')
    }, 'a failed upload')
    expect(upload_.error).toBe('The first line must name the columns of the template.')
  })
})

test('an upload beyond the limits for rows or bytes is refused with the figure, and changes nothing', async () => {
  const at = await startPortal({ UPLOAD_MAX_ROWS: '3', UPLOAD_MAX_BYTES: '5000' })
  try {
    const asked = async (content: string) => {
      const body = new FormData()
      body.append('file', new File([content], 'many.csv'))
      return request('POST', '/admin/certificates/upload', { token: await staff('admin', at), body, at })
    }
    const rows = Array.from({ length: 4 }, () => makeCertificate())
    expect(await asked(sheet(...rows.slice(1)))).toMatchObject({ status: 201 })
    const refused = [await asked(sheet(...rows)), await asked(`${HEADER}\n${'x'.repeat(6000)}`)]
    for (const [index, figure] of ['3 rows', '5,000 bytes'].entries()) {
      expect(refused[index]).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
      expect(JSON.stringify(refused[index]?.body)).toContain(figure)
    }
  } finally {
    await at.stop()
  }
})

describe('an upload goes on by itself', () => {
  const many = (rows: number) => sheet(...Array.from({ length: rows }, () => makeCertificate()))

  /** Starts an upload and leaves as soon as the first line of progress is there. @returns its id */
  async function leaveMidway(content: string): Promise<string> {
    const body = new FormData()
    body.append('file', new File([content], 'left.csv'))
    const leaving = new AbortController()
    const answer = await fetch(`${inject('portal').url}/api/admin/certificates/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' },
      body,
      signal: leaving.signal,
    })
    const first = await answer.body?.getReader().read()
    leaving.abort()
    return JSON.parse(new TextDecoder().decode(first?.value).split('\n')[0] ?? '').upload_id
  }

  const ended = (id: string) =>
    eventually(async () => {
      const { body } = await request('GET', `/admin/certificates/uploads/${id}`, { token })
      return body.upload.finished_at === null ? undefined : body.upload
    }, 'the end of the upload')

  test('when the caller has left', async () => {
    const id = await leaveMidway(many(12_000))
    expect(await ended(id)).toMatchObject({ state: 'done', total: 12_000, created: 12_000 })
  })

  test('and can be cancelled; what was added stays', async () => {
    const id = await leaveMidway(many(20_000))
    const answer = await request('DELETE', `/admin/certificates/uploads/${id}`, { token })
    expect(answer.status).toBe(200)
    const upload_ = await ended(id)
    expect(upload_).toMatchObject({ state: 'cancelled', total: 20_000 })
    expect(upload_.processed).toBe(upload_.created)
    expect(upload_.processed).toBeLessThan(20_000)
    const again = await request('DELETE', `/admin/certificates/uploads/${id}`, { token })
    expect(again.body.message).toBe('This upload has ended already.')
  })
})

describe('search', () => {
  test('without diacritics and case, words in any order, newest first', async () => {
    const one = await newCertificate({ student_name: 'Ṣọlá Xẹ̀míkọ́rẹ́' })
    const two = await newCertificate({ student_name: 'SOLA XEMIKORE' })
    for (const search of ['xemikore', 'Xẹ̀míkọ́rẹ́ ṣọlá', 'XEMIKORE SOLA']) {
      expect((await found(search)).map((row: { id: string }) => row.id)).toEqual([two.id, one.id])
    }
  })

  test('under three characters, by how a number begins', async () => {
    const mine = await newCertificate({ certificate_number: `QX/${Date.now()}` })
    expect(await found('qx')).toMatchObject([{ id: mine.id }])
    expect(await found('x/')).toEqual([])
  })

  test('what was deleted is not found', async () => {
    const mine = await newCertificate({ student_name: 'Vanishing Plumtree' })
    await request('DELETE', `/admin/certificates/${mine.id}`, { token })
    expect(await found('plumtree')).toEqual([])
  })

  test('pages reach the end, and beyond it are empty', async () => {
    const first = await request('GET', '/admin/certificates?per_page=100', { token })
    const { pages, total } = first.body.pagination
    const last = await request('GET', `/admin/certificates?per_page=100&page=${pages}`, { token })
    expect(last.body.certificates).toHaveLength(total - (pages - 1) * 100)
    const beyond = await request('GET', `/admin/certificates?per_page=100&page=${pages + 1}`, { token })
    expect(beyond.body.certificates).toEqual([])
  })
})
