import { parseAccept } from 'hono/utils/accept'

/** Encodings that the portal supports, preferred ones first. */
const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/**
 * Returns the encodings that a client accepts according to its `Accept-Encoding` header (RFC 9110), in the client's order of
 * preference; equal ones are in the portal's order. Encodings with `q=0`, or ranked below an unencoded response, are left out.
 */
export function acceptedEncodings(header: string | null): Encoding[] {
  const accepted = parseAccept(header ?? '')
  const weightOf = (name: string) => accepted.find(({ type }) => type.toLowerCase() === name)?.q
  const defaultWeight = weightOf('*') ?? 0
  const identityWeight = weightOf('identity') ?? 0
  const weights = ENCODINGS.map(name => ({ name, q: weightOf(name) ?? defaultWeight }))
  return weights
    .filter(({ q }) => q > 0 && q >= identityWeight)
    .sort((a, b) => b.q - a.q)
    .map(({ name }) => name)
}
