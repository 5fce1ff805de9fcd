import path from 'node:path'
import { createClient } from '@libsql/client'
import type { Dispute } from '@portal/contract/admin-disputes'
import { completePayment } from '@portal/mocks/complete-payment'
import { createDispute } from '@portal/mocks/disputes'
import { createHandlers } from '@portal/mocks/handlers'
import { respond } from '@portal/mocks/respond'
import { createState, memoryStore } from '@portal/mocks/state'
import { Secret, TOTP } from 'otpauth'
import { control, endPaymentAtGateway, eventually, sharedPortal, waitForMailedToken } from '../portal.ts'
import type { ComparedSystem, GatewayOutcome } from './fixture.ts'

const UNPRINTABLE_NAME = '李 Obi'

const gatewayCodes: Record<GatewayOutcome, string> = { pay: '00', decline: '05', cancel: 'Z6' }

/** Returns the first row of a query in this test project's portal. */
async function select(sql: string) {
  const database = createClient({ url: `file:${path.join(sharedPortal().folder, 'portal.db')}` })
  try {
    await database.execute('pragma busy_timeout = 10000')
    return (await database.execute(sql)).rows[0]
  } finally {
    database.close()
  }
}

/** Changes the database of this test project's portal. @returns the number of changed rows */
async function execute(sql: string, args: (string | number)[]): Promise<number> {
  const database = createClient({ url: `file:${path.join(sharedPortal().folder, 'portal.db')}` })
  try {
    await database.execute('pragma busy_timeout = 10000')
    return (await database.execute({ sql, args })).rowsAffected
  } finally {
    database.close()
  }
}

/** Returns what staff enter for a dispute. */
export const makeDisputeBody = (transaction_id: string) => ({
  transaction_id,
  gateway_reference: `CB-${crypto.randomUUID()}`,
  amount: 10,
  due_at: new Date(Date.now() + 57_600_000).toISOString(),
  reason: 'Not recognised',
})

/** Returns the ID of a demo transaction that was paid and has no dispute. */
async function findDemoPayment(): Promise<string> {
  const found = await select(
    `select transaction_id from payments where provider = 'demo' and status = 'paid' and amount_minor > 0
     and not exists (select 1 from disputes where payment_id = payments.id) limit 1`,
  )
  return String(found?.transaction_id)
}

function findDemoPaymentIn(state: ReturnType<typeof createState>) {
  const found = state.payments.find(
    item =>
      item.status === 'paid' &&
      !state.disputes?.some(dispute => dispute.transaction_id === item.transaction_id),
  )
  if (!found) throw new Error('The demo data has no payment.')
  return found
}

/** Returns the portal of this test project, called over HTTP. */
export function createPortalSystem(): ComparedSystem {
  return {
    base: sharedPortal().url,
    handleRequest: request => fetch(request),
    waitForMailedToken: (page, to) => waitForMailedToken(page, to),
    endPayment: ({ payment_reference }, outcome) =>
      endPaymentAtGateway(payment_reference, gatewayCodes[outcome]),
    getAuthenticatorCode: (secret, ahead) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 }),
    async storeUnprintableName(number) {
      const sql = 'update certificates set student_name = ? where certificate_number = ?'
      const changed = await execute(sql, [UNPRINTABLE_NAME, number])
      if (changed !== 1) throw new Error(`${changed} certificates have the number ${number}`)
    },
    async blockRetentionItem() {
      const item = `parity ${crypto.randomUUID()}`
      const sql =
        "insert into deferrals (queue, item, reason, attempts, since, next_at) values ('retention', ?, 'Blocked by a test.', 1, ?, ?)"
      await execute(sql, [item, Date.now(), Date.now() + 60_000])
      return item
    },
    findDemoPayment,
    async createDispute({ callOk, user, admin, startPayment }, kind) {
      const token = await admin()
      if (kind === 'manual') {
        const body = await makeDisputeBody(await findDemoPayment())
        return (await callOk('POST', '/admin/disputes', { token, body })).dispute.id
      }
      const { payment_reference: request_id, transaction_id } = await startPayment(await user())
      await control('settle', { request_id, code: '00' })
      await control('dispute', { request_id, action: 'open' })
      return await eventually(async () => {
        const found = await callOk('GET', `/admin/disputes?search=${transaction_id}`, { token })
        return found.disputes[0]?.id
      }, 'the dispute')
    },
    async createDueRefund({ callOk, user, admin, startPayment }) {
      const person = await user()
      const { payment_reference, transaction_id, ...start } = await startPayment(person)
      const amountDue = Number(Object(start).amount_paid)
      await control('settle', { request_id: payment_reference, code: '00', amount_paid: amountDue + 1 })
      return await eventually(async () => {
        const path = `/verification/check-verification-status/${transaction_id}`
        const { status } = await callOk('GET', path, { token: person.token })
        if (status === 'pending') return undefined
        const found = await callOk('GET', `/admin/refunds?search=${transaction_id}`, { token: await admin() })
        return found.refunds[0]?.id
      }, 'the refund')
    },
  }
}

/** Returns the mocks, called in this process. */
export function createMockSystem(): ComparedSystem {
  const state = createState()
  const handlers = createHandlers(memoryStore(state))
  return {
    base: 'http://mocks.test',
    async handleRequest(request) {
      const response = await respond(handlers, request)
      if (!response) throw new Error(`No mock answers ${request.method} ${request.url}`)
      return response
    },
    async waitForMailedToken(page, to) {
      const link = state.mails.find(mail => mail.to === to && mail.link?.startsWith(`/${page}/`))?.link
      if (!link) throw new Error(`No link to ${page} was mailed to ${to}`)
      return link.slice(page.length + 2)
    },
    async endPayment({ transaction_id }, outcome) {
      completePayment(state, transaction_id, outcome)
    },
    getAuthenticatorCode: () => '123456',
    async storeUnprintableName(number) {
      const found = state.certificates.find(certificate => certificate.certificate_number === number)
      if (!found) throw new Error(`No certificate ${number}`)
      found.student_name = UNPRINTABLE_NAME
    },
    async blockRetentionItem() {
      const found = state.delayed_work?.find(({ queue }) => queue === 'retention')
      if (!found) throw new Error('The demo data has no delayed work.')
      return found.item
    },
    findDemoPayment: async () => findDemoPaymentIn(state).transaction_id,
    async createDispute(_, kind) {
      const id = crypto.randomUUID()
      const gatewayFields: Partial<Dispute> = {
        provider: 'sandbox',
        source: 'gateway',
        gateway_status: 'OPEN',
        category: 'chargeback',
        reason: 'The cardholder does not recognise this payment.',
        can_answer: true,
        can_record: false,
      }
      const due_at = new Date(Date.now() + 57_600_000).toISOString()
      const changes = { due_at, ...(kind === 'gateway' && gatewayFields) }
      const payment = findDemoPaymentIn(state)
      state.disputes?.push(createDispute(payment, { email: 'payer@demo.test', id, now: new Date(), changes }))
      return id
    },
    async createDueRefund() {
      const refund = state.refunds.find(item => item.way === 'bank' && item.status === 'due')
      if (!refund) throw new Error('The demo data has no refund by bank transfer.')
      const transaction_id = `CVF${crypto.randomUUID().replaceAll('-', '').slice(0, 21).toUpperCase()}`
      state.refunds.unshift({ ...refund, id: crypto.randomUUID(), transaction_id })
      return state.refunds[0]?.id ?? ''
    },
  }
}
