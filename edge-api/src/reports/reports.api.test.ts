import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  staffToken,
} from '../../test/portal.ts'

type Query = Record<string, string>
const get = (path: string, token: string, query: Query = {}, headers: Record<string, string> = {}) =>
  request('GET', `${path}?${new URLSearchParams(query)}`, { token, headers })

const AUTHENTICATIONS = '/admin/authentications'
const TRANSACTIONS = '/admin/bpms/transactions'
const REPORTS = '/admin/bpms/reports'
const today = () => new Date().toISOString().slice(0, 10)
const csv = { accept: 'text/csv' }
const splitLines = (file: string) => file.trimEnd().split('\r\n')

interface Attempt {
  number: string
  id: string
  reference: string
}

async function start(account: Account): Promise<Attempt> {
  const { certificate_number: number } = await newCertificate()
  const { body } = await request('POST', '/verification/process-payment', {
    token: account.token,
    body: { certificate_number: number },
  })
  return { number, id: body.transaction_id, reference: body.payment_reference }
}

async function endPayment(account: Account, attempt: Attempt, code: string, status: string): Promise<void> {
  await endPaymentAtGateway(attempt.reference, code)
  await eventually(async () => {
    const path = `/verification/check-verification-status/${attempt.id}`
    const { body } = await request('GET', path, { token: account.token })
    return body.status === status || undefined
  }, `${attempt.id} to be ${status}`)
}

/** Creates an account with a paid, a declined and an open payment, and a name that a spreadsheet would run as a formula. */
async function createThreePayments() {
  const account = await newAccount({ lastname: '=HYPERLINK("x","y")' })
  const paid = await start(account)
  await endPayment(account, paid, '00', 'paid')
  const declined = await start(account)
  await endPayment(account, declined, '51', 'failed')
  const open = await start(account)
  return { account, paid, declined, open }
}

let token: string
let payments: Awaited<ReturnType<typeof createThreePayments>>
beforeAll(async () => {
  token = await staffToken('admin')
  payments = await createThreePayments()
})

describe('authentications', () => {
  const listIds = async (query: Query) => {
    const { body } = await get(AUTHENTICATIONS, token, { search: payments.account.email, ...query })
    return body.authentications.map((row: { bpms_transaction_id: string }) => row.bpms_transaction_id)
  }

  test('list the verifications of all accounts with the fields of the specification and the organisation, newest first', {
    tags: ['STAFF-25'],
  }, async () => {
    const { account, paid, open } = payments
    const { status, body } = await get(AUTHENTICATIONS, token, { search: account.email.toUpperCase() })
    expect(status).toBe(200)
    expect(body.pagination).toEqual({
      page: 1,
      pages: 1,
      per_page: 20,
      total: 3,
      has_prev: false,
      has_next: false,
    })
    const [newest] = body.authentications
    expect(newest.bpms_transaction_id).toBe(open.id)
    const row = body.authentications.find(
      (item: { bpms_transaction_id: string }) => item.bpms_transaction_id === paid.id,
    )
    expect(row).toEqual({
      id: expect.any(String),
      user: { email: account.email, firstname: account.firstname, lastname: account.lastname },
      organisation: null,
      certificate_number: paid.number,
      payment_status: 'paid',
      amount_paid: 5000,
      payment_reference: paid.reference,
      authentication_result: 'success',
      authenticated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      bpms_transaction_id: paid.id,
    })
    const times = body.authentications.map(
      (authentication: { authenticated_at: string }) => authentication.authenticated_at,
    )
    expect(times).toEqual([...times].sort().reverse())
  })

  test('are filtered by their result, in either case, and by UTC days, the last one included', {
    tags: ['STAFF-25'],
  }, async () => {
    const { paid, declined, open } = payments
    expect(await listIds({ status: 'success' })).toEqual([paid.id])
    expect(await listIds({ status: 'FAILED' })).toEqual([declined.id])
    expect(await listIds({ status: 'pending' })).toEqual([open.id])
    expect(await listIds({ date_from: today(), date_to: today() })).toHaveLength(3)
    expect(await listIds({ date_from: '2999-01-01' })).toEqual([])
    expect(await listIds({ date_to: '2001-01-01' })).toEqual([])
    expect(await listIds({ status: '', date_from: '', date_to: '' })).toHaveLength(3)
  })

  test('are paginated, and a page beyond the last is empty', async () => {
    const pages = await Promise.all(['1', '2', '3', '4'].map(page => listIds({ page, per_page: '1' })))
    expect(pages.flat()).toEqual(await listIds({}))
    const { body } = await get(AUTHENTICATIONS, token, { per_page: '1', page: '2' })
    expect(body.pagination).toMatchObject({ page: 2, per_page: 1, has_prev: true, has_next: true })
  })

  test('are found by number, by ID (with or without dashes), and by reference', async () => {
    const { paid } = payments
    const groupedId = paid.id.toLowerCase().replace(/(.{4})(?=.)/g, '$1-')
    for (const search of [paid.number.toLowerCase(), paid.id, groupedId, paid.reference])
      expect(await listIds({ search })).toEqual([paid.id])
    expect(await listIds({ search: '%' })).toEqual([])
  })

  test('agree with the payer’s own history', async () => {
    const { body } = await get(AUTHENTICATIONS, token, { search: payments.account.email })
    const { body: own } = await get('/verification/history', payments.account.token)
    const comparable = (rows: Record<string, unknown>[]) =>
      rows
        .map(row => [row.id, row.authentication_result, row.payment_status, row.authenticated_at])
        .sort((a, b) => String(a[0]).localeCompare(String(b[0])))
    expect(comparable(body.authentications)).toEqual(comparable(own.history))
  })

  test('are available as a named file with neutralised formulas, with all rows even if a page is requested', {
    tags: ['STAFF-30'],
  }, async () => {
    const query = { search: payments.account.email, per_page: '1' }
    const response = await get(AUTHENTICATIONS, token, query, csv)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="authentications_${today()}.csv"`,
    )
    const lines = splitLines(response.body)
    expect(lines[0]).toBe(
      'id,user_email,user_firstname,user_lastname,certificate_number,payment_status,amount_paid,payment_reference,authentication_result,authenticated_at,bpms_transaction_id,organisation_name',
    )
    expect(lines).toHaveLength(4)
    for (const line of lines.slice(1)) expect(line).toContain(`"'=HYPERLINK(""x"",""y"")"`)
    const logged = await get('/admin/activity-logs', token, { search: 'Verifications exported' })
    expect(logged.body.logs[0]).toMatchObject({ activity: 'Verifications exported' })
  })

  test('are streamed with every row once, newest first', async () => {
    const { body } = await get(AUTHENTICATIONS, token, { per_page: '1' })
    const file = await get(AUTHENTICATIONS, token, {}, csv)
    const ids = splitLines(file.body)
      .slice(1)
      .map(line => line.split(',', 1)[0])
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(body.pagination.total)
  })
})

describe('transactions', () => {
  const listIds = async (query: Query) => {
    const ids = new Set([payments.paid.id, payments.declined.id, payments.open.id])
    const { body } = await get(TRANSACTIONS, token, { per_page: '100', date_from: today(), ...query })
    const all: string[] = body.transactions.map((row: { transid: string }) => row.transid)
    return all.filter(id => ids.has(id))
  }

  test('have the fields of the provider with the values of the portal', { tags: ['STAFF-26'] }, async () => {
    const { account, paid } = payments
    const { status, body } = await get(TRANSACTIONS, token, { transaction_id: paid.id })
    expect(status).toBe(200)
    expect(body.pagination).toMatchObject({ page: 1, per_page: 50, total: 1 })
    expect(body.transactions).toEqual([
      {
        transaction_id: paid.id,
        transid: paid.id,
        payment_reference: paid.reference,
        regnum: paid.number,
        items: 1,
        sname: account.lastname,
        fname: account.firstname,
        email: account.email,
        currency: 'NGN',
        amount_due: 5000,
        amount_paid: 5000,
        status: 'paid',
        status_desc: 'APPROVED',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
  })

  test('are filtered by PAID, PENDING or FAILED in either case, by days, and by the beginning of an ID', {
    tags: ['STAFF-26'],
  }, async () => {
    const { paid, declined, open } = payments
    for (const status of ['PAID', 'paid']) expect(await listIds({ status })).toEqual([paid.id])
    expect(await listIds({ status: 'FAILED' })).toEqual([declined.id])
    expect(await listIds({ status: 'PENDING' })).toEqual([open.id])
    expect(await listIds({})).toEqual([open.id, declined.id, paid.id])
    expect(await listIds({ date_from: '', date_to: '2001-01-01' })).toEqual([])
    const begins = open.id.slice(0, 12).toLowerCase()
    expect(await listIds({ transaction_id: begins })).toEqual([open.id])
    expect(await listIds({ search: begins })).toEqual([open.id])
    expect(await listIds({ search: paid.reference })).toEqual([paid.id])
  })

  test('are available as a named file with neutralised formulas', {
    tags: ['QUALITY-39', 'STAFF-30'],
  }, async () => {
    const response = await get(TRANSACTIONS, token, { search: payments.paid.id }, csv)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="transactions_${today()}.csv"`,
    )
    const [header, row] = splitLines(response.body)
    expect(header).toBe(
      'transid,regnum,sname,fname,email,currency,amount_due,amount_paid,status_desc,created_at,updated_at,transaction_id,payment_reference,items,status',
    )
    expect(row).toContain(`"'=HYPERLINK(""x"",""y"")"`)
    const all = splitLines((await get(TRANSACTIONS, token, {}, csv)).body).slice(1)
    const ids = all.map(line => line.split(',', 1)[0])
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the report', () => {
  test('counts the last 30 days, and includes new payments immediately', { tags: ['STAFF-29'] }, async () => {
    const before = (await get(REPORTS, token)).body.report
    expect(before.date_to).toBe(today())
    expect(Date.parse(before.date_to) - Date.parse(before.date_from)).toBe(2_592_000_000)
    const account = await newAccount()
    const attempt = await start(account)
    await endPayment(account, attempt, '00', 'paid')
    const after = (await get(REPORTS, token)).body.report
    expect(after.verifications - before.verifications).toBe(1)
    expect(after.successful - before.successful).toBe(1)
    expect(after.not_found).toBe(before.not_found)
    expect(after.revenue - before.revenue).toBe(5000)
    expect(after).toMatchObject({ currency: 'NGN', success_rate: expect.any(Number) })
    const paid = (report: typeof after) =>
      report.payments.find((row: { status: string }) => row.status === 'paid')
    expect(after.payments.map((row: { status: string }) => row.status)).toEqual(['paid', 'pending', 'failed'])
    expect(paid(after).count - paid(before).count).toBe(1)
    expect(paid(after).amount_paid - paid(before).amount_paid).toBe(5000)
  })

  test('has zeros for an empty period, and ends on the requested day', async () => {
    const { body } = await get(REPORTS, token, { date_from: '2001-01-01', date_to: '2001-01-31' })
    expect(body.report).toMatchObject({
      date_from: '2001-01-01',
      date_to: '2001-01-31',
      verifications: 0,
      success_rate: 0,
      revenue: 0,
      payments: [
        { status: 'paid', count: 0, amount_due: 0, amount_paid: 0 },
        { status: 'pending', count: 0, amount_due: 0, amount_paid: 0 },
        { status: 'failed', count: 0, amount_due: 0, amount_paid: 0 },
      ],
    })
    expect((await get(REPORTS, token, { date_to: '2026-01-31' })).body.report.date_from).toBe('2026-01-01')
  })
})

test.each([
  [AUTHENTICATIONS, { status: 'verified' }],
  [AUTHENTICATIONS, { date_from: '2026-02-30' }],
  [AUTHENTICATIONS, { per_page: '101' }],
  [AUTHENTICATIONS, { page: '0' }],
  [AUTHENTICATIONS, { search: 'x'.repeat(201) }],
  [TRANSACTIONS, { status: 'REFUNDED' }],
  [TRANSACTIONS, { date_to: 'yesterday' }],
  [TRANSACTIONS, { per_page: '0' }],
  [REPORTS, { date_from: '31/01/2026' }],
])('%s refuses %j', async (path, query) => {
  expect(await get(path, token, query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
})

test.each([AUTHENTICATIONS, TRANSACTIONS, REPORTS])('%s is for staff only, also as a file', async path => {
  for (const headers of [{}, csv]) {
    expect((await get(path, payments.account.token, {}, headers)).status).toBe(403)
    expect((await request('GET', path, { headers })).status).toBe(401)
    expect((await get(path, await staffToken('super_admin'), {}, headers)).status).toBe(200)
  }
})
