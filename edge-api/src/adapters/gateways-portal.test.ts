import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFakeBpms } from '../../test/gateways/fake-bpms.ts'
import { startFakeInterswitch } from '../../test/gateways/fake-interswitch.ts'
import { startFakePaystack } from '../../test/gateways/fake-paystack.ts'
import type { FakeGateway } from '../../test/gateways/fake-server.ts'
import { eventually, newAccount, newCertificate, request } from '../../test/portal.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

/* Runs a whole portal against the fake of each real gateway, from the configuration variables to the letter. */

const WEBHOOK_SECRET = 'the-secret-of-the-web-hook'

interface GatewayCase {
  provider: string
  open(): Promise<{ fake: FakeGateway; variables: Record<string, string> }>
  approved: string
  /** The secret that signs callbacks, if the gateway signs them. */
  secret?: string
}

const gatewayCases: GatewayCase[] = [
  {
    provider: 'bpms',
    approved: '00',
    async open() {
      const fake = await startFakeBpms()
      return {
        fake,
        variables: {
          PAYMENT_BPMS_URL: `${fake.server.url}/checkout`,
          PAYMENT_BPMS_SCHOOL_CODE: fake.schoolCode,
          PAYMENT_BPMS_PUBLIC_KEY: fake.publicKey,
          PAYMENT_BPMS_PRIVATE_KEY: fake.privateKey,
          PAYMENT_BPMS_REVENUE_CODE: 'CV01',
          PAYMENT_BPMS_PHONE: '08000000001',
          PAYMENT_BPMS_MODE: 'test',
        },
      }
    },
  },
  {
    provider: 'interswitch',
    approved: '00',
    secret: WEBHOOK_SECRET,
    async open() {
      const fake = await startFakeInterswitch('product')
      return {
        fake,
        variables: {
          PAYMENT_INTERSWITCH_PAY_URL: `${fake.server.url}/collections/w/pay`,
          PAYMENT_INTERSWITCH_QUERY_URL: `${fake.server.url}/collections/api/v1/gettransaction.json`,
          PAYMENT_INTERSWITCH_PAY_ITEM_ID: fake.payItemId,
          PAYMENT_INTERSWITCH_PRODUCT_ID: fake.productId,
          PAYMENT_INTERSWITCH_MAC_KEY: fake.macKey,
          PAYMENT_INTERSWITCH_WEBHOOK_SECRET: WEBHOOK_SECRET,
          PAYMENT_INTERSWITCH_MODE: 'test',
        },
      }
    },
  },
  {
    provider: 'paystack',
    approved: 'success',
    secret: 'sk_test_of_the_fake',
    async open() {
      const fake = await startFakePaystack()
      return {
        fake,
        variables: {
          PAYMENT_PAYSTACK_URL: fake.server.url,
          PAYMENT_PAYSTACK_CHECKOUT_URL: fake.server.url,
          PAYMENT_PAYSTACK_SECRET_KEY: fake.secretKey,
        },
      }
    },
  },
]

describe.each(gatewayCases)('a portal on $provider', ({ provider, open, approved, secret }) => {
  let fake: FakeGateway
  let portal: RunningPortal
  beforeEach(async () => {
    const opened = await open()
    fake = opened.fake
    portal = await startPortal({ ...opened.variables, PAYMENT_PROVIDER: provider, LOG_LEVEL: 'silent' })
  })
  afterEach(async () => {
    await portal?.stop()
    await fake.server.close()
  })

  test('an exact payment produces the letter, but forged callbacks and underpayments do not', {
    tags: ['QUALITY-22'],
  }, async () => {
    const account = await newAccount({}, portal)
    const call = (method: string, path: string, body?: object) =>
      request(method, path, { token: account.token, portal, ...(body && { body }) })
    const readStatus = async (id: string) =>
      (await call('GET', `/verification/check-verification-status/${id}`)).body
    const callBack = async (reference: string, key: string) => {
      const { raw, headers } = fake.callBack(reference, key)
      return (await request('POST', `/payments/webhooks/${provider}`, { body: raw, headers, portal })).status
    }
    /** Starts a payment and opens its page as a browser does, under the content security policy that the portal sends. */
    async function startPayment() {
      const { certificate_number } = await newCertificate({}, portal)
      const { body } = await call('POST', '/verification/process-payment', { certificate_number })
      expect(body).toMatchObject({ status: 'payment_initiated' })
      const isForm = Object.keys(body.payment_data).length > 0
      const page = await fetch(body.payment_url, {
        ...(isForm && { method: 'POST', body: new URLSearchParams(body.payment_data) }),
      })
      expect(page.status).toBe(200)
      const reference = String(body.payment_reference)
      expect(reference.length).toBeLessThanOrEqual(15)
      expect(fake.requestedAmount(reference)).toBe(Math.round(body.amount_paid * 100))
      return { id: String(body.transaction_id), reference }
    }

    const policy = (await fetch(`${portal.url}/api/health`)).headers.get('content-security-policy') ?? ''
    expect(/form-action [^;]*/.exec(policy)?.[0]).toContain(fake.server.url)

    const exact = await startPayment()
    // A forged callback or return from the payment page produces no letter.
    expect(await callBack(exact.reference, 'not-the-secret')).toBe(401)
    await request('GET', `/payments/return?request_id=${exact.reference}&status-code=00`, { portal })
    expect(await readStatus(exact.id)).not.toMatchObject({ status: 'paid' })

    fake.endPayment(exact.reference, approved)
    if (secret) expect(await callBack(exact.reference, secret)).toBe(200)
    else await request('GET', `/payments/return?request_id=${exact.reference}`, { portal })
    const paidStatus = await eventually(async () => {
      const status = await readStatus(exact.id)
      return status.status === 'paid' ? status : undefined
    }, 'the paid payment')
    expect(paidStatus).toMatchObject({ verification_status: 'success' })

    const underpaid = await startPayment()
    fake.endPayment(underpaid.reference, approved, { amount: 100 })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const returnForm = `request_id=${underpaid.reference}&status-code=00&status-msg=APPROVED`
    expect(
      await request('POST', '/payments/return', { body: returnForm, headers: form, portal }),
    ).toMatchObject({
      status: 200,
    })
    const heldStatus = await eventually(async () => {
      const status = await readStatus(underpaid.id)
      return status.resolution ? status : undefined
    }, 'the held payment')
    expect(heldStatus.status).toBe('pending')
    expect(heldStatus.certificate ?? null).toBeNull()
  })
})
