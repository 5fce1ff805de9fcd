import { describe, expect, test } from 'vitest'
import { isPublic, parseTargetUrl, resolveTargetAddress, TargetRefusedError } from './target.ts'

const publicOnly = { WEBHOOK_ALLOW_PRIVATE: false }
const privateAllowed = { WEBHOOK_ALLOW_PRIVATE: true }

const outgoingTo = (...addresses: string[]) => ({
  resolve: async () => addresses,
  post: async () => {
    throw new Error('nothing is sent')
  },
})

describe('IP addresses', () => {
  test.each(['8.8.8.8', '2001:4860:4860::8888', '::ffff:8.8.8.8', '64:ff9b::808:808', '2606:4700::1111'])(
    'accepts %s',
    address => expect(isPublic(address)).toBe(true),
  )

  test.each([
    ['this machine', ['127.0.0.1', '127.255.0.9', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1']],
    ['private networks', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1']],
    ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
    [
      'link-local addresses',
      ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.169.254', 'fec0::1'],
    ],
    ['multicast and broadcast addresses', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1']],
    [
      'reserved addresses',
      ['240.0.0.1', '192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
    ],
    ['addresses for documentation', ['2001:db8::1', '3fff::1']],
    [
      'IPv4 in IPv6',
      ['::ffff:10.0.0.1', '::10.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::808:808', '::ffff:0:808:808'],
    ],
    [
      'addresses of tunnels',
      [
        '2002:a00:1::',
        '2002:808:808::1',
        '2001::1',
        '192.88.99.1',
        '2a00:1450::5efe:a00:1',
        '2a00:1450::200:5efe:a00:1',
      ],
    ],
    ['unallocated addresses', ['4000::1', '1::1', 'e000::1', '100::1', '5f00::1']],
    ['text that is not an IP address', ['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '010.0.0.1']],
  ])('refuses %s', { tags: ['ORGANISATION-26'] }, (_, addresses) => {
    expect(addresses.filter(isPublic)).toEqual([])
  })
})

describe('URLs', () => {
  test.each([
    'https://hooks.example.com/portal?x=1',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com:1024',
    'https://8.8.8.8/',
    'https://[2001:4860:4860::8888]:443/',
  ])('accepts %s', url => expect(parseTargetUrl(url, publicOnly).protocol).toBe('https:'))

  test.each([
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'hooks.example.com',
    'https://',
    'https://./',
    'https://.../',
    'https://user@hooks.example.com/',
    'https://user:pass@hooks.example.com/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:80/',
    'https://hooks.example.com:1023/',
    'https://localhost/',
    'https://portal/',
    'https://api.localhost./',
    'https://db.internal/',
    'https://db.internal../',
    'https://127.0.0.1./',
    'https://10.0.0.1:8443/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://127.1/',
    'https://１２７.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://[fe80::1]/',
    'https://[fe80::1%25eth0]/',
    'https://[64:ff9b::7f00:1]/',
    'https://ⓛocalhost/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://8.8.8.8@127.0.0.1/',
    'https:127.0.0.1',
  ])('refuses %s', { tags: ['ORGANISATION-26'] }, url =>
    expect(() => parseTargetUrl(url, publicOnly)).toThrow(TargetRefusedError),
  )

  test('http and private addresses are allowed if the setting for tests is on', () => {
    expect(parseTargetUrl('http://127.0.0.1:9000/hook', privateAllowed).href).toBe(
      'http://127.0.0.1:9000/hook',
    )
    expect(parseTargetUrl('http://localhost/', privateAllowed).port).toBe('')
    expect(() => parseTargetUrl('https://user@localhost/', privateAllowed)).toThrow(TargetRefusedError)
  })
})

describe('hosts', () => {
  const url = new URL('https://hooks.example.com/')

  test('the connection uses an address that was checked', { tags: ['ORGANISATION-26'] }, async () => {
    expect(await resolveTargetAddress(outgoingTo('8.8.8.8', '1.1.1.1'), url, publicOnly)).toBe('8.8.8.8')
    const literal = new URL('https://[2001:4860:4860::8888]/')
    expect(await resolveTargetAddress(outgoingTo(), literal, publicOnly)).toBe('2001:4860:4860::8888')
  })

  test.each(['127.0.0.1', '::ffff:10.0.0.1', '169.254.169.254'])(
    'a host is refused if one of its addresses is %s',
    async privateAddress => {
      const refused = resolveTargetAddress(outgoingTo('8.8.8.8', privateAddress), url, publicOnly)
      await expect(refused).rejects.toThrow(TargetRefusedError)
    },
  )

  test('a host that does not resolve is an error, not a refusal', async () => {
    const error = await resolveTargetAddress(outgoingTo(), url, publicOnly).catch((cause: unknown) => cause)
    expect(error).not.toBeInstanceOf(TargetRefusedError)
    expect(error).toBeInstanceOf(Error)
  })

  test('a host is not checked where the runtime chooses the address', async () => {
    expect(
      await resolveTargetAddress({ ...outgoingTo(), resolve: undefined }, url, publicOnly),
    ).toBeUndefined()
  })
})
