import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { clientAddressOf } from './client-address.ts'

const createApp = (trustedProxies: number) =>
  new Hono().get('/', c => {
    return c.text(clientAddressOf(c, trustedProxies))
  })

async function addressOf(
  forwarded: string | undefined,
  { trusted: trustedProxies = 1, peer = '198.51.100.1' } = {},
): Promise<string> {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return await (await createApp(trustedProxies).request('/', { headers }, { peerAddress: peer })).text()
}

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:5555', '203.0.113.7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['2001:0DB8:0:0:0:0:0:7', '2001:db8::7'],
  ['fe80::7%eth0', 'fe80::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['198.51.100.9, 203.0.113.7', '203.0.113.7'],
])('reads the address in the forwarding header: %s', { tags: ['QUALITY-55'] }, async (forwarded, address) => {
  expect(await addressOf(forwarded)).toBe(address)
})

test.each([
  'anything',
  'anything:5555',
  '203.0.113.7:5555:6',
  '203.0.113.7:port',
  '203.0.113',
  '256.0.113.7',
  '0x7f.1',
  '010.0.0.1',
  '2130706433',
  '[203.0.113.7',
  '[203.0.113.7]',
  '2001:db8::7::1',
  '[]',
  '"203.0.113.7"',
  'unknown',
  '_hidden',
  '',
  ',',
  '203.0.113.7, anything',
])('uses the address of the socket if the header is %j', { tags: ['QUALITY-55'] }, async forwarded => {
  expect(await addressOf(forwarded)).toBe('198.51.100.1')
})

test('uses the address of the socket if the header has fewer entries than there are trusted proxies', async () => {
  expect(await addressOf('203.0.113.7', { trusted: 2 })).toBe('198.51.100.1')
  expect(await addressOf('203.0.113.7, 203.0.113.8', { trusted: 2 })).toBe('203.0.113.7')
})

test('ignores the header if no proxies are trusted', async () => {
  expect(await addressOf('203.0.113.7', { trusted: 0 })).toBe('198.51.100.1')
  expect(await addressOf(undefined, { trusted: 0, peer: '::ffff:198.51.100.1' })).toBe('198.51.100.1')
})

test('reports "unknown" for a client without a known address', async () => {
  expect(await addressOf(undefined, { peer: '' })).toBe('unknown')
  expect(await addressOf(undefined, { peer: 'a socket' })).toBe('unknown')
})
