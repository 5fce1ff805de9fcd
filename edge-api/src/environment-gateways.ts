import * as z from 'zod'
import { assertGatewayAddress } from './adapters/gateway-address.ts'

/*
 * The variables of the real payment gateways. A gateway counts as configured if it is the chosen one or any of its variables is
 * set: after a switch to another gateway, existing payments stay with the gateway at which they were started. All required
 * variables of a configured gateway must be set.
 */

const text = z.string().min(1)
const mode = z.enum(['test', 'live']).default('live')

const variables = {
  bpms: z.object({
    PAYMENT_BPMS_URL: text,
    PAYMENT_BPMS_SCHOOL_CODE: text,
    PAYMENT_BPMS_PUBLIC_KEY: text,
    PAYMENT_BPMS_PRIVATE_KEY: text,
    PAYMENT_BPMS_REVENUE_CODE: text,
    PAYMENT_BPMS_PHONE: z
      .string()
      .regex(/^0\d{10}$/)
      .optional(),
    PAYMENT_BPMS_MODE: mode,
  }),
  interswitch: z.object({
    PAYMENT_INTERSWITCH_PAY_URL: text,
    PAYMENT_INTERSWITCH_QUERY_URL: text,
    PAYMENT_INTERSWITCH_PAY_ITEM_ID: text,
    PAYMENT_INTERSWITCH_MERCHANT_CODE: text.optional(),
    PAYMENT_INTERSWITCH_PRODUCT_ID: text.optional(),
    PAYMENT_INTERSWITCH_MAC_KEY: text.optional(),
    PAYMENT_INTERSWITCH_WEBHOOK_SECRET: text.optional(),
    PAYMENT_INTERSWITCH_REFUND_URL: text.optional(),
    PAYMENT_INTERSWITCH_TOKEN_URL: text.optional(),
    PAYMENT_INTERSWITCH_CLIENT_ID: text.optional(),
    PAYMENT_INTERSWITCH_CLIENT_SECRET: text.optional(),
    PAYMENT_INTERSWITCH_MODE: mode,
  }),
  paystack: z.object({
    PAYMENT_PAYSTACK_URL: text,
    PAYMENT_PAYSTACK_CHECKOUT_URL: text,
    PAYMENT_PAYSTACK_SECRET_KEY: z.string().refine(haveSameMode),
    PAYMENT_PAYSTACK_CHANNELS: z
      .string()
      .default('card')
      .transform(list => list.split(',').map(channel => channel.trim()))
      .refine(list => list.every(channel => /^[a-z_]{2,30}$/.test(channel))),
  }),
}

/** True if all keys have the same mode. With keys of both modes, a test-mode event could count as a live one. */
function haveSameMode(keys: string): boolean {
  const modes = keys.split(',').map(key => /^sk_(test|live)_.+/.exec(key.trim())?.[1])
  return modes.every(mode => mode !== undefined && mode === modes[0])
}

/** An example of each variable, for the error message when startup fails. The addresses are those published by the gateways. */
export const gatewayExamples: Readonly<Record<string, string>> = {
  PAYMENT_BPMS_URL: 'PAYMENT_BPMS_URL=https://ticrms.edutams.net/checkout',
  PAYMENT_BPMS_SCHOOL_CODE: 'PAYMENT_BPMS_SCHOOL_CODE=<the school code of the institution>',
  PAYMENT_BPMS_PUBLIC_KEY: 'PAYMENT_BPMS_PUBLIC_KEY=PUB_KEY_…',
  PAYMENT_BPMS_PRIVATE_KEY: 'PAYMENT_BPMS_PRIVATE_KEY=PRI_KEY_…',
  PAYMENT_BPMS_REVENUE_CODE: 'PAYMENT_BPMS_REVENUE_CODE=<the code under which these payments are booked>',
  PAYMENT_BPMS_PHONE: 'PAYMENT_BPMS_PHONE=08031234567 (11 digits)',
  PAYMENT_BPMS_MODE: 'PAYMENT_BPMS_MODE=live (or test)',
  PAYMENT_INTERSWITCH_PAY_URL:
    'PAYMENT_INTERSWITCH_PAY_URL=https://webpay.interswitchng.com/collections/w/pay (with a merchant code: https://newwebpay.interswitchng.com/collections/w/pay)',
  PAYMENT_INTERSWITCH_QUERY_URL:
    'PAYMENT_INTERSWITCH_QUERY_URL=https://webpay.interswitchng.com/collections/api/v1/gettransaction.json',
  PAYMENT_INTERSWITCH_PAY_ITEM_ID: 'PAYMENT_INTERSWITCH_PAY_ITEM_ID=101',
  PAYMENT_INTERSWITCH_MERCHANT_CODE: 'PAYMENT_INTERSWITCH_MERCHANT_CODE=MX187',
  PAYMENT_INTERSWITCH_PRODUCT_ID: 'PAYMENT_INTERSWITCH_PRODUCT_ID=1076, with PAYMENT_INTERSWITCH_MAC_KEY',
  PAYMENT_INTERSWITCH_MAC_KEY: 'PAYMENT_INTERSWITCH_MAC_KEY=<128 characters>',
  PAYMENT_INTERSWITCH_WEBHOOK_SECRET: 'PAYMENT_INTERSWITCH_WEBHOOK_SECRET=<the webhook secret>',
  PAYMENT_INTERSWITCH_REFUND_URL:
    'PAYMENT_INTERSWITCH_REFUND_URL=https://saturn.interswitchng.com/paymentgateway/api/v1/refunds',
  PAYMENT_INTERSWITCH_TOKEN_URL:
    'PAYMENT_INTERSWITCH_TOKEN_URL=https://passport.interswitchng.com/passport/oauth/token',
  PAYMENT_INTERSWITCH_CLIENT_ID: 'PAYMENT_INTERSWITCH_CLIENT_ID=IKIA…',
  PAYMENT_INTERSWITCH_CLIENT_SECRET: 'PAYMENT_INTERSWITCH_CLIENT_SECRET=<the client secret>',
  PAYMENT_INTERSWITCH_MODE: 'PAYMENT_INTERSWITCH_MODE=live (or test)',
  PAYMENT_PAYSTACK_URL: 'PAYMENT_PAYSTACK_URL=https://api.paystack.co',
  PAYMENT_PAYSTACK_CHECKOUT_URL: 'PAYMENT_PAYSTACK_CHECKOUT_URL=https://checkout.paystack.com',
  PAYMENT_PAYSTACK_SECRET_KEY: 'PAYMENT_PAYSTACK_SECRET_KEY=sk_live_…',
  PAYMENT_PAYSTACK_CHANNELS: 'PAYMENT_PAYSTACK_CHANNELS=card,bank_transfer,ussd',
}

/** Returns the payment methods that the chosen gateway's checkout offers; empty if the portal does not know them. */
export function paymentMethodsOf({
  PAYMENT_PROVIDER: provider,
  gateways,
}: {
  PAYMENT_PROVIDER: string
  gateways: GatewaySettings
}): string[] {
  if (provider === 'sandbox') return ['card']
  return provider === 'paystack' ? [...(gateways.paystack?.channels ?? [])] : []
}

export interface GatewaySettings {
  bpms?: ReturnType<typeof toBpmsSettings>
  interswitch?: ReturnType<typeof toInterswitchSettings>
  paystack?: ReturnType<typeof toPaystackSettings>
}

/** Name of an invalid variable, and what is wrong with it, without its value. */
export type Problem = [name: string, problem: string]

/**
 * Reads the variables of the chosen gateway, and of every other gateway that has any variable set.
 * @returns settings by provider, and one problem for each missing or invalid variable, without its value
 */
export function readGateways(
  raw: Readonly<Record<string, string | undefined>>,
  chosenProvider: string,
  allowLoopback: boolean,
): { gateways: GatewaySettings; problems: Problem[] } {
  const problems: Problem[] = []
  const isConfigured = (provider: string) =>
    provider === chosenProvider || Object.keys(raw).some(name => name.startsWith(prefixOf(provider)))
  const read = <Schema extends z.ZodObject>(
    provider: string,
    schema: Schema,
  ): z.infer<Schema> | undefined => {
    if (!isConfigured(provider)) return undefined
    const isChosen = provider === chosenProvider
    const reason = isChosen
      ? `PAYMENT_PROVIDER=${provider} needs it`
      : `other ${prefixOf(provider)}… variables are set`
    const parsed = schema.safeParse(raw)
    const addresses = Object.keys(schema.shape).filter(name => name.endsWith('_URL'))
    for (const name of addresses) {
      const problem = findAddressProblem(raw[name], allowLoopback)
      if (problem) problems.push([name, problem])
    }
    for (const issue of parsed.error?.issues ?? []) {
      const name = String(issue.path[0])
      problems.push([name, raw[name] === undefined ? `is missing, but ${reason}` : 'is not accepted'])
    }
    return parsed.data
  }

  const bpms = read('bpms', variables.bpms)
  const interswitch = read('interswitch', variables.interswitch)
  const paystack = read('paystack', variables.paystack)
  if (isConfigured('interswitch')) problems.push(...findAccountProblems(raw), ...findRefundProblems(raw))
  return {
    problems,
    gateways: {
      ...(bpms && { bpms: toBpmsSettings(bpms) }),
      ...(interswitch && { interswitch: toInterswitchSettings(interswitch) }),
      ...(paystack && { paystack: toPaystackSettings(paystack) }),
    },
  }
}

const prefixOf = (provider: string) => `PAYMENT_${provider.toUpperCase()}_`

/** Returns the reason why an address is not allowed for a gateway; undefined if it is allowed, or missing. */
export function findAddressProblem(address: string | undefined, allowLoopback: boolean): string | undefined {
  if (address === undefined) return undefined
  try {
    assertGatewayAddress(address, { allowLoopback })
    return undefined
  } catch (error) {
    return `the address ${error instanceof Error ? error.message : 'is refused'}`
  }
}

/** Checks that an Interswitch account is given in exactly one way: as a merchant code, or as a product ID with its MAC key. */
function findAccountProblems(values: Readonly<Record<string, string | undefined>>): Problem[] {
  const product = values.PAYMENT_INTERSWITCH_PRODUCT_ID
  const key = values.PAYMENT_INTERSWITCH_MAC_KEY
  const merchant = values.PAYMENT_INTERSWITCH_MERCHANT_CODE
  if (merchant && (product || key)) {
    return [
      [
        'PAYMENT_INTERSWITCH_MERCHANT_CODE',
        'is set as well as a product ID or MAC key; set only one of the two',
      ],
    ]
  }
  if (product && !key) return [['PAYMENT_INTERSWITCH_MAC_KEY', 'is missing, but a product ID is set']]
  if (key && !product) return [['PAYMENT_INTERSWITCH_PRODUCT_ID', 'is missing, but a MAC key is set']]
  if (merchant || product) return []
  return [
    [
      'PAYMENT_INTERSWITCH_MERCHANT_CODE',
      'is missing; set either a merchant code, or a product ID and its MAC key',
    ],
  ]
}

const REFUND_VARIABLES = [
  'PAYMENT_INTERSWITCH_REFUND_URL',
  'PAYMENT_INTERSWITCH_TOKEN_URL',
  'PAYMENT_INTERSWITCH_CLIENT_ID',
  'PAYMENT_INTERSWITCH_CLIENT_SECRET',
] as const

/** Checks that either all variables for refunds are set, or none. */
function findRefundProblems(values: Readonly<Record<string, string | undefined>>): Problem[] {
  const missing = REFUND_VARIABLES.filter(name => !values[name])
  if (missing.length === REFUND_VARIABLES.length) return []
  return missing.map(name => [name, 'is missing, but other variables for refunds are set'])
}

const toBpmsSettings = (values: z.infer<typeof variables.bpms>) => ({
  url: values.PAYMENT_BPMS_URL,
  schoolCode: values.PAYMENT_BPMS_SCHOOL_CODE,
  publicKey: values.PAYMENT_BPMS_PUBLIC_KEY,
  privateKey: values.PAYMENT_BPMS_PRIVATE_KEY,
  revenueCode: values.PAYMENT_BPMS_REVENUE_CODE,
  phone: values.PAYMENT_BPMS_PHONE,
  mode: values.PAYMENT_BPMS_MODE,
})

const toInterswitchSettings = (values: z.infer<typeof variables.interswitch>) => ({
  payUrl: values.PAYMENT_INTERSWITCH_PAY_URL,
  queryUrl: values.PAYMENT_INTERSWITCH_QUERY_URL,
  payItemId: values.PAYMENT_INTERSWITCH_PAY_ITEM_ID,
  account: values.PAYMENT_INTERSWITCH_MERCHANT_CODE
    ? { merchantCode: values.PAYMENT_INTERSWITCH_MERCHANT_CODE }
    : {
        productId: values.PAYMENT_INTERSWITCH_PRODUCT_ID ?? '',
        macKey: values.PAYMENT_INTERSWITCH_MAC_KEY ?? '',
      },
  webhookSecret: values.PAYMENT_INTERSWITCH_WEBHOOK_SECRET,
  refunds: values.PAYMENT_INTERSWITCH_REFUND_URL
    ? {
        url: values.PAYMENT_INTERSWITCH_REFUND_URL,
        tokenUrl: values.PAYMENT_INTERSWITCH_TOKEN_URL ?? '',
        clientId: values.PAYMENT_INTERSWITCH_CLIENT_ID ?? '',
        clientSecret: values.PAYMENT_INTERSWITCH_CLIENT_SECRET ?? '',
      }
    : undefined,
  mode: values.PAYMENT_INTERSWITCH_MODE,
})

const toPaystackSettings = (values: z.infer<typeof variables.paystack>) => ({
  url: values.PAYMENT_PAYSTACK_URL,
  checkoutUrl: values.PAYMENT_PAYSTACK_CHECKOUT_URL,
  secretKey: values.PAYMENT_PAYSTACK_SECRET_KEY,
  channels: values.PAYMENT_PAYSTACK_CHANNELS,
})
