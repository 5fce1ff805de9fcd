import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  staffToken,
  waitForMails,
} from '../../test/portal.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

/* A separate portal, because the tax would appear on the receipts of all tests. */

let portal: RunningPortal
let token: string
beforeAll(async () => {
  portal = await startPortal({})
  token = await staffToken('admin', portal)
})
afterAll(() => portal?.stop())

const PATH = '/admin/settings/tax'
const setTax = (name: string, basis_points: number) =>
  request('PUT', PATH, { token, portal, body: { name, basis_points } })
const readExportLines = async () => {
  const headers = { accept: 'text/csv' }
  const { body } = await request('GET', '/admin/bpms/transactions', { token, portal, headers })
  return String(body).split('\r\n')
}
const readReport = async () => (await request('GET', '/admin/bpms/reports', { token, portal })).body.report

async function start() {
  const account = await newAccount({}, portal)
  const { certificate_number } = await newCertificate({}, portal)
  const { body } = await request('POST', '/verification/process-payment', {
    token: account.token,
    portal,
    body: { certificate_number },
  })
  const path = `/verification/check-verification-status/${body.transaction_id}`
  const read = async () => (await request('GET', path, { token: account.token, portal })).body
  return { account, id: body.transaction_id, reference: body.payment_reference, read }
}

async function pay({ reference, read }: Awaited<ReturnType<typeof start>>) {
  await endPaymentAtGateway(reference, '00', portal)
  return eventually(async () => {
    const body = await read()
    return body.status === 'paid' ? body : undefined
  }, 'the payment to be paid')
}

test('nothing mentions a tax if none is set, and payments keep the tax with which they were started', async () => {
  expect((await request('GET', PATH, { token, portal })).body).toMatchObject({
    name: 'VAT',
    basis_points: 0,
    updated_at: null,
  })
  const plain = await start()
  expect(await pay(plain)).not.toHaveProperty('tax')
  expect((await request('GET', '/verification/settings', { portal })).body).not.toHaveProperty('tax')
  expect(await readReport()).not.toHaveProperty('tax')
  expect((await readExportLines())[0]).not.toContain('tax')

  expect(await setTax('VAT', 750)).toMatchObject({ status: 200, body: { name: 'VAT', basis_points: 750 } })
  expect((await request('GET', '/verification/settings', { portal })).body.tax).toEqual({
    name: 'VAT',
    basis_points: 750,
    amount: 348.84,
  })
  const taxed = await start()
  await setTax('Sales tax', 1000)
  const line = { name: 'VAT', basis_points: 750, amount: 348.84 }
  const paid = await pay(taxed)
  // The fee includes the tax, so the price stays the same.
  expect(paid).toMatchObject({ amount_due: 5000, amount_paid: 5000, tax: line })
  expect(await plain.read()).not.toHaveProperty('tax')

  const [mail] = await eventually(async () => {
    const mails = await waitForMails(taxed.account.email, { portal })
    const found = mails.filter(({ subject }) => subject.includes('complete'))
    return found.length > 0 ? found : undefined
  }, 'the receipt by mail')
  expect(mail?.text.replaceAll('\n', ' ')).toContain('including VAT 7.5% of ₦348.84')

  const search = `/admin/bpms/transactions?transaction_id=${taxed.id}`
  expect((await request('GET', search, { token, portal })).body.transactions[0].tax).toEqual(line)
  const [head, ...rows] = await readExportLines()
  expect(head).toMatch(/,tax_name,tax_basis_points,tax_amount$/)
  expect(rows.find(row => row.includes(taxed.id))).toMatch(/,VAT,750,348\.84$/)
  expect(rows.find(row => row.includes(plain.id))).toMatch(/,,,$/)
  expect((await readReport()).tax).toBe(348.84)
})

test('the second of two concurrent changes is refused, and the history has the values of the first', async () => {
  const { version } = (await request('GET', PATH, { token, portal })).body
  const headers = { 'if-match': `"${version}"` }
  const save = (basis_points: number) =>
    request('PUT', PATH, { token, portal, body: { name: 'VAT', basis_points }, headers })
  const responses = await Promise.all([save(250), save(260)])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 412])
  const saved = responses.find(({ status }) => status === 200)
  expect(saved?.body.version).toBe(version + 1)
  expect(saved?.headers.get('etag')).toBe(`"${version + 1}"`)
  const { body } = await request('GET', '/admin/settings/tax/history', {
    token: await staffToken('super_admin', portal),
    portal,
  })
  expect(body.changes[0]).toMatchObject({ version: version + 1, actor: { email: 'admin@demo.test' } })
  expect(body.changes[0].changes).toContainEqual(
    expect.objectContaining({ field: 'basis_points', to: saved?.body.basis_points }),
  )
})

test('only staff can set the tax, within limits, and the activity log records what changed', async () => {
  const { token: user } = await newAccount({}, portal)
  expect(
    await request('PUT', PATH, { token: user, portal, body: { name: 'VAT', basis_points: 1 } }),
  ).toMatchObject({
    status: 403,
  })
  for (const [name, rate] of [
    ['', 750],
    ['VAT', -1],
    ['VAT', 5001],
    ['VAT', 0.5],
  ] as const)
    expect((await setTax(name, rate)).status).toBe(400)
  await setTax('VAT', 1000)
  await setTax('VAT', 500)
  const { body } = await request('GET', '/admin/activity-logs?search=tax', { token, portal })
  expect(body.logs[0]).toMatchObject({
    activity: 'Tax settings updated',
    details: expect.stringContaining('basis points: 1000 → 500'),
  })
})
