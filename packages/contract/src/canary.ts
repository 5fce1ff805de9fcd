import type { Canary } from './remote.ts'

/**
 * How an account stands in `remotes.json`, which anyone may read: 128 bits of SHA-256 over the release and the account's
 * id, in hex. Ids are random, so nobody finds one again, and no account is known from one canary to the next.
 */
export async function canaryMark(release: string, account: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${release}:${account}`))
  return Array.from(new Uint8Array(digest, 0, 16), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether the account of this mark is given the canary: always the same answer, and with more percent never a no. */
export function isChosen({ percent, accounts }: Pick<Canary, 'percent' | 'accounts'>, mark: string): boolean {
  return accounts.includes(mark) || Number.parseInt(mark.slice(0, 8), 16) < (percent / 100) * 2 ** 32
}
