/** Thrown for a gateway address that must not be used: `message` gives the reason, without the address itself. */
export class GatewayAddressError extends Error {
  override readonly name = 'GatewayAddressError'
}

/**
 * Rejects addresses that a payment gateway cannot have: without HTTPS, with a password, or in a private network. Host names are
 * not resolved: the network itself must block public names that point to private addresses.
 * @param allowLoopback allows `http://localhost` and other loopback addresses, for the sandbox and for tests
 * @throws GatewayAddressError
 */
export function assertGatewayAddress(address: string, { allowLoopback }: { allowLoopback: boolean }): URL {
  if (!URL.canParse(address)) throw new GatewayAddressError('is not an address')
  // The parser has already normalised `0x7f.1`, `2130706433` and full-width digits.
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new GatewayAddressError('is not a web address')
  if (url.username || url.password) throw new GatewayAddressError('contains a name or password')
  if (url.hash) throw new GatewayAddressError('has a fragment')
  const host = url.hostname.replace(/\.$/, '')
  if (isLoopback(host)) {
    if (allowLoopback) return url
    throw new GatewayAddressError('points at this machine')
  }
  if (url.protocol !== 'https:') throw new GatewayAddressError('must be https')
  if (isPrivate(host)) throw new GatewayAddressError('is private')
  return url
}

/** Rejects an address in a gateway's response unless its origin is listed in the configuration. @throws GatewayAddressError */
export function assertListed(address: string, origins: readonly string[]): URL {
  if (!URL.canParse(address)) throw new GatewayAddressError('is not an address')
  const url = new URL(address)
  if (!origins.includes(url.origin)) throw new GatewayAddressError('is not among the configured addresses')
  return url
}

function isLoopback(host: string): boolean {
  return /^(.+\.)?localhost$/.test(host) || /^127\./.test(host) || host === '[::1]'
}

function isPrivate(host: string): boolean {
  if (host.startsWith('[')) return !isGlobalIpv6(host.slice(1, -1))
  if (/^[\d.]+$/.test(host)) return isReservedIpv4(host)
  return !host.includes('.') || /\.(local|internal|intranet|lan|home|corp|arpa)$/.test(host)
}

/** First address and prefix length of every IPv4 block that is not public (IANA's special-purpose address registry). */
const reserved: readonly [first: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

const toNumber = (ipv4: string) => ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

function isReservedIpv4(host: string): boolean {
  const address = toNumber(host)
  return reserved.some(([first, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(address / size) === Math.floor(toNumber(first) / size)
  })
}

/**
 * True for a public IPv6 address: one in 2000::/3 (global unicast), except those for tunnels (Teredo, 6to4) and documentation.
 */
function isGlobalIpv6(host: string): boolean {
  const [first = 0, second = 0] = host.split(':').map(group => Number.parseInt(group || '0', 16))
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return false
  return !(first === 0x2001 && (second < 0x200 || second === 0xdb8))
}
