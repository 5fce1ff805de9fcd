import type { ChangeValue, FieldChange } from '@portal/contract/history'

/** Values of a record by field, with the API's field names. */
export type RecordValues = Readonly<Record<string, ChangeValue>>

const isSame = (a: ChangeValue, b: ChangeValue) =>
  Array.isArray(a) && Array.isArray(b) ? JSON.stringify(a) === JSON.stringify(b) : a === b

/**
 * Returns the fields in which two states of a record differ, in the order of the later state. A record that does not
 * exist yet has no values, and a missing field is null.
 */
export function fieldChanges(before: RecordValues | undefined, after: RecordValues): FieldChange[] {
  return Object.entries(after).flatMap(([field, to]) => {
    const from = before?.[field] ?? null
    return isSame(from, to) ? [] : [{ field, from, to }]
  })
}
