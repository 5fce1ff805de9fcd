import { etagOf } from '@portal/contract/if-match'

/** The entity tag of a reply with one record. */
export function etagHeader(reply: unknown, record: string): Record<string, string> {
  const body = reply as Record<string, { version?: number }>
  const { version } = (record === '' ? body : body[record]) as { version?: number }
  return version === undefined ? {} : { ETag: etagOf(version) }
}
