import * as z from 'zod'
import { GatewayRefusal, type Initiation, type Order, type PaymentGateway } from '../payment-gateway.ts'
import { assertGatewayAddress, assertListed } from './gateway-address.ts'
import {
  callGateway,
  checkReachable,
  isRefusal,
  rethrowAsUnreachable,
  splitSecrets,
  withReference,
} from './gateway-http.ts'
import { paystackDisputes } from './paystack-disputes.ts'
import { isDuplicate, parseRefusal } from './paystack-payment.ts'
import { paystackRefundAccounts } from './paystack-refund-accounts.ts'
import { paystackRefunds } from './paystack-refunds.ts'
import { type PaystackCall, readOk } from './paystack-responses.ts'
import { paystackSettlements } from './paystack-settlements.ts'
import { paystackTransactions } from './paystack-transactions.ts'
import { paystackWebhookParser } from './paystack-webhooks.ts'

/*
 * Paystack: the server initialises a transaction, the browser opens the returned page, and the server verifies the
 * result. Amounts are in kobo. One secret key authenticates the calls, determines test or live mode, and signs the
 * callbacks.
 */

export interface PaystackOptions {
  /** Base address of the API, e.g. `https://api.paystack.co`, without a trailing slash. */
  url: string
  /** Origin that payers are sent to, e.g. `https://checkout.paystack.com`; a response with any other origin is rejected. */
  checkoutUrl: string
  /**
   * `sk_test_…` or `sk_live_…`, or several separated by commas: the first is used for calls, and all of them to verify
   * callbacks.
   */
  secretKey: string
  /** Payment methods of the checkout, by the gateway's names; cards alone by default. */
  channels?: readonly string[]
  fetch: typeof fetch
  allowLoopback?: boolean
}

/** Minimum amount, NGN 50.00: "Transaction Minimum" at paystack.com/docs/api (Supported Currency), read 2026-11-23. */
const MINIMUM_MINOR = 5000

const initialised = z.object({
  status: z.literal(true),
  data: z.object({ authorization_url: z.string(), access_code: z.string(), reference: z.string() }),
})

export function paystackGateway(options: PaystackOptions): PaymentGateway {
  const { fetch, channels = ['card'], allowLoopback = false } = options
  const base = assertGatewayAddress(options.url, { allowLoopback }).href.replace(/\/+$/, '')
  const { origin: checkoutOrigin } = assertGatewayAddress(options.checkoutUrl, { allowLoopback })
  const keys = splitSecrets(options.secretKey)
  const [key = ''] = keys
  const mode = key.startsWith('sk_live_') ? 'live' : 'test'

  const call: PaystackCall = (path, signal, body, maxBytes, method = 'POST') =>
    callGateway(
      fetch,
      `${base}${path}`,
      {
        signal,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { method, body: JSON.stringify(body) }),
      },
      maxBytes,
    )

  const refunds = paystackRefunds(call)

  return {
    mode,
    minimumMinor: MINIMUM_MINOR,

    async initiate(order, signal): Promise<Initiation> {
      const response = await call('/transaction/initialize', signal, {
        email: order.customer.email,
        amount: order.amount.minor,
        currency: order.amount.currency,
        reference: order.reference,
        callback_url: withReference(order.returnUrl, order.reference),
        channels,
        metadata: JSON.stringify(toMetadata(order)),
      }).catch(rethrowAsUnreachable)
      // The gateway already has this reference, so a payment may exist: only requery it, do not start it again.
      if (parseRefusal(response)?.code === 'duplicate_reference' || isDuplicate(response)) {
        throw new Error('the gateway knows this reference already')
      }
      if (isRefusal(response.status)) throw new GatewayRefusal(`the gateway returned ${response.status}`)
      const { data } = initialised.parse(readOk(response))
      if (data.reference !== order.reference) throw new Error('the gateway returned a different reference')
      const page = assertListed(data.authorization_url, [checkoutOrigin])
      return { paymentUrl: page.href, fields: {}, providerRef: data.access_code }
    },

    parseWebhook: paystackWebhookParser(keys),
    check: signal => checkReachable(fetch, base, signal),

    refund: refunds.refund,
    findRefund: refunds.findRefund,
    refundAccounts: paystackRefundAccounts(call),
    settlements: paystackSettlements(call),
    disputes: paystackDisputes(call, { fetch, allowLoopback }),
    ...paystackTransactions(call, { mode, listRefundsOfTransaction: refunds.listRefundsOfTransaction }),
  }
}

/** Returns the details of a payment that staff see in the gateway's dashboard, and the address to which "Cancel" returns. */
const toMetadata = ({ description, customer, returnUrl, reference }: Order) => ({
  cancel_action: withReference(returnUrl, reference),
  custom_fields: [
    { display_name: 'Certificate number', variable_name: 'certificate_number', value: description },
    {
      display_name: 'Requester',
      variable_name: 'requester',
      value: `${customer.firstname} ${customer.lastname}`,
    },
  ],
})
