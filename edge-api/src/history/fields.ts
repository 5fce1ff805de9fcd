import type { ChangeValue, FieldChange } from '@portal/contract/history'

/** Values of a record by field, with the names of the API. */
export type RecordValues = Readonly<Record<string, ChangeValue>>

const same = (one: ChangeValue, other: ChangeValue) =>
  Array.isArray(one) && Array.isArray(other) ? JSON.stringify(one) === JSON.stringify(other) : one === other

/**
 * The fields in which two states of a record differ, in the order of the later one. A record that does not exist yet has no
 * values, and a missing field is null.
 */
export function fieldChanges(before: RecordValues | undefined, after: RecordValues): FieldChange[] {
  return Object.entries(after).flatMap(([field, to]) => {
    const from = before?.[field] ?? null
    return same(from, to) ? [] : [{ field, from, to }]
  })
}
