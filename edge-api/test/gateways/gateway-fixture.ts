import { and, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { bpmsGateway } from '../../src/adapters/gateway-bpms.ts'
import { interswitchGateway } from '../../src/adapters/gateway-interswitch.ts'
import { paystackGateway } from '../../src/adapters/gateway-paystack.ts'
import { sandboxGateway } from '../../src/adapters/gateway-sandbox.ts'
import { createApp } from '../../src/app.ts'
import { letters } from '../../src/db/schema/letters.ts'
import { refunds as refundTable } from '../../src/db/schema/money.ts'
import { paymentItems, payments } from '../../src/db/schema/payments.ts'
import { runScheduledJobs } from '../../src/jobs/scheduled-jobs.ts'
import type { PaymentGateway } from '../../src/payment-gateway.ts'
import { approveRefund } from '../../src/payments/refund-approval.ts'
import { syncWithGateway } from '../../src/payments/sync.ts'
import { openTestSetup } from '../payment-setup.ts'
import { openPage } from './candidate.ts'
import { startFakeBpms } from './fake-bpms.ts'
import { startFakeInterswitch } from './fake-interswitch.ts'
import { startFakePaystack } from './fake-paystack.ts'
import { startFakeSandbox } from './fake-sandbox.ts'
import type { FakeGateway } from './fake-server.ts'

/* The fixture of the tests of gateway faults: the whole app in this process, and one fake gateway over HTTP. */

const SECRET = 'secret-of-the-faults'
/** A previous secret that is still accepted during a rotation. */
const PREVIOUS_SECRET = 'sk_test_former-secret-of-the-faults'

export interface GatewayUnderTest {
  name: string
  provider: 'sandbox' | 'bpms' | 'interswitch' | 'paystack'
  start: (now: () => number) => Promise<{ fake: FakeGateway; gateway: PaymentGateway; refunds?: Refunds }>
  /** The gateway's words for payments that succeeded, were declined, or are still open. */
  statuses: { approved: string; declined: string; open: string }
  /** Fields that the gateway's responses contain; a gateway that reports no currency cannot report a wrong one. */
  reports: { currency: boolean; mode: boolean; fee?: boolean }
  /** True if our server sends the order to the gateway; otherwise the payer's browser does. */
  startsByCall: boolean
  /** The secret of the gateway's callbacks; undefined if it publishes no webhook. */
  secret?: string
}

/** The refunds of a payment as the gateway reports them. */
export interface Refunds {
  count(): number
  endWith(status: 'attention' | 'done'): void
}

const localOptions = { fetch, allowLoopback: true }

function createInterswitch(variant: 'product' | 'merchant'): GatewayUnderTest {
  return {
    name: `interswitch (${variant})`,
    provider: 'interswitch',
    async start() {
      const fake = await startFakeInterswitch(variant)
      const { server, productId, macKey, merchantCode, payItemId, clientId, clientSecret } = fake
      const refunds = {
        url: `${server.url}/paymentgateway/api/v1/refunds`,
        tokenUrl: `${server.url}/passport/oauth/token`,
        clientId,
        clientSecret,
      }
      const gateway = interswitchGateway({
        ...localOptions,
        payUrl: `${server.url}/collections/w/pay`,
        queryUrl: `${server.url}/collections/api/v1/gettransaction.json`,
        payItemId,
        account: variant === 'product' ? { productId, macKey } : { merchantCode },
        mode: 'test',
        webhookSecret: `${SECRET},${PREVIOUS_SECRET}`,
        // The older kind of account is tested without the refund call, and the newer kind with it.
        ...(variant === 'merchant' && { refunds }),
      })
      const findLastRefund = () => [...fake.refunds.values()].at(-1)
      const refundReport: Refunds = {
        count: () => fake.refunds.size,
        endWith(status) {
          const lastRefund = findLastRefund()
          if (lastRefund) lastRefund.status = status === 'done' ? 'COMPLETE' : 'FAILED'
        },
      }
      return { fake, gateway, ...(variant === 'merchant' && { refunds: refundReport }) }
    },
    statuses: { approved: '00', declined: '51', open: 'Z0' },
    reports: { currency: false, mode: false },
    startsByCall: false,
    secret: SECRET,
  }
}

export const gatewaysUnderTest: readonly GatewayUnderTest[] = [
  {
    name: 'sandbox',
    provider: 'sandbox',
    async start(now) {
      const fake = await startFakeSandbox(now)
      const webhookSecret = `${SECRET},${PREVIOUS_SECRET}`
      return { fake, gateway: sandboxGateway({ url: fake.server.url, webhookSecret, fetch }) }
    },
    statuses: { approved: '00', declined: '51', open: '09' },
    reports: { currency: true, mode: true },
    startsByCall: true,
    secret: SECRET,
  },
  {
    name: 'bpms',
    provider: 'bpms',
    async start(now) {
      const fake = await startFakeBpms()
      const { server, schoolCode, publicKey, privateKey } = fake
      const keys = { schoolCode, publicKey, privateKey, revenueCode: 'CV01', mode: 'test' as const }
      return { fake, gateway: bpmsGateway({ ...localOptions, ...keys, url: `${server.url}/checkout`, now }) }
    },
    statuses: { approved: '00', declined: '51', open: '09' },
    reports: { currency: false, mode: false },
    startsByCall: false,
  },
  createInterswitch('product'),
  createInterswitch('merchant'),
  {
    name: 'paystack',
    provider: 'paystack',
    async start() {
      const fake = await startFakePaystack()
      const { url } = fake.server
      const secretKey = `${fake.secretKey},${PREVIOUS_SECRET}`
      const refunds: Refunds = {
        count: () => fake.refunded.length,
        endWith(status) {
          const lastRefund = fake.refunded.at(-1)
          if (lastRefund) lastRefund.status = status === 'done' ? 'processed' : 'needs-attention'
        },
      }
      return {
        fake,
        gateway: paystackGateway({ ...localOptions, url, checkoutUrl: url, secretKey }),
        refunds,
      }
    },
    statuses: { approved: 'success', declined: 'failed', open: 'ongoing' },
    reports: { currency: true, mode: true, fee: true },
    startsByCall: true,
    secret: 'sk_test_of_the_fake',
  },
]

export type GatewayFixture = Awaited<ReturnType<typeof openGatewayFixture>>

/** Starts the portal with this gateway. @returns functions that cause faults and check their effects */
export async function openGatewayFixture(entry: GatewayUnderTest) {
  const setup = await openTestSetup()
  const { fake, gateway, refunds } = await entry.start(() => setup.ports.time)
  const { provider } = entry
  const { ports, database } = setup
  ports.gateways = { [provider]: gateway }
  ports.environment = { ...ports.environment, PAYMENT_PROVIDER: provider }
  const app = createApp(ports)

  const fixture = {
    entry,
    setup,
    fake,
    gateway,
    refunds,
    previousSecret: PREVIOUS_SECRET,

    /** Requests a path of the portal, as a browser or a gateway does. */
    async request(path: string, init?: RequestInit): Promise<Response> {
      const response = await app.fetch(new Request(`http://localhost:8080/api${path}`, init))
      await setup.waitUntilIdle()
      return response
    },
    /** Delivers a callback to the portal's address for this gateway. */
    deliverCallback: (callBack: { raw: string; headers: Record<string, string> }) =>
      fixture.request(`/payments/webhooks/${provider}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...callBack.headers },
        body: callBack.raw,
      }),
    /** Reports a payment as the gateway does: with a callback, or through the browser if it publishes no webhook. */
    report: (reference: string) =>
      entry.secret === undefined
        ? fixture.request(`/payments/return?request_id=${reference}`)
        : fixture.deliverCallback(fake.callBack(reference, entry.secret)),
    async sync(reference: string) {
      return (await syncWithGateway(ports, database, { reference }, 'webhook'))?.payment
    },
    runJobs: () => runScheduledJobs(ports, database),
    async findPayment(reference: string) {
      const [payment] = await database.read
        .select()
        .from(payments)
        .where(eq(payments.providerReference, reference))
      if (!payment) throw new Error(`no payment ${reference}`)
      return payment
    },
    /** Returns the results of a payment: its valid letters, and its refunds with their amounts. */
    async readResults(reference: string): Promise<{ letters: number; refundsDue: [string, number][] }> {
      const { id } = await fixture.findPayment(reference)
      const validLetters = await database.read
        .select({ code: letters.code })
        .from(letters)
        .innerJoin(paymentItems, eq(paymentItems.id, letters.paymentItemId))
        .where(and(eq(paymentItems.paymentId, id), eq(letters.status, 'valid')))
      const refundRows = await database.read.select().from(refundTable).where(eq(refundTable.paymentId, id))
      return {
        letters: validLetters.length,
        refundsDue: refundRows.map(row => [row.reason, row.amountMinor]),
      }
    },
    /** Asserts that a payment was delivered once, with no refund due. */
    async expectDelivered(reference: string): Promise<void> {
      expect(await fixture.findPayment(reference)).toMatchObject({ status: 'paid', resolution: 'verified' })
      expect(await fixture.readResults(reference)).toEqual({ letters: 1, refundsDue: [] })
    },
    /** Asserts that a payment has neither failed nor succeeded. */
    async expectUndecided(reference: string): Promise<void> {
      expect((await fixture.findPayment(reference)).status).toMatch(/^(pending|processing|unknown)$/)
      expect(await fixture.readResults(reference)).toEqual({ letters: 0, refundsDue: [] })
    },
    /** Opens the gateway's page of a payment, as the payer does. */
    async openPaymentPage(reference: string): Promise<void> {
      const { paymentUrl, paymentFields } = await fixture.findPayment(reference)
      expect(await openPage({ paymentUrl: paymentUrl ?? '', fields: paymentFields ?? {} })).toBe(200)
    },
    /** Starts a payment whose payer has opened the gateway's page. */
    async startOpenedPayment() {
      const payment = await setup.newPayment()
      await fixture.openPaymentPage(payment.reference)
      return payment
    },
    /** Starts a payment that the gateway has approved, which the portal does not know yet. */
    async startApprovedPayment(report: Parameters<FakeGateway['endPayment']>[2] = {}) {
      const payment = await fixture.startOpenedPayment()
      fake.endPayment(payment.reference, entry.statuses.approved, report)
      return payment
    },
    async findRefund(reference: string) {
      const { id } = await fixture.findPayment(reference)
      const [refund] = await database.read.select().from(refundTable).where(eq(refundTable.paymentId, id))
      if (!refund) throw new Error(`no refund of ${reference}`)
      return refund
    },
    approve: (id: string, bankReference: string | null = null) =>
      approveRefund(ports, database, {
        id,
        actor: { id: 'boss', email: 'boss@users.test' },
        bankReference,
        address: '192.0.2.1',
        requestId: 'r',
      }),
    /** Ends the fault; every fault must leave the gateway in a state in which this is enough. */
    recover(): void {
      fake.server.fault = undefined
      fake.server.lostReference = undefined
      fake.server.beforeReply = undefined
      delete fake.server.affectedPaths
    },
    async close(): Promise<void> {
      await setup.close()
      await fake.server.close()
    },
  }
  return fixture
}
