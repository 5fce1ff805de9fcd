import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import type { ApiResponse } from '../../test/portal.ts'
import { insertSession } from '../accounts/session-store.ts'
import { signToken } from '../accounts/tokens.ts'
import { createApp } from '../app.ts'
import { activityLog } from '../db/schema/activity.ts'
import { syncWithGateway } from '../payments/sync.ts'
import type { Principal } from '../principal.ts'

/* Tests the whole app with data that a letter cannot print. Old rows and manual changes of the database may contain such data. */

let setup: TestSetup
let app: ReturnType<typeof createApp>
let user: Principal & { token: string }
beforeEach(async () => {
  setup = await openTestSetup()
  app = createApp(setup.ports)
  user = await newSession()
})
afterEach(() => setup.close())

async function newSession(role: 'user' | 'admin' = 'user') {
  const account = await setup.newUser()
  await execute(sql`update users set role = ${role} where id = ${account.id}`)
  const sessionId = crypto.randomUUID()
  const issuedAt = setup.ports.time
  const expiresAt = issuedAt + 3_600_000
  await setup.database.write(tx =>
    insertSession(tx, { id: sessionId, userId: account.id, createdAt: issuedAt, expiresAt }),
  )
  const session = { userId: account.id, sessionId, role, issuedAt, expiresAt }
  return { ...account, role, token: await signToken(session, setup.ports.environment.JWT_SECRETS) }
}

const execute = (statement: ReturnType<typeof sql>) => setup.database.write(tx => tx.run(statement))

async function call(method: string, path: string, body?: unknown, token = user.token) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await app.fetch(new Request(`http://localhost:8080/api${path}`, init), {
    peerAddress: '192.0.2.7',
  })
  const type = response.headers.get('content-type') ?? ''
  const responseBody: ApiResponse['body'] = type.includes('json')
    ? await response.json()
    : await response.text()
  return { status: response.status, body: responseBody }
}
const check = (certificate_number: string) =>
  call('POST', '/verification/check-certificate', { certificate_number })
const pay = (certificate_number: string) =>
  call('POST', '/verification/process-payment', { certificate_number })

const makeUnprintable = (number: string) =>
  execute(sql`update certificates set student_name = '李 Obi' where certificate_number = ${number}`)
const REASON = 'Student name contains characters the letter cannot print: 李 (U+674E)'
const NOT_PRINTABLE_REPLY = { status: 409, body: { code: 'LETTER_NOT_PRINTABLE' } }

test.each(['free', 'charge'] as const)(
  'with the policy %s, a verification is refused before any payment, and staff are notified of the reason once',
  async policy => {
    await setup.setPolicy(policy)
    const staff = await newSession('admin')
    const number = await setup.newCertificate()
    await makeUnprintable(number)
    if (policy === 'free') expect(await check(number)).toMatchObject(NOT_PRINTABLE_REPLY)
    expect(await pay(number)).toMatchObject(NOT_PRINTABLE_REPLY)
    expect(await pay(number)).toMatchObject(NOT_PRINTABLE_REPLY)
    const rows = await setup.readRows()
    expect([rows.payments, rows.letters, rows.ledger]).toEqual([[], [], []])
    const { body } = await call('GET', '/notifications', undefined, staff.token)
    expect(body.notifications).toMatchObject([
      {
        kind: 'letter_unprintable',
        body: `${number}: ${REASON}. Verification is refused until this is corrected.`,
      },
    ])
    const log = await setup.database.read.select().from(activityLog)
    const entries = log.filter(({ activity }) => activity === 'Letter could not be printed')
    expect(entries).toMatchObject([{ details: `${number}: ${REASON}` }])
  },
)

test('a fee is charged only for numbers whose letters can be printed', async () => {
  const printable = await setup.newCertificate()
  const unprintable = await setup.newCertificate()
  await makeUnprintable(unprintable)
  const checked = await call('POST', '/verification/verify-bulk', {
    certificate_numbers: [printable, unprintable],
  })
  expect(checked.body.results).toMatchObject([{ status: 'payment_required' }, { status: 'invalid' }])
  expect(checked.body.amount_due).toBe(5000)
  const paid = await call('POST', '/verification/process-bulk-payment', {
    certificate_numbers: [printable, unprintable],
  })
  expect(paid.body.items).toEqual([{ certificate_number: printable, amount: 5000 }])
})

test('a requester whose own postal address cannot be printed is asked to correct it', async () => {
  const number = await setup.newCertificate()
  await execute(sql`update users set address = '北京 Ltd, Lagos' where id = ${user.id}`)
  const expectedError =
    'Address contains characters the letter cannot print: 北 (U+5317), 京 (U+4EAC). Please correct it'
  for (const response of [await check(number), await pay(number)]) {
    expect(response).toMatchObject(NOT_PRINTABLE_REPLY)
    expect(response.body.error).toContain(expectedError)
  }
  expect((await setup.readRows()).payments).toEqual([])
})

test('if data becomes unprintable between start and payment, no letter is signed, and a refund is due', {
  tags: ['DATA-26'],
}, async () => {
  const { reference, number } = await setup.newPayment()
  await makeUnprintable(number)
  setup.gateway.setOutcome(reference, 'succeeded')
  const synced = await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  expect(synced?.payment).toMatchObject({ status: 'paid', resolution: 'refund_due' })
  const rows = await setup.readRows()
  expect(rows.letters).toEqual([])
  expect(rows.refunds).toMatchObject([
    { reason: 'letter_not_printable', amountMinor: 500_000, status: 'due' },
  ])
  expect(rows.ledger.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0)
  const staff = await newSession('admin')
  const id = synced?.payment.transactionId
  const statusReply = await call(
    'GET',
    `/verification/check-verification-status/${id}`,
    undefined,
    staff.token,
  )
  expect(statusReply.body).toMatchObject({
    status: 'paid',
    verification_status: null,
    resolution: 'refund_due',
  })
  expect(statusReply.body.message).toMatch(/could not be printed.*will be refunded/)
})

test('an issued letter with unprintable data is not signed, and is reissued once the data is corrected', async () => {
  const { reference, number, user: payer } = await setup.newPayment()
  setup.gateway.setOutcome(reference, 'succeeded')
  await syncWithGateway(setup.ports, setup.database, { reference }, 'webhook')
  const [letter] = (await setup.readRows()).letters
  const code = letter?.code ?? ''
  expect((await call('GET', `/letters/${code}.pdf`)).status).toBe(200)
  await execute(
    sql`update letters set template = json_set(template, '$.content.certificate_details.name', '李 Obi')`,
  )
  expect(await call('GET', `/letters/${code}.pdf`)).toMatchObject(NOT_PRINTABLE_REPLY)
  // The current certificate cannot be printed either, so no letter replaces this one until it is corrected.
  await makeUnprintable(number)
  user = { ...user, token: await tokenOf(payer.id) }
  expect(await call('POST', `/verification/letters/${code}/reissue`)).toMatchObject(NOT_PRINTABLE_REPLY)
  expect((await setup.readRows()).letters).toHaveLength(1)
  await execute(sql`update certificates set student_name = 'Ọlá Obi' where certificate_number = ${number}`)
  const secondReply = await call('POST', `/verification/letters/${code}/reissue`)
  expect(secondReply.status).toBe(200)
  expect((await call('GET', `/letters/${secondReply.body.letter.code}.pdf`)).status).toBe(200)
})

async function tokenOf(userId: string) {
  const sessionId = crypto.randomUUID()
  const [issuedAt, expiresAt] = [setup.ports.time, setup.ports.time + 3_600_000]
  await setup.database.write(tx =>
    insertSession(tx, { id: sessionId, userId, createdAt: issuedAt, expiresAt }),
  )
  return signToken(
    { userId, sessionId, role: 'user', issuedAt, expiresAt },
    setup.ports.environment.JWT_SECRETS,
  )
}
