import type { Context } from 'hono'
import { ipAddressOf } from '../ip-address.ts'

/**
 * Returns the client's IP address. Each trusted proxy appends the address it saw to `X-Forwarded-For`, so only the last
 * `trustedProxies` entries are trustworthy, and the first of them is the client. If that entry isn't an IP
 * address, the socket's address is used: otherwise any text would get a separate rate limit.
 */
export function clientAddress(c: Context, trustedProxies: number): string {
  const peer = peerAddress(c)
  if (trustedProxies === 0) return peer
  const forwarded = (c.req.header('x-forwarded-for') ?? '')
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
  return ipAddressOf(forwarded.at(-trustedProxies) ?? '') ?? peer
}

/** Each runtime's entry point passes the peer's address in the bindings. */
function peerAddress(c: Context): string {
  const peer: unknown = c.env?.peerAddress
  return (typeof peer === 'string' && ipAddressOf(peer)) || 'unknown'
}
