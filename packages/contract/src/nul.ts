import { isRecord } from './is-record.ts'

/** Error message for text with a NUL character, because databases and search indexes would truncate the text there. */
export const NUL_REFUSED = 'Remove the NUL character (U+0000) from this text'

/** Returns the path of the first text that contains a NUL, as in the `fields` of an error; undefined if there is none. */
export function fieldWithNul(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path || 'body' : undefined
  if (!Array.isArray(value) && !isRecord(value)) return undefined
  for (const [name, item] of Object.entries(value)) {
    const found = fieldWithNul(item, path ? `${path}.${name}` : name)
    if (found !== undefined) return found
  }
  return undefined
}
