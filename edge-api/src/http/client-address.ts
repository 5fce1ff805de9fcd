import type { Context } from 'hono'
import { ipAddressOf } from '../ip-address.ts'

/**
 * Returns the client's IP address. Each trusted proxy appends the address that it saw to `X-Forwarded-For`, so only the last
 * `trustedProxies` entries can be trusted, and the first of those is the client. If that entry is not an IP address, the
 * socket's address is used; otherwise every made-up text would get its own rate limit.
 */
export function clientAddressOf(c: Context, trustedProxies: number): string {
  const peer = peerAddressOf(c)
  if (trustedProxies === 0) return peer
  const forwarded = (c.req.header('x-forwarded-for') ?? '')
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
  return ipAddressOf(forwarded.at(-trustedProxies) ?? '') ?? peer
}

/** Returns the peer's address, which each runtime's entry point passes in the bindings. */
function peerAddressOf(c: Context): string {
  const peer: unknown = c.env?.peerAddress
  return (typeof peer === 'string' && ipAddressOf(peer)) || 'unknown'
}
