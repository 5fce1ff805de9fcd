import type { Context } from 'hono'

/**
 * The client's IP address. Each trusted proxy appends the address it saw to `X-Forwarded-For`, so the last
 * `trustedProxies`th entry is the first one that nobody outside could have written.
 */
export function clientAddress(c: Context, trustedProxies: number): string {
  const peer = peerAddress(c)
  if (trustedProxies === 0) return peer
  const forwarded = (c.req.header('x-forwarded-for') ?? '')
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
  return forwarded.at(-trustedProxies) ?? peer
}

/** Each composition root passes the peer's address in its own way through the bindings. */
function peerAddress(c: Context): string {
  const peer: unknown = c.env?.peerAddress
  return typeof peer === 'string' && peer !== '' ? peer : 'unknown'
}
