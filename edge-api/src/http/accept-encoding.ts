import { parseAccept } from 'hono/utils/accept'

/** Encodings that the portal sends, the better one first. */
const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/**
 * Returns the encodings that a client accepts, by its `Accept-Encoding` (RFC 9110): the one it prefers first, of equal ones the
 * better one. Those with `q=0`, and those that it wants less than an unencoded response, are left out.
 */
export function acceptedEncodings(header: string | null): Encoding[] {
  const accepted = parseAccept(header ?? '')
  const given = (name: string) => accepted.find(({ type }) => type.toLowerCase() === name)?.q
  const any = given('*') ?? 0
  const plain = given('identity') ?? 0
  const weights = ENCODINGS.map(name => ({ name, q: given(name) ?? any }))
  return weights
    .filter(({ q }) => q > 0 && q >= plain)
    .sort((one, other) => other.q - one.q)
    .map(({ name }) => name)
}
