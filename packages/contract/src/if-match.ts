/*
 * Optimistic locking with `If-Match` (RFC 9110): the entity tag of a record is its version in quotes. Weak tags never match,
 * because the comparison is strong.
 */

/** The versions that a caller expects: any version, or one of a list. */
export type ExpectedVersion = 'any' | readonly number[]

/** Returns the entity tag of a version: `"3"` for 3. */
export const etagOf = (version: number): string => `"${version}"`

const ENTITY_TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"$/
const VERSION = /^[1-9]\d{0,15}$/

/** Parses an `If-Match` header. Returns `undefined` if it is malformed. */
export function parseIfMatch(header: string): ExpectedVersion | undefined {
  const text = header.trim()
  if (text === '*') return 'any'
  // A comma inside quotes is part of the tag.
  const tags = text.match(/(?:[^,"]|"[^"]*"?)+/g)?.map(tag => tag.trim()) ?? []
  const parsed = tags.filter(tag => tag !== '').map(tag => ENTITY_TAG.exec(tag))
  if (parsed.length === 0 || parsed.some(match => match === null)) return undefined
  return parsed.flatMap(match => {
    const [, weak, value = ''] = match ?? []
    return weak === undefined && VERSION.test(value) ? [Number(value)] : []
  })
}

/** True if a record with this version may be changed; always true if no version is expected. */
export const isExpected = (expected: ExpectedVersion | undefined, version: number): boolean =>
  expected === undefined || expected === 'any' || expected.includes(version)

/** Error message for a malformed header. */
export const INVALID_IF_MATCH = 'Please send the version in quotes, for example "3", or *.'
