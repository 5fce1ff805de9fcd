import { describe, expect, test } from 'vitest'
import {
  type Account,
  control,
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  staffToken,
  waitForMails,
} from '../../test/portal.ts'

/* Tests reconciliation, refunds and the ledger over HTTP, on the sandbox gateway, which lists payments but cannot refund. */

const today = () => new Date().toISOString().slice(0, 10)
const checkStatus = (account: Account, id: string) =>
  request('GET', `/verification/check-verification-status/${id}`, { token: account.token })
const reconcile = (token: string, body: object = { date: today() }, accept = 'application/json') =>
  request('POST', '/admin/bpms/reconcile', { token, body, headers: { accept } })
const reconcileTransaction = (token: string, id: string) =>
  request('POST', `/admin/bpms/reconcile/${id}`, { token })
const listRefunds = (token: string, id: string) => request('GET', `/admin/refunds?search=${id}`, { token })
const readLedger = (token: string, id: string) =>
  request('GET', `/admin/ledger?transaction_id=${id}`, { token })

async function startPayment() {
  const [account, certificate] = await Promise.all([newAccount(), newCertificate()])
  const { body } = await request('POST', '/verification/process-payment', {
    token: account.token,
    body: { certificate_number: certificate.certificate_number },
  })
  return {
    account,
    number: certificate.certificate_number,
    id: String(body.transaction_id),
    reference: String(body.payment_reference),
    amount: Number(body.amount_paid),
  }
}

/** Creates a payment with one naira too much, so that a refund is due. */
async function createOverpayment() {
  const payment = await startPayment()
  const { reference, amount } = payment
  await control('settle', { request_id: reference, code: '00', amount_paid: amount + 1 })
  await eventually(async () => {
    const { body } = await checkStatus(payment.account, payment.id)
    return body.status === 'paid' ? body : undefined
  }, 'the payment')
  const { body } = await listRefunds(await staffToken('admin'), payment.id)
  expect(body.refunds).toHaveLength(1)
  return { ...payment, refund: body.refunds[0] }
}

describe('reconciliation of a day', () => {
  test('responds with JSON, marks payments made at the gateway as paid, and stores the run', {
    tags: ['STAFF-22'],
  }, async () => {
    const token = await staffToken('admin')
    const { id, reference } = await startPayment()
    await endPaymentAtGateway(reference, '00')
    const { status, body } = await reconcile(token)
    expect(status).toBe(200)
    expect(body.processed_count).toBeGreaterThan(0)
    const filterByTransaction = (rows: { transaction_id: string | null }[]) =>
      rows.filter(row => row.transaction_id === id)
    expect(filterByTransaction(body.mismatches)).toEqual([])
    expect(
      (await request('GET', `/verification/transactions/${id}/logs`, { token })).body.logs[0],
    ).toMatchObject({ type: 'paid' })
    const runs = await request('GET', '/admin/reconciliations', { token })
    expect(runs.body.reconciliations[0]).toMatchObject({ date: today(), by_email: expect.any(String) })
    expect(runs.body.reconciliations[0].finished_at).not.toBeNull()
    const logs = await request('GET', '/admin/activity-logs?search=Payments+reconciled', { token })
    expect(logs.body.logs[0]).toMatchObject({ activity: 'Payments reconciled' })
  })

  test('streams progress lines and then the result', { tags: ['STAFF-22'] }, async () => {
    await startPayment()
    const { status, headers, body } = await reconcile(
      await staffToken('admin'),
      { date: today() },
      'application/x-ndjson',
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/x-ndjson')
    const lines = String(body)
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines[0]).toMatchObject({ type: 'progress', processed: 0, total: expect.any(Number) })
    const result = lines.at(-1)
    expect(result).toMatchObject({ type: 'result', mismatches: expect.any(Array) })
    expect(result.processed_count).toBeGreaterThan(0)
    expect(lines.slice(0, -1).every(({ type }) => type === 'progress')).toBe(true)
  })

  test.each([
    [{}, 'Please choose a date.'],
    [{ date: '2026-02-30' }, 'Please enter a date as YYYY-MM-DD.'],
    [{ date: '2999-01-01' }, 'Please choose today or an earlier day.'],
  ])('rejects the body %j', async (body, message) => {
    const response = await reconcile(await staffToken('admin'), body)
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', fields: { date: message } },
    })
  })
})

describe('reconciliation of one transaction', () => {
  test('accepts the ID with or without dashes, and responds in the wording of the specification', {
    tags: ['STAFF-22'],
  }, async () => {
    const token = await staffToken('admin')
    const { id, reference } = await startPayment()
    await endPaymentAtGateway(reference, '00')
    const dashed = id.toLowerCase().replace(/(.{4})(?!$)/g, '$1-')
    const first = await reconcileTransaction(token, dashed)
    expect(first).toMatchObject({
      status: 200,
      body: {
        message: `Transaction ${id} reconciled successfully.`,
        transaction_id: id,
        status: 'paid',
        mismatches: [],
      },
    })
    expect((await reconcileTransaction(token, id)).body).toMatchObject({ updated: false, mismatches: [] })
  })

  test('is for staff only, and responds with TRANSACTION_NOT_FOUND to an unknown ID', async () => {
    const unknownId = `CVF${'0'.repeat(21)}`
    expect(await reconcileTransaction(await staffToken('admin'), unknownId)).toMatchObject({
      status: 404,
      body: { code: 'TRANSACTION_NOT_FOUND' },
    })
    const { account, id } = await startPayment()
    expect((await reconcileTransaction(account.token, id)).status).toBe(403)
  })

  test('finds no differences in demo data, which no gateway knows', async () => {
    const token = await staffToken('admin')
    const search = await request('GET', '/verification/transactions/search?status=paid&limit=100', { token })
    const oldPayment = search.body.transactions.find(
      (item: { created_at: string }) => Date.parse(item.created_at) < Date.now() - 7 * 86_400_000,
    )
    expect((await reconcileTransaction(token, oldPayment.transaction_id)).body).toMatchObject({
      status: 'paid',
      updated: false,
      mismatches: [],
    })
  })
})

test('20 parallel callbacks, status checks and reconciliations cause one transition to paid and one letter, and the ledger adds up', {
  tags: ['QUALITY-24'],
}, async () => {
  const token = await staffToken('admin')
  const { account, id, reference } = await startPayment()
  await endPaymentAtGateway(reference, '00')
  const calls = [
    () => control('redeliver', { request_id: reference }),
    () => checkStatus(account, id),
    () => reconcileTransaction(token, id),
    () => reconcile(token),
  ]
  const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => calls[index % 4]?.()))
  expect(
    responses.map(response => response?.status).filter(status => status === undefined || status >= 300),
  ).toEqual([])
  const paymentEvents = await request('GET', `/verification/transactions/${id}/logs`, { token })
  expect(paymentEvents.body.logs.filter((event: { type: string }) => event.type === 'paid')).toHaveLength(1)
  const history = await request('GET', '/verification/history', { token: account.token })
  expect(history.body.history).toHaveLength(1)
  expect(history.body.history[0].letter).not.toBeNull()
  const { entries, balances } = (await readLedger(token, id)).body
  expect(entries).toHaveLength(2)
  expect(balances.reduce((sum: number, item: { balance: number }) => sum + item.balance, 0)).toBe(0)
  const mails = await waitForMails(account.email, { atLeast: 2 })
  expect(mails.filter(mail => mail.subject === 'Your verification is complete')).toHaveLength(1)
})

describe('refunds', () => {
  test('are listed by status and transaction, with counts', async () => {
    const token = await staffToken('admin')
    const { id, reference, account, refund } = await createOverpayment()
    expect(refund).toMatchObject({
      transaction_id: id,
      payment_reference: reference,
      email: account.email,
      amount: 1,
      currency: 'NGN',
      reason: 'over_payment',
      status: 'due',
      way: 'bank',
      provider: 'sandbox',
      attempts: 0,
      approved_by: null,
    })
    const due = await request('GET', `/admin/refunds?status=due&search=${id.slice(0, 12)}`, { token })
    expect(due.body.refunds).toMatchObject([{ id: refund.id }])
    expect(due.body.summary.due.count).toBeGreaterThan(0)
    const failed = await request('GET', `/admin/refunds?status=failed&search=${id}`, { token })
    expect(failed.body).toMatchObject({ refunds: [], pagination: { total: 0 } })
    expect((await request('GET', '/admin/refunds?status=lost', { token })).status).toBe(400)
    const file = await request('GET', `/admin/refunds?search=${id}`, {
      token,
      headers: { accept: 'text/csv' },
    })
    expect(file.headers.get('content-disposition')).toContain(`refunds_${today()}.csv`)
    expect(file.body).toContain(`${refund.id},${id},${reference}`)
  })

  test('are approved by super admins only, with the bank’s reference if the gateway does not refund', {
    tags: ['STAFF-23'],
  }, async () => {
    const superAdmin = await staffToken('super_admin')
    const { id, account, amount, refund } = await createOverpayment()
    const approve = (token: string, body: object = {}) =>
      request('POST', `/admin/refunds/${refund.id}/approve`, { token, body })
    expect((await approve(await staffToken('admin'), { bank_reference: 'FT-1' })).status).toBe(403)
    expect(await approve(superAdmin)).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_ERROR',
        fields: { bank_reference: 'Bank reference is required' },
      },
    })
    const approval = await approve(superAdmin, { bank_reference: ' FT-2031 ' })
    expect(approval).toMatchObject({
      status: 200,
      body: {
        message: 'The bank transfer was recorded. The portal did not send any money itself.',
        refund: { status: 'processed', bank_reference: 'FT-2031', way: null },
      },
    })
    expect((await approve(superAdmin, { bank_reference: 'FT-2031' })).status).toBe(200)
    expect((await approve(superAdmin, { bank_reference: 'FT-OTHER' })).status).toBe(400)

    expect((await checkStatus(account, id)).body).toMatchObject({
      status: 'paid',
      resolution: 'verified',
      refund_due: 0,
      refunded: 1,
    })
    const { balances } = (await readLedger(superAdmin, id)).body
    const balance = (account: string) =>
      balances.find((item: { account: string }) => item.account === account)?.balance ?? 0
    expect(balance('refund_payable')).toBe(0)
    expect(balance('gateway_clearing')).toBe(amount + 1)
    expect(balance('bank')).toBe(-1)
    const mails = await waitForMails(account.email, { atLeast: 3 })
    expect(mails.map(mail => mail.subject)).toContain('Your refund was sent')
    const inbox = await request('GET', '/notifications', { token: account.token })
    expect(inbox.body.notifications.map(({ kind }: { kind: string }) => kind)).toContain('refund_sent')
    const logs = await request('GET', `/admin/activity-logs?search=${id}`, { token: superAdmin })
    expect(logs.body.logs.map(({ activity }: { activity: string }) => activity)).toEqual(
      expect.arrayContaining(['Refund by bank transfer recorded', 'Refund processed']),
    )
    expect((await reconcileTransaction(superAdmin, id)).body.mismatches).toEqual([])
  })

  test('are answered with 404 if they do not exist', async () => {
    const path = `/admin/refunds/${crypto.randomUUID()}/approve`
    const response = await request('POST', path, { token: await staffToken('super_admin'), body: {} })
    expect(response).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })
})

describe('the ledger', () => {
  test('is listed newest first, and by account, transaction and day, with balances that match the filter', {
    tags: ['STAFF-23'],
  }, async () => {
    const token = await staffToken('admin')
    const { id, amount } = await createOverpayment()
    const { entries, balances, pagination } = (await readLedger(token, id)).body
    expect(pagination).toMatchObject({ total: 3, per_page: 50 })
    expect(entries.map(({ account }: { account: string }) => account).sort()).toEqual([
      'gateway_clearing',
      'refund_payable',
      'revenue',
    ])
    expect(balances).toEqual([
      { account: 'gateway_clearing', currency: 'NGN', balance: amount + 1 },
      { account: 'refund_payable', currency: 'NGN', balance: -1 },
      { account: 'revenue', currency: 'NGN', balance: -amount },
    ])
    const query = `transaction_id=${id}&account=revenue&date_from=${today()}&date_to=${today()}`
    const revenue = await request('GET', `/admin/ledger?${query}`, { token })
    expect(revenue.body.entries).toMatchObject([{ account: 'revenue', amount: -amount, transaction_id: id }])
    const before = await request('GET', `/admin/ledger?transaction_id=${id}&date_to=2020-01-01`, { token })
    expect(before.body).toMatchObject({ entries: [], balances: [], pagination: { total: 0 } })
    const all = await request('GET', '/admin/ledger?per_page=1', { token })
    const sum = all.body.balances.reduce(
      (total: number, item: { balance: number }) => total + item.balance,
      0,
    )
    expect(Math.round(sum * 100)).toBe(0)
    const file = await request('GET', `/admin/ledger?transaction_id=${id}`, {
      token,
      headers: { accept: 'text/csv' },
    })
    expect(file.headers.get('content-disposition')).toContain(`ledger_${today()}.csv`)
    expect(String(file.body).trim().split('\r\n')).toHaveLength(4)
  })
})
