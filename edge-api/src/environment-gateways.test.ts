import { expect, test } from 'vitest'
import { paymentMethodsOf, readGateways } from './environment-gateways.ts'

const paystack = {
  PAYMENT_PAYSTACK_URL: 'https://api.paystack.co',
  PAYMENT_PAYSTACK_CHECKOUT_URL: 'https://checkout.paystack.com',
  PAYMENT_PAYSTACK_SECRET_KEY: 'sk_live_example',
}

test.each([
  ['paystack', {}, ['card']],
  ['paystack', { PAYMENT_PAYSTACK_CHANNELS: 'card, bank_transfer,ussd' }, ['card', 'bank_transfer', 'ussd']],
  ['sandbox', {}, ['card']],
  // Only the gateway itself knows its channels.
  ['bpms', {}, []],
])('the gateway %s with %o offers the channels %o', (provider, changes, methods) => {
  const { gateways } = readGateways({ ...paystack, ...changes }, provider, false)
  expect(paymentMethodsOf({ PAYMENT_PROVIDER: provider, gateways })).toEqual(methods)
})

test.each(['card,', 'Card', 'card;ussd'])('refuses the channels "%s"', channels => {
  const { problems } = readGateways({ ...paystack, PAYMENT_PAYSTACK_CHANNELS: channels }, 'paystack', false)
  expect(problems).toEqual([['PAYMENT_PAYSTACK_CHANNELS', 'is not accepted']])
})

test('requires all variables for refunds at Interswitch if one is set', () => {
  const { problems } = readGateways({ PAYMENT_INTERSWITCH_CLIENT_ID: 'IKIA1' }, 'sandbox', false)
  const variableNames = problems.map(([name]) => name)
  for (const name of ['REFUND_URL', 'TOKEN_URL', 'CLIENT_SECRET'])
    expect(variableNames).toContain(`PAYMENT_INTERSWITCH_${name}`)
  expect(variableNames).not.toContain('PAYMENT_INTERSWITCH_CLIENT_ID')
})
