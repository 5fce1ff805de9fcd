import { etagOf } from '@portal/contract/if-match'

/**
 * Returns the `ETag` header of a reply about a single record, or no header if the record has no version.
 * @param record name of the reply's field with the record; empty if the reply itself is the record
 */
export function etagHeader(reply: unknown, record: string): Record<string, string> {
  const body = reply as Record<string, { version?: number }>
  const { version } = (record === '' ? body : body[record]) as { version?: number }
  return version === undefined ? {} : { ETag: etagOf(version) }
}
