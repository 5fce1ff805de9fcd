import { createClient } from '@libsql/client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type Account,
  type ApiResponse,
  control,
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
  waitForMails,
} from '../../test/portal.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

/*
 * Tests gateway faults with both services as they run in production. They use a separate portal, because a fault that is
 * enabled at the gateway affects every payment.
 */

let portal: RunningPortal
let account: Account
beforeAll(async () => {
  portal = await startPortal()
  account = await newAccount({}, portal)
})
afterAll(() => portal.stop())
afterEach(() => setScenario(''))

async function setScenario(scenario: string): Promise<void> {
  const { status, body } = await control('scenario', { scenario }, portal)
  if (status !== 200) throw new Error(`scenario ${scenario}: ${JSON.stringify(body)}`)
}

const pay = (certificate_number: string): Promise<ApiResponse> =>
  request('POST', '/verification/process-payment', {
    token: account.token,
    body: { certificate_number },
    portal,
  })
const readStatus = (id: string) =>
  request('GET', `/verification/check-verification-status/${id}`, { token: account.token, portal })

async function startPayment() {
  const { certificate_number } = await newCertificate({}, portal)
  const { body } = await pay(certificate_number)
  expect(body.status).toBe('payment_initiated')
  return {
    number: certificate_number,
    id: String(body.transaction_id),
    reference: String(body.payment_reference),
  }
}

const waitUntilPaid = (id: string) =>
  eventually(async () => {
    const { status, body } = await readStatus(id)
    expect(status).toBe(200)
    return body.status === 'paid' ? body : undefined
  }, `${id} to be paid`)

const listLetters = async (number: string) => {
  const { body } = await request('GET', '/verification/history?per_page=100', {
    token: account.token,
    portal,
  })
  const rows: { certificate_number: string; letter: unknown }[] = body.history
  return rows.filter(row => row.certificate_number === number && row.letter !== null)
}

test('without a callback or status check, and with every tab closed, the scheduler syncs the payment and sends the email', {
  tags: ['FAULT-13'],
}, async () => {
  const accountWithoutPayments = await newAccount({}, portal)
  await setScenario('webhook:drop')
  const { certificate_number } = await newCertificate({}, portal)
  const { body } = await request('POST', '/verification/process-payment', {
    token: accountWithoutPayments.token,
    body: { certificate_number },
    portal,
  })
  await endPaymentAtGateway(body.payment_reference, '00', portal)
  const mails = await eventually(async () => {
    const all = await waitForMails(accountWithoutPayments.email, { portal })
    return all.length > 1 ? all : undefined
  }, 'the mail about the outcome')
  expect(mails[0]?.subject).toBe('Your verification is complete')
})

test.each(['webhook:dup', 'webhook:reorder', 'webhook:badsig', 'webhook:drop'])(
  '%s: the payment produces exactly one letter',
  { tags: ['FAULT-14'] },
  async fault => {
    await setScenario(fault)
    const { id, reference, number } = await startPayment()
    await endPaymentAtGateway(reference, '00', portal)
    expect(await waitUntilPaid(id)).toMatchObject({ verification_status: 'success' })
    expect(await listLetters(number)).toHaveLength(1)
  },
)

test.each(['requery:500', 'requery:html', 'requery:stale', 'requery:notfound'])(
  '%s: the payment stays pending without an error, and becomes paid once the gateway recovers',
  { tags: ['QUALITY-28', 'FAULT-4'] },
  async fault => {
    const { id, reference, number } = await startPayment()
    await setScenario(fault)
    await endPaymentAtGateway(reference, '00', portal)
    for (let i = 0; i < 3; i++) {
      const response = await readStatus(id)
      expect(response.status).toBe(200)
      expect(response.body).toMatchObject({ status: 'pending', certificate: null })
    }
    expect((await pay(number)).body.transaction_id).toBe(id)
    await setScenario('')
    await waitUntilPaid(id)
    expect(await listLetters(number)).toHaveLength(1)
  },
)

test('the status check reports pending if a requery gets no response', {
  tags: ['QUALITY-28', 'FAULT-3'],
}, async () => {
  const { id, reference } = await startPayment()
  await setScenario('requery:timeout')
  await endPaymentAtGateway(reference, '00', portal)
  expect((await readStatus(id)).body.status).toBe('pending')
  await setScenario('')
  await waitUntilPaid(id)
})

test('an attempt that the gateway answers with 500 charges no one, and a later attempt can be paid', {
  tags: ['QUALITY-28', 'FAULT-2'],
}, async () => {
  const { certificate_number } = await newCertificate({}, portal)
  await setScenario('initiate:500')
  expect(await pay(certificate_number)).toMatchObject({ status: 503, body: { code: 'GATEWAY_UNAVAILABLE' } })
  await setScenario('')
  const { body } = await eventually(async () => {
    const response = await pay(certificate_number)
    return response.status === 200 ? response : undefined
  }, 'a new attempt')
  await endPaymentAtGateway(body.payment_reference, '00', portal)
  await waitUntilPaid(body.transaction_id)
  expect(await listLetters(certificate_number)).toHaveLength(1)
})

test('an attempt that times out although the charge exists is never repeated, and is synced when it is paid', {
  tags: ['FAULT-1'],
}, async () => {
  const { certificate_number } = await newCertificate({}, portal)
  await setScenario('initiate:timeout')
  expect(await pay(certificate_number)).toMatchObject({ status: 503, body: { code: 'GATEWAY_UNAVAILABLE' } })
  await setScenario('')
  expect((await pay(certificate_number)).status).toBe(503)
  const { body } = await request('GET', '/verification/history', { token: account.token, portal })
  const [row] = body.history
  expect(row).toMatchObject({ certificate_number, payment_status: 'pending' })
  await endPaymentAtGateway(row.payment_reference, '00', portal)
  await waitUntilPaid(row.bpms_transaction_id)
  expect(await listLetters(certificate_number)).toHaveLength(1)
})

test('fault 31: while another process locks the database, nothing is lost and nothing is done twice', {
  tags: ['QUALITY-45', 'FAULT-31'],
}, async () => {
  const { id, reference, number } = await startPayment()
  const otherClient = createClient({ url: `file:${portal.folder}/portal.db`, timeout: 5000 })
  const lockingTransaction = await otherClient.transaction('write')
  const calls = Promise.all([
    endPaymentAtGateway(reference, '00', portal),
    readStatus(id),
    readStatus(id),
    pay(number),
  ])
  // Holds the lock: this delay is the fault under test, not a wait for a condition.
  await new Promise(resolve => setTimeout(resolve, 1500))
  await lockingTransaction.rollback()
  otherClient.close()
  const [, ...responses] = await calls
  for (const { status } of responses) expect([200, 503]).toContain(status)
  await waitUntilPaid(id)
  expect(await listLetters(number)).toHaveLength(1)
})

test.each([
  ['amount:-1', 'pending', 'refund_due'],
  ['currency:USD', 'pending', 'refund_due'],
  ['amount:+1', 'paid', 'verified'],
  ['amount:x100', 'paid', 'verified'],
])(
  'with the fault %s, a payment becomes %s with the resolution %s',
  { tags: ['QUALITY-23', 'FAULT-19', 'FAULT-20', 'FAULT-21'] },
  async (fault, status, resolution) => {
    const { id, reference } = await startPayment()
    await setScenario(fault)
    await endPaymentAtGateway(reference, '00', portal)
    const body = await eventually(async () => {
      const response = await readStatus(id)
      return response.body.resolution === null ? undefined : response.body
    }, 'a resolution')
    expect(body).toMatchObject({ status, resolution })
  },
)
