// ipaddr.js parses and masks addresses according to the standards. It is small, has no dependencies and runs on every runtime.
import ipaddr from 'ipaddr.js'
import { addBounded } from './bounded-map.ts'

/**
 * Matches the forms with a port or brackets that some proxies write into `X-Forwarded-For`: `1.2.3.4:5555`, `[2001:db8::1]` and
 * `[2001:db8::1]:5555`.
 */
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([^\]]*:[^\]]*)\](?::\d{1,5})?)$/

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text.includes(':')) {
    const [withoutZone = ''] = text.split('%')
    // Converts an IPv4 address embedded in IPv6 to that IPv4 address.
    return ipaddr.IPv6.isValid(withoutZone) ? ipaddr.process(withoutZone) : undefined
  }
  // Rejects other notations, such as `0x7f.1` or `010.0.0.1`, which mean different addresses to different programs.
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined
}

/** Normalised addresses by the original text. Cached, because every request needs its client's address. */
const cache = new Map<string, string>()
const MAX_CACHED = 1000

/**
 * Returns the IP address in its canonical form, without port, brackets or zone, or `undefined` if the text is not an address.
 */
export function ipAddressOf(text: string): string | undefined {
  const cached = cache.get(text)
  if (cached !== undefined) return cached
  const trimmed = text.trim()
  const [, ipv4, ipv6] = WITH_PORT.exec(trimmed) ?? []
  const address = parse(ipv4 ?? ipv6 ?? trimmed)?.toString()
  if (address !== undefined) addBounded(cache, text, address, MAX_CACHED)
  return address
}

/**
 * Returns the key under which rate limits count a client: an IPv4 address, or the /64 network of an IPv6 address, because one
 * client can use all addresses of its network. Text that is not an address is returned unchanged.
 */
export function clientNetworkOf(address: string): string {
  const parsed = parse(address)
  if (!parsed) return address
  return parsed instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`)}/64`
    : parsed.toString()
}
