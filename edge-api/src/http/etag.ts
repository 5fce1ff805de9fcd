import { etagOf } from '@portal/contract/if-match'

/** Returns the `ETag` header of a reply with one record, or nothing if it has no version. */
export function etagHeader(reply: unknown, record: string): Record<string, string> {
  const body = reply as Record<string, { version?: number }>
  const { version } = (record === '' ? body : body[record]) as { version?: number }
  return version === undefined ? {} : { ETag: etagOf(version) }
}
