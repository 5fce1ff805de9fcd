import { hostOf, webhookMessages, webhookUrlProblem } from '@portal/rules/webhooks'
import ipaddr from 'ipaddr.js'
import type { Environment } from '../environment.ts'
import type { Outgoing } from '../ports.ts'

/*
 * Checks the URLs to which webhooks are sent. Customers choose them, so none may lead into the portal's own network (SSRF):
 * first the URL is checked, then every IP address of its host, and the connection goes to an address that was checked.
 */

/** Thrown for a URL to which webhooks may not be sent; `message` gives the reason in words for the customer. */
export class TargetRefusedError extends Error {
  override readonly name = 'TargetRefusedError'
}

/** Time limit for resolving a host name, in milliseconds. */
const RESOLVE_TIMEOUT_MS = 5000

type TargetSettings = Pick<Environment, 'WEBHOOK_ALLOW_PRIVATE'>

/** Checks and parses the URL of a webhook. @throws TargetRefusedError */
export function parseTargetUrl(text: string, { WEBHOOK_ALLOW_PRIVATE: allowPrivate }: TargetSettings): URL {
  const problem = webhookUrlProblem(text, { allowPrivate })
  if (problem !== undefined) throw new TargetRefusedError(problem)
  const url = new URL(text)
  url.hash = ''
  const host = hostOf(url)
  if (!allowPrivate && parseIpAddress(host) && !isPublic(host))
    throw new TargetRefusedError(webhookMessages.private)
  return url
}

/**
 * Returns the IP address to connect to; undefined if the runtime chooses it.
 * @throws TargetRefusedError if any of the host's addresses is not public; another error if it has none
 */
export async function resolveTargetAddress(
  { resolve }: Outgoing,
  url: URL,
  { WEBHOOK_ALLOW_PRIVATE: allowPrivate }: TargetSettings,
): Promise<string | undefined> {
  if (!resolve) return undefined
  const host = hostOf(url)
  const addresses = parseIpAddress(host) ? [host] : await withTimeout(resolve(host))
  const [address] = addresses
  if (address === undefined) throw new Error('the host has no address')
  if (!allowPrivate && !addresses.every(isPublic)) throw new TargetRefusedError(webhookMessages.private)
  return address
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException('', 'TimeoutError')), RESOLVE_TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Parses an IP address in the usual notation only, because programs interpret other notations differently. */
function parseIpAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [withoutZone = ''] = text.split('%')
  if (withoutZone.includes(':'))
    return ipaddr.IPv6.isValid(withoutZone) ? ipaddr.IPv6.parse(withoutZone) : undefined
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined
}

/**
 * True for an address of the public internet. An IPv4 address within an IPv6 one is checked as IPv4; addresses for tunnels
 * (6to4, Teredo, ISATAP) never count as public.
 */
export function isPublic(text: string): boolean {
  const address = parseIpAddress(text)
  if (!address) return false
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast'
  const range = address.range()
  if (range === 'ipv4Mapped' || range === 'rfc6052') {
    const embedded = new ipaddr.IPv4(address.toByteArray().slice(12))
    return isNat64OrMapped(address) && embedded.range() === 'unicast'
  }
  const [first = 0, , , , type, isatap] = address.parts
  if (isatap === 0x5efe && (type === 0 || type === 0x200)) return false
  // All public addresses allocated so far are in 2000::/3.
  return range === 'unicast' && first >= 0x2000 && first < 0x4000
}

/** True for the networks `::ffff:0:0/96` and `64:ff9b::/96`. `64:ff9b:1::/48` is for private use, and `::/96` is deprecated. */
function isNat64OrMapped(address: ipaddr.IPv6): boolean {
  const within = (network: string, bits: number) => address.match(ipaddr.IPv6.parse(network), bits)
  return within('::ffff:0:0', 96) || within('64:ff9b::', 96)
}
