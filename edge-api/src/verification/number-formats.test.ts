import { makeCertificate } from '@portal/fixtures/factories'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { insertSession } from '../accounts/session-store.ts'
import { signToken } from '../accounts/tokens.ts'
import { createApp } from '../app.ts'
import { insertCertificate } from '../certificates/store.ts'
import { Connection } from '../db/file-statements.ts'

/* Tests certificate numbers in the formats that people type and paste, through the whole app. */

const REGISTERED_NUMBER = 'UG/2019/00777'
let setup: TestSetup
let app: ReturnType<typeof createApp>
beforeEach(async () => {
  setup = await openTestSetup()
  app = createApp(setup.ports)
  await register(REGISTERED_NUMBER)
})
afterEach(() => {
  vi.restoreAllMocks()
  return setup.close()
})

async function register(certificateNumber: string) {
  const fields = makeCertificate()
  const row = {
    id: crypto.randomUUID(),
    certificateNumber,
    studentName: fields.student_name,
    matricNumber: fields.matric_number,
    course: fields.course,
    graduationDate: fields.graduation_date,
    grade: fields.grade,
    department: fields.department,
    uploaderEmail: null,
    uploadedAt: setup.ports.time,
    updatedAt: setup.ports.time,
  }
  await setup.database.write(tx => insertCertificate(tx, row))
}

async function signIn() {
  const user = await setup.newUser()
  const sessionId = crypto.randomUUID()
  const issuedAt = setup.ports.time
  const expiresAt = issuedAt + 3_600_000
  await setup.database.write(tx =>
    insertSession(tx, { id: sessionId, userId: user.id, createdAt: issuedAt, expiresAt }),
  )
  const session = { userId: user.id, sessionId, role: 'user', issuedAt, expiresAt }
  return signToken(session, setup.ports.environment.JWT_SECRETS)
}

async function post(
  token: string,
  path: string,
  body: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const request = new Request(`http://localhost:8080/api/verification${path}`, init)
  const response = await app.fetch(request, { peerAddress: '192.0.2.7' })
  const { request_id: _, ...rest } = await response.json()
  return { status: response.status, body: rest }
}
const check = (token: string, certificate_number: string) =>
  post(token, '/check-certificate', { certificate_number })
const pay = (token: string, certificate_number: string) =>
  post(token, '/process-payment', { certificate_number })
const bulk = (token: string, certificate_numbers: string[]) =>
  post(token, '/verify-bulk', { certificate_numbers })

test('finds a certificate by a number with other spacing, case, width or separators', async () => {
  const token = await signIn()
  for (const typed of [
    ' ug / 2019 / 00777. ',
    '\u200bUG/2019\u00ad/00777',
    'ＵＧ／２０１９／００７７７',
    'UG\\2019\\00777',
  ]) {
    expect(await check(token, typed)).toEqual({
      status: 200,
      body: { status: 'payment_required', certificate: { certificate_number: REGISTERED_NUMBER } },
    })
  }
  const { body } = await bulk(token, ['UG/2019/00777;', '“ug/2019/00777”', ' UG / 2019/00777'])
  expect(body.summary).toMatchObject({ given: 3, duplicates: 2, total: 1, payment_required: 1 })
})

test('suggests a number based on its format only: the response is the same whether it exists or not', {
  tags: ['DATA-25'],
}, async () => {
  const token = await signIn()
  for (const spell of [
    (serial: string) => `UG-2019-${serial}`,
    (serial: string) => `UG2019${serial}`,
    (serial: string) => `UG/2O19/${serial}`,
    (serial: string) => `UG 2019 ${serial}`,
  ]) {
    const responsesFor = async (serial: string) => {
      const typed = spell(serial)
      const { results } = (await bulk(token, [typed])).body
      const all = [await check(token, typed), await pay(token, typed), results]
      return JSON.parse(JSON.stringify(all).replaceAll(serial, 'SERIAL'))
    }
    const existing = await responsesFor('00777')
    expect(existing).toEqual(await responsesFor('00778'))
    expect(JSON.stringify(existing).match(/"suggestion":"UG\/2019\/SERIAL"/g)).toHaveLength(3)
  }
})

test('does the same work and returns the same response whether a suggested number exists or not, for random numbers', {
  tags: ['DATA-25'],
}, async () => {
  // Observes all queries of every connection to the database file.
  const methods = (['execute', 'executeAll', 'cells', 'firstCells'] as const).map(method =>
    vi.spyOn(Connection.prototype, method),
  )
  let seed = 2019
  const below = (max: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * max)
  }
  const pickOne = (choices: readonly string[]) => choices[below(choices.length)] ?? ''
  for (let turn = 0; turn < 25; turn++) {
    const [prefix, year] = [pickOne(['UG', 'PG', 'CCED', 'HND']), 1950 + below(76)]
    const [first, second] = [pickOne(['-', ' ', '.', '']), pickOne(['-', ' ', '_'])]
    const digits = 3 + below(4)
    const start = below(10 ** digits - 1)
    const [existing, unknown] = [start, start + 1].map(serial => String(serial).padStart(digits, '0'))
    await register(`${prefix}/${year}/${existing}`)
    const observeCalls = async (serial = '') => {
      const token = await signIn()
      const typed = `${prefix}${first}${year}${second}${serial}`
      for (const way of methods) way.mockClear()
      const responses = [
        await check(token, typed),
        await pay(token, typed),
        (await bulk(token, [typed])).body.results,
      ]
      const work = methods.map(way => way.mock.calls.map(([sql]) => sql))
      return { responses: JSON.stringify(responses).replaceAll(serial, 'SERIAL'), work }
    }
    const before = await observeCalls(existing)
    expect(before.responses).toContain(`"suggestion":"${prefix}/${year}/SERIAL"`)
    expect(before.work.flat().length).toBeGreaterThan(0)
    expect(await observeCalls(unknown)).toEqual(before)
  }
})

test('finds a number with dashes that exists, without a suggestion', async () => {
  await register('UG-2019-00123')
  const token = await signIn()
  expect((await check(token, 'ug–2019–00123')).body).toEqual({
    status: 'payment_required',
    certificate: { certificate_number: 'UG-2019-00123' },
  })
  const { body } = await bulk(token, ['UG-2019-00123'])
  expect(body.results).toEqual([{ certificate_number: 'UG-2019-00123', status: 'payment_required' }])
})

test('suggests an existing number if only its separators differ from the input', async () => {
  for (const held of ['UG-2019-90003', 'PG/2019-90004', 'AB-12345']) await register(held)
  const token = await signIn()
  for (const [typed, suggestion] of [
    ['UG/2019/90003', 'UG-2019-90003'],
    ['pg/2019/90004', 'PG/2019-90004'],
    ['AB/12345', 'AB-12345'],
    // The first suggestion is the standard form, whether that number exists or not; the second is the existing number.
    ['UG 2019 90003', 'UG/2019/90003'],
    ['UG/2019/90005', undefined],
  ] as const) {
    const checked = await check(token, typed)
    expect([checked.status, checked.body.suggestion]).toEqual([typed.includes(' ') ? 400 : 404, suggestion])
    const [result] = (await bulk(token, [typed])).body.results as { suggestion?: string }[]
    expect(result?.suggestion).toBe(suggestion)
  }
  expect((await pay(token, 'UG/2019/90003')).body).toMatchObject({
    status: 'not_found',
    suggestion: 'UG-2019-90003',
  })
})

test('suggests no existing number under charge, because its existence is what the payment reveals', async () => {
  await setup.setPolicy('charge')
  await register('UG-2019-90003')
  const token = await signIn()
  expect((await check(token, 'UG/2019/90003')).body).toEqual({ status: 'payment_required' })
  const { body } = await bulk(token, ['UG/2019/90003'])
  expect(body.results).toEqual([{ certificate_number: 'UG/2019/90003', status: 'payment_required' }])
})

test('looks up other forms of a number with the index of numbers, in one statement', async () => {
  await register('UG-2019-90003')
  const token = await signIn()
  const spies = (['execute', 'executeAll', 'cells', 'firstCells'] as const).map(method =>
    vi.spyOn(Connection.prototype, method),
  )
  await check(token, 'UG/2019/90003')
  const wide = spies
    .flatMap(spy => spy.mock.calls.map(([sql, args]) => ({ sql: String(sql), args: JSON.stringify(args) })))
    // Only the look-up of other forms has several numbers.
    .filter(({ sql, args }) => /from "certificates" where/.test(sql) && /^\["\[\\"[^,]+,/.test(args ?? ''))
    .map(({ sql }) => sql)
  expect(wide).toHaveLength(1)
  const { rows } = await setup.database.client.execute({
    sql: `explain query plan ${wide[0]}`,
    args: Array(wide[0]?.split('?').length ?? 1)
      .fill('x')
      .slice(1),
  })
  expect(rows.map(row => String(row.detail)).join()).toContain('certificates_number')
})

test('shows the suggestion before payment under charge, and still accepts payment for the input as typed', async () => {
  await setup.setPolicy('charge')
  await register('UG-2019-00123')
  const token = await signIn()
  for (const serial of ['00123', '00777', '00999']) {
    const typed = `UG-2019-${serial}`
    const offered = { suggestion: `UG/2019/${serial}` }
    expect((await check(token, typed)).body).toEqual({ status: 'payment_required', ...offered })
    const { body } = await bulk(token, [typed])
    expect(body.results).toEqual([{ certificate_number: typed, status: 'payment_required', ...offered }])
    expect((await pay(token, typed)).body).toMatchObject({ status: 'payment_initiated' })
  }
})
