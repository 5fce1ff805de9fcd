import { expect, test } from 'vitest'
import { LETTER_KEY } from '../../test/letter-keys.ts'
import { readEnvironment } from '../environment.ts'
import { createGateways } from './gateways.ts'

const secrets = {
  JWT_SECRET: 'a'.repeat(40),
  PAYMENT_WEBHOOK_SECRET: 'b'.repeat(20),
  LETTER_SIGNING_KEY: LETTER_KEY,
}
const paystack = {
  PAYMENT_PAYSTACK_URL: 'https://api.paystack.co',
  PAYMENT_PAYSTACK_CHECKOUT_URL: 'https://checkout.paystack.com',
  PAYMENT_PAYSTACK_SECRET_KEY: 'sk_live_example',
}
const realGateways = {
  ...paystack,
  PAYMENT_BPMS_URL: 'https://ticrms.edutams.net/checkout',
  PAYMENT_BPMS_SCHOOL_CODE: '300000',
  PAYMENT_BPMS_PUBLIC_KEY: 'PUB_KEY_EXAMPLE',
  PAYMENT_BPMS_PRIVATE_KEY: 'PRI_KEY_EXAMPLE',
  PAYMENT_BPMS_REVENUE_CODE: 'CV01',
  PAYMENT_BPMS_MODE: 'test',
  PAYMENT_INTERSWITCH_PAY_URL: 'https://webpay.interswitchng.com/collections/w/pay',
  PAYMENT_INTERSWITCH_QUERY_URL: 'https://webpay.interswitchng.com/collections/api/v1/gettransaction.json',
  PAYMENT_INTERSWITCH_PAY_ITEM_ID: '101',
  PAYMENT_INTERSWITCH_MERCHANT_CODE: 'MX187',
}
const modesOf = (raw: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(createGateways(readEnvironment({ ...secrets, ...raw }), fetch)).map(([name, { mode }]) => [
      name,
      mode,
    ]),
  )

test('configures only the sandbox by default', () => {
  expect(modesOf({})).toEqual({ sandbox: 'test' })
})

test('configures the chosen gateway and all others whose variables are set, so that older payments keep their gateway', () => {
  expect(modesOf({ ...realGateways, PAYMENT_PROVIDER: 'paystack' })).toEqual({
    sandbox: 'test',
    bpms: 'test',
    interswitch: 'live',
    paystack: 'live',
  })
})

test('configures no sandbox in production, even if its variables are set', () => {
  const production = {
    NODE_ENV: 'production',
    SEED: 'none',
    MAIL_URL: 'smtp://mail.example.org',
    SUPER_ADMIN_EMAIL: 'registrar@example.org',
    SUPER_ADMIN_PASSWORD: 'a-long-password',
  }
  expect(modesOf({ ...production, ...paystack, PAYMENT_PROVIDER: 'paystack' })).toEqual({ paystack: 'live' })
})

test('accepts gateways at loopback addresses only in tests', () => {
  const local = { ...paystack, PAYMENT_PAYSTACK_URL: 'http://localhost:9', PAYMENT_PROVIDER: 'paystack' }
  expect(modesOf({ ...local, NODE_ENV: 'test' })).toMatchObject({ paystack: 'live' })
  expect(() => modesOf(local)).toThrow('PAYMENT_PAYSTACK_URL: the address points at this machine')
})
