import { expect, test } from 'vitest'
import {
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  staffToken,
} from '../../test/portal.ts'

/* Tests settlement reports over HTTP, with payments of their own. */

const signInAsAdmin = () => staffToken('admin')

async function createPaidPayment() {
  const account = await newAccount()
  const { certificate_number } = await newCertificate()
  const { body } = await request('POST', '/verification/process-payment', {
    token: account.token,
    body: { certificate_number },
  })
  await endPaymentAtGateway(body.payment_reference, '00')
  await eventually(async () => {
    const path = `/verification/check-verification-status/${body.transaction_id}`
    return (await request('GET', path, { token: account.token })).body.status === 'paid' || undefined
  }, 'the payment to be paid')
  return { id: body.transaction_id as string, reference: body.payment_reference as string }
}

async function upload(text: string, query: Record<string, string> = {}) {
  const form = new FormData()
  form.append('file', new File([text], 'report.csv', { type: 'text/csv' }))
  const search = new URLSearchParams({ provider: 'sandbox', settled_on: '2026-03-01', ...query })
  return request('POST', `/admin/settlements/upload?${search}`, { token: await signInAsAdmin(), body: form })
}

const searchDifferences = async (search: string) =>
  (await request('GET', `/admin/settlement-differences?search=${search}`, { token: await signInAsAdmin() }))
    .body

test('a report records payouts to the bank account, and uploading the same file again changes nothing', async () => {
  const payment = await createPaidPayment()
  const name = `S-${payment.reference}`
  const file = `Payment Reference,Amount,Fee\n${payment.reference},"5,000.00",175\n`
  expect(await upload(file, { reference: name })).toMatchObject({
    status: 200,
    body: { rows: 1, added: 1, unchanged: 0, failed: 0, settlements: 1, open_differences: 0 },
  })
  const readBalances = async () => {
    const path = `/admin/ledger?transaction_id=${payment.id}`
    const { body } = await request('GET', path, { token: await signInAsAdmin() })
    return Object.fromEntries(
      body.balances.map((item: { account: string; balance: number }) => [item.account, item.balance]),
    )
  }
  const expectedLedger = { gateway_clearing: 0, bank: 4825, fees: 175, revenue: -5000 }
  expect(await readBalances()).toEqual(expectedLedger)
  expect((await upload(file, { reference: name })).body).toMatchObject({
    message: 'This file contains nothing new.',
    added: 0,
    unchanged: 1,
  })
  expect(await readBalances()).toEqual(expectedLedger)
  const search = `/admin/bpms/transactions?transaction_id=${payment.id}`
  expect(
    (await request('GET', search, { token: await signInAsAdmin() })).body.transactions[0].gateway_fee,
  ).toBe(175)

  const list = await request(
    'GET',
    '/admin/settlements?date_from=2026-03-01&date_to=2026-03-01&per_page=100',
    {
      token: await signInAsAdmin(),
    },
  )
  const found = list.body.settlements.find(
    (settlement: { reference: string }) => settlement.reference === name,
  )
  expect(found).toMatchObject({ lines: 1, amount: 5000, fees: 175, net: 4825, source: 'file', stated: null })
  const lines = await request('GET', `/admin/settlements/${found.id}/lines`, { token: await signInAsAdmin() })
  expect(lines.body.lines).toMatchObject([{ transaction_id: payment.id, kind: 'payment', net: 4825 }])
})

test('staff can explain a difference with a note, which is also in the activity log', async () => {
  const reference = `CV${crypto.randomUUID().slice(0, 8)}`
  const name = `S-${reference}`
  await upload(`reference,amount,fee\n${reference},5000,175\n,1,\n`, { reference: name })
  const { differences } = await searchDifferences(reference)
  expect(differences).toMatchObject([
    { kind: 'unknown_here', state: 'open', expected: null, found: 5000, settlement_reference: name },
  ])
  const countOpenDifferences = async () => {
    const list = await request('GET', '/admin/settlements?per_page=100', { token: await signInAsAdmin() })
    return list.body.settlements.find((settlement: { reference: string }) => settlement.reference === name)
      .open_differences
  }
  expect(await countOpenDifferences()).toBe(1)
  const path = `/admin/settlement-differences/${differences[0].id}/explain`
  expect((await request('POST', path, { token: await signInAsAdmin(), body: { note: '  ' } })).status).toBe(
    400,
  )
  const note = `Paid for the library, ${reference}`
  expect(await request('POST', path, { token: await signInAsAdmin(), body: { note } })).toMatchObject({
    status: 200,
    body: { difference: { state: 'explained', note, explained_by: 'admin@demo.test' } },
  })
  expect(await countOpenDifferences()).toBe(0)
  const logs = await request('GET', `/admin/activity-logs?search=${reference}`, {
    token: await signInAsAdmin(),
  })
  expect(logs.body.logs[0]).toMatchObject({
    activity: 'Settlement difference explained',
    details: `${reference}, unknown here: ${note}`,
  })
  const headers = { accept: 'text/csv' }
  const csv = await request('GET', `/admin/settlement-differences?search=${name}`, {
    token: await signInAsAdmin(),
    headers,
  })
  expect(String(csv.body).split('\r\n')[1]).toContain(`,unknown_here,explained,sandbox,${reference},`)
})

test('refuses unauthorised callers, an invalid file and an unknown gateway', async () => {
  const { token: user } = await newAccount()
  expect((await request('GET', '/admin/settlements', { token: user })).status).toBe(403)
  expect(await upload('no,such,columns\n1,2,3\n')).toMatchObject({
    status: 400,
    body: { code: 'INVALID_CSV' },
  })
  expect(await upload('reference,amount\nCV1,1\n', { provider: 'bank' })).toMatchObject({ status: 400 })
  expect((await upload('x'.repeat(5_000_100))).status).toBe(413)
})
