import type { Canary } from './remote.ts'

/**
 * Returns the mark by which `remotes.json`, which is public, names an account: 128 bits of SHA-256 over the release and the
 * account ID, in hex. Because account IDs are random, it cannot be reversed. It differs from canary to canary.
 */
export async function canaryMark(release: string, account: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${release}:${account}`))
  return Array.from(new Uint8Array(digest, 0, 16), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** True if the account gets the canary. The choice is stable: raising the percentage only adds accounts. */
export function isChosen({ percent, accounts }: Pick<Canary, 'percent' | 'accounts'>, mark: string): boolean {
  return accounts.includes(mark) || Number.parseInt(mark.slice(0, 8), 16) < (percent / 100) * 2 ** 32
}
