import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestPortal, PASSWORD } from '../../test/account-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { auditHistory } from '../history/audit.ts'
import { auditActivityLog } from '../logs/audit.ts'
import { sealActivity } from '../logs/seal.ts'
import { insertCallback } from '../payments/inbox-store.ts'

const DAY = 86_400_000
const password = { current_password: PASSWORD }

let setup: TestSetup
let portal: Awaited<ReturnType<typeof openTestPortal>>
let superAdmin: Awaited<ReturnType<typeof portal.account>>
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
  superAdmin = await portal.account('super_admin')
})
afterEach(() => setup.close())

type Account = Awaited<ReturnType<typeof portal.account>>

const requestErasure = ({ token }: Pick<Account, 'token'>) =>
  portal.call('POST', '/account/erasure', token, password)
const readState = async ({ token }: Account) => (await portal.call('GET', '/account/erasure', token)).body
const execute = async (sql: string) => (await setup.database.client.execute(sql)).rows

async function startPayment({ token }: Account) {
  const certificate_number = await setup.newCertificate()
  const { body } = await portal.call('POST', '/verification/process-payment', token, { certificate_number })
  return { number: certificate_number, reference: String(body.payment_reference), id: body.transaction_id }
}

/** Pays for a verification, which gets a letter. */
async function pay(account: Account) {
  const started = await startPayment(account)
  setup.gateway.setOutcome(started.reference, 'succeeded')
  await portal.advance(60_000)
  const path = `/verification/check-verification-status/${started.id}`
  const { body } = await portal.call('GET', path, account.token)
  return { ...started, letter: String(body.letter.code) }
}

/** Returns every row of every table that contains one of the words, as `table: row`. Search indexes contain no text. */
async function listRowsThatMention(words: readonly string[]): Promise<string[]> {
  const tables = await execute(
    "select name from sqlite_master where type = 'table' and name not like '%\\_search%' escape '\\'",
  )
  const found: string[] = []
  for (const { name } of tables) {
    for (const row of await execute(`select * from "${name}"`)) {
      const text = JSON.stringify(row)
      if (words.some(word => text.toLowerCase().includes(word.toLowerCase()))) found.push(`${name}: ${text}`)
    }
  }
  return found
}

const person = {
  ...makeUser(),
  firstname: 'Quillonia',
  lastname: 'Vexworth',
  email: 'quillonia@vexworth.test',
  phone: '08039876501',
  address: 'Vexworth Holdings, 7 Needle Street, Ibadan',
}
const personalTexts = [
  'Quillonia',
  'Vexworth',
  '08039876501',
  'Needle Street',
  'formerly@users.test',
  '203.0.113.77',
]

/** Creates an account with data in every table that can contain any. */
async function createAccountWithData() {
  const account = await portal.account('user', { ...person, email: 'formerly@users.test' })
  const { id, token } = account
  const userPath = `/admin/users/${id}`
  // The account is staff for a while.
  await portal.call('PUT', `${userPath}/role`, superAdmin.token, { role: 'admin' })
  await portal.call('POST', '/admin/certificates', token, makeCertificate())
  await portal.call('PUT', '/admin/settings/verification-fee', token, { fee: 4000 })
  await portal.call('POST', '/admin/bpms/reconcile', token, { date: '2026-01-14' })
  await setup.database.client.execute({
    sql: `insert into uploads (id, uploader_id, uploader_email, ip_address, filename, dry_run, on_conflict, state, created_at)
      values ('u', ?, 'formerly@users.test', '203.0.113.77', 'some.csv', 0, 'fail', 'done', 1)`,
    args: [id],
  })
  await portal.call('PUT', `${userPath}/role`, superAdmin.token, { role: 'user' })
  const { firstname, lastname, email, phone, address } = person
  await portal.call('PUT', userPath, superAdmin.token, { firstname, lastname, email, phone, address })
  await portal.call('PUT', `${userPath}/verify-email`, superAdmin.token)
  const updatedAccount = { ...account, email, token: await portal.session(id, 'user') }
  setup.gateway.onInitiate = async (order, proceed) => ({
    ...proceed(),
    fields: { email: order.customer.email, fname: order.customer.firstname },
  })
  const paid = await pay(updatedAccount)
  await setup.database.write(tx =>
    insertCallback(tx, {
      provider: 'sandbox',
      eventKey: 'e',
      reference: paid.reference,
      raw: JSON.stringify({ customer: person }),
      receivedAt: setup.ports.time,
    }),
  )
  setup.ports.mailer.send = () => Promise.reject(new Error('the mail server is down'))
  await portal.call('POST', `/verification/letters/${paid.letter}/email`, updatedAccount.token, {
    email: 'colleague@users.test',
    message: '',
  })
  await setup.database.client.execute({
    sql: "insert into activity_log (user_id, user_email, activity, ip_address, at) values (?, ?, 'User login', '203.0.113.77', 1)",
    args: [id, email],
  })
  for (const [table, owner] of [
    ['payments', 'user_id'],
    ['reconciliations', 'by_user_id'],
  ])
    await setup.database.client.execute({
      sql: `update ${table} set ip_address = '203.0.113.77' where ${owner} = ?`,
      args: [id],
    })
  await sealActivity(setup.database)
  return { account: updatedAccount, paid }
}

describe('an account with data in every table', () => {
  test('is mentioned nowhere after its erasure, while payments, letters and the hash chain remain', {
    tags: ['DATA-2'],
  }, async () => {
    const { account, paid } = await createAccountWithData()
    const before = await setup.readRows()
    expect((await listRowsThatMention(personalTexts)).map(row => row.split(':')[0])).toEqual(
      expect.arrayContaining([
        'users',
        'user_texts',
        'activity_log',
        'letters',
        'payments',
        'webhook_inbox',
        'uploads',
        'certificates',
        'setting_changes',
        'reconciliations',
        'ranked_counters',
      ]),
    )
    expect(before.outbox.filter(mail => mail.sealed !== null).length).toBeGreaterThan(0)

    const response = await requestErasure(account)
    expect(response).toMatchObject({ status: 200, body: { open_payments: 0, refunds_due: 0 } })
    expect(response.body.message).toMatch(/will be erased on January 22, 2026/)
    await portal.advance(7 * DAY - 120_000)
    expect((await portal.call('GET', '/auth/profile', account.token)).status).toBe(200)
    await portal.advance(DAY)
    expect(await listRowsThatMention(personalTexts)).toEqual([])
    const sent: string[] = []
    setup.ports.mailer.send = async mail => {
      sent.push(`${mail.to}: ${mail.subject}`)
    }
    await portal.advance(DAY)
    // The last mail is sent. A mail to a colleague that contained the name was deleted.
    expect(sent).toEqual(['quillonia@vexworth.test: Your account was erased'])
    const after = await setup.readRows()
    expect(after.ledger).toEqual(before.ledger)
    expect(
      after.payments.map(({ id, userId, amountPaidMinor, status }) => ({
        id,
        userId,
        amountPaidMinor,
        status,
      })),
    ).toEqual(
      before.payments.map(({ id, userId, amountPaidMinor, status }) => ({
        id,
        userId,
        amountPaidMinor,
        status,
      })),
    )
    expect(after.fulfilments).toEqual(before.fulfilments)

    const checked = await portal.call('GET', `/letters/${paid.letter}`)
    expect(checked).toMatchObject({
      status: 200,
      body: { status: 'valid', recipient: 'Addressee erased on request', certificate_number: paid.number },
    })
    await sealActivity(setup.database)
    const { broken, erased } = await auditActivityLog(setup.database)
    expect(broken).toBeUndefined()
    expect(erased).toBeGreaterThan(5)

    expect((await portal.call('GET', '/auth/profile', account.token)).status).toBe(401)
    const login = { email: person.email, password: PASSWORD }
    expect((await portal.call('POST', '/auth/login', undefined, login)).body.code).toBe('INVALID_CREDENTIALS')
    expect((await portal.call('GET', '/admin/users?role=user', superAdmin.token)).body.users).toEqual([])
    expect((await portal.call('GET', '/admin/users?search=erased', superAdmin.token)).body.users).toEqual([])
    expect(
      (await portal.call('GET', '/admin/analytics/dashboard', superAdmin.token)).body.analytics.total_users,
    ).toBe(1)
    for (const path of ['toggle-status', 'verify-email'])
      expect((await portal.call('PUT', `/admin/users/${account.id}/${path}`, superAdmin.token)).status).toBe(
        404,
      )
    expect((await portal.call('GET', `/admin/users/${account.id}/data`, superAdmin.token)).status).toBe(404)
    const [entry] = (await execute("select * from activity_log where activity = 'Account erased'")) ?? []
    expect(entry).toMatchObject({ user_id: null, details: `Account ${account.id}` })
  })

  test('is counted without a name after its erasure; an organisation with other members keeps its figures', async () => {
    const { account } = await createAccountWithData()
    const shared = await portal.account('user', { ...makeUser(), address: 'Common Trust, 1 Road' })
    const leavingAccount = await portal.account('user', { ...makeUser(), address: 'common trust, 2 Road' })
    await pay(shared)
    await pay(leavingAccount)
    const sumVerifications = (name: string) =>
      execute(
        `select sum(verifications) as total from ranked_counters where kind = 'organisation' and unit = 'day' and name = '${name}'`,
      )
    expect(await sumVerifications('Common Trust')).toMatchObject([{ total: 2 }])
    await requestErasure(account)
    await requestErasure(leavingAccount)
    await portal.advance(8 * DAY)
    await portal.advance(0)
    expect(await sumVerifications('Common Trust')).toMatchObject([{ total: 2 }])
    expect(await sumVerifications('Vexworth Holdings')).toMatchObject([{ total: null }])
    expect(await sumVerifications('')).toMatchObject([{ total: 1 }])
    expect(await execute('select count(*) as n from users where erased_at is not null')).toMatchObject([
      { n: 2 },
    ])
  })
})

describe('an erasure is prevented by', () => {
  test('an open payment, until it has ended', { tags: ['DATA-3'] }, async () => {
    const account = await portal.account()
    const { reference } = await startPayment(account)
    expect(await readState(account)).toEqual({ due_at: null, open_payments: 1, refunds_due: 0 })
    expect(await requestErasure(account)).toMatchObject({ status: 409, body: { code: 'ERASURE_BLOCKED' } })
    setup.gateway.setOutcome(reference, 'succeeded')
    await portal.advance(60_000)
    expect((await requestErasure(account)).status).toBe(200)
  })

  test('a refund that is due', { tags: ['DATA-3'] }, async () => {
    const account = await portal.account()
    const { reference } = await startPayment(account)
    setup.gateway.setOutcome(reference, 'succeeded', { amountPaid: { minor: 600_000, currency: 'NGN' } })
    await portal.advance(60_000)
    expect(await readState(account)).toEqual({ due_at: null, open_payments: 0, refunds_due: 1 })
    expect((await requestErasure(account)).body.code).toBe('ERASURE_BLOCKED')
  })

  test('a payment started after the request, until the payment has ended', async () => {
    const account = await portal.account()
    await requestErasure(account)
    await portal.advance(7 * DAY - 120_000)
    const { reference } = await startPayment(account)
    await portal.advance(180_000)
    expect((await portal.call('GET', '/auth/profile', account.token)).status).toBe(200)
    setup.gateway.setOutcome(reference, 'succeeded')
    await portal.advance(600_000)
    // Queues run concurrently: the erasure may have been tried before the payment ended, and is then retried.
    await portal.advance(600_000)
    expect((await portal.call('GET', '/auth/profile', account.token)).status).toBe(401)
  })

  test('a cancelled payment, until the requeries for a late payment have ended', async () => {
    const account = await portal.account()
    await requestErasure(account)
    await portal.advance(6 * DAY)
    const { reference } = await startPayment(account)
    setup.gateway.setOutcome(reference, 'cancelled')
    await portal.advance(60_000)
    expect((await readState(account)).open_payments).toBe(0)
    await portal.advance(DAY)
    expect((await portal.call('GET', '/auth/profile', account.token)).status).toBe(200)
    await portal.advance(7 * DAY)
    await portal.advance(DAY)
    expect((await portal.call('GET', '/auth/profile', account.token)).status).toBe(401)
  })

  test('a staff role', async () => {
    expect(await requestErasure(superAdmin)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect((await readState(superAdmin)).due_at).toBeNull()
  })

  test('a wrong password of the owner or of a super admin', async () => {
    const account = await portal.account()
    const wrong = { current_password: 'Wrong1234' }
    for (const [path, token] of [
      ['/account/erasure', account.token],
      [`/admin/users/${account.id}/erasure`, superAdmin.token],
    ] as const)
      expect(await portal.call('POST', path, token, wrong)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_CURRENT_PASSWORD', fields: { current_password: expect.any(String) } },
      })
    expect((await readState(account)).due_at).toBeNull()
  })
})

describe('the address of an erased account', () => {
  const insertUser = (email: string) =>
    execute(
      `insert into users (id, email, firstname, lastname, password_hash, role, is_enabled, created_at, updated_at)
       values ('${crypto.randomUUID()}', '${email}', 'Some', 'One', '-', 'user', 1, 1, 1)`,
    )

  test('cannot be registered by others in advance to prevent the erasure', {
    tags: ['DATA-15'],
  }, async () => {
    const account = await portal.account()
    await insertUser(`${account.id}@erased.invalid`)
    await requestErasure(account)
    await portal.advance(8 * DAY)
    expect((await portal.call('GET', '/auth/profile', account.token)).status).toBe(401)
    expect(await execute('select count(*) as n from users where erased_at is not null')).toMatchObject([
      { n: 1 },
    ])
  })

  test('cannot be registered, nor assigned by staff', {
    tags: ['DATA-15'],
  }, async () => {
    const account = await portal.account()
    const email = `${account.id}@Erased.Invalid`
    const { password: _, ...fields } = makeUser()
    for (const response of [
      await portal.call('POST', '/auth/register', undefined, { ...makeUser(), email }),
      await portal.call('POST', '/admin/users', superAdmin.token, { ...makeUser(), email, role: 'user' }),
      await portal.call('PUT', `/admin/users/${account.id}`, superAdmin.token, { ...fields, email }),
    ])
      expect(response).toMatchObject({
        status: 400,
        body: { fields: { email: 'Please enter a valid email address' } },
      })
  })

  test('is not in the history, nor are the person’s values, and the history can still be verified', {
    tags: ['REGISTER-29'],
  }, async () => {
    const { account } = await createAccountWithData()
    const readHistory = async (path: string) =>
      (await portal.call('GET', `/admin/${path}/history`, superAdmin.token)).body.changes
    const before = await readHistory(`users/${account.id}`)
    expect(before.flatMap(({ changes }: { changes: unknown[] }) => changes)).not.toEqual([])
    await requestErasure(account)
    await portal.advance(8 * DAY)
    expect((await portal.call('GET', `/admin/users/${account.id}`, superAdmin.token)).status).toBe(404)
    const after = await readHistory(`users/${account.id}`)
    expect(after).toEqual(before.map((change: object) => ({ ...change, reason: null, changes: [] })))
    // The account made these changes while it was staff.
    const [fee] = await readHistory('settings/fee')
    expect(fee.actor).toEqual({ id: account.id, email: 'Erased account' })
    const [registerChange] = (await portal.call('GET', '/admin/register-changes', superAdmin.token)).body
      .changes
    expect(registerChange.actor).toEqual({ id: account.id, email: 'Erased account' })
    const stored = await execute(
      `select fields, salt from record_changes where kind = 'user' and record_id = '${account.id}'`,
    )
    expect(new Set(stored.flatMap(row => Object.values(row)))).toEqual(new Set([null]))
    expect((await auditHistory(setup.database.read)).broken).toBeUndefined()
  })

  test('is not shown anywhere: lists, exports and search show an erased account', {
    tags: ['DATA-15'],
  }, async () => {
    const { account, paid } = await createAccountWithData()
    await requestErasure(account)
    await portal.advance(8 * DAY)
    const calls = [
      '/admin/authentications',
      '/admin/bpms/transactions',
      '/admin/settings/fee-history',
      '/admin/certificates',
      '/admin/certificates/uploads',
      '/admin/reconciliations',
      `/admin/search?q=${paid.reference}`,
    ]
    for (const path of calls) {
      const { status, body } = await portal.call('GET', path, superAdmin.token)
      expect([path, status]).toEqual([path, 200])
      expect([path, JSON.stringify(body).includes('Erased account')]).toEqual([path, true])
      expect([path, JSON.stringify(body).includes('.invalid')]).toEqual([path, false])
    }
  })
})

describe('the week before an erasure', () => {
  test('counts from the first request; if the request is revoked, the account stays and its owner is notified of both', {
    tags: ['DATA-3'],
  }, async () => {
    const account = await portal.account()
    const first = (await requestErasure(account)).body.due_at
    setup.ports.time += DAY
    expect((await requestErasure(account)).body.due_at).toBe(first)
    expect((await portal.call('DELETE', '/account/erasure', account.token)).status).toBe(200)
    await portal.advance(10 * DAY)
    expect((await portal.call('GET', '/auth/profile', account.token)).status).toBe(200)
    const subjects = setup.ports.sent.filter(({ to }) => to === account.email).map(({ subject }) => subject)
    expect(subjects).toEqual([
      'Your account will be erased on January 22, 2026',
      'Your account will not be erased',
    ])
  })

  test('lets a super admin request the erasure for a person, and cancel it for them', async () => {
    const account = await portal.account()
    const path = `/admin/users/${account.id}/erasure`
    const { body } = await portal.call('POST', path, superAdmin.token, password)
    expect(body.due_at).toBe((await readState(account)).due_at)
    const [mail] = setup.ports.sent.filter(({ to }) => to === account.email)
    expect(mail?.text).toMatch(/You wrote to us/)
    const [entry] = await execute("select * from activity_log where activity = 'Account erasure requested'")
    expect(entry).toMatchObject({ user_id: superAdmin.id, details: account.email })
    await portal.call('DELETE', path, superAdmin.token)
    expect((await readState(account)).due_at).toBeNull()
  })
})

test('mail to an erased account is neither stored nor sent', async () => {
  const account = await portal.account()
  const { number } = await pay(account)
  await requestErasure(account)
  await portal.advance(8 * DAY)
  setup.ports.sent.length = 0
  const { body } = await portal.call('GET', `/admin/certificates?search=${number}`, superAdmin.token)
  await portal.call('DELETE', `/admin/certificates/${body.certificates[0].id}`, superAdmin.token)
  await portal.advance(120_000)
  expect(setup.ports.sent).toEqual([])
  expect((await setup.readRows()).letters).toMatchObject([{ notifiedStatus: 'withdrawn' }])
})
