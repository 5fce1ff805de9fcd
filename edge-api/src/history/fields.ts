import type { ChangeValue, FieldChange } from '@portal/contract/history'

/** What a record holds, by field, as the wire names them. */
export type RecordValues = Readonly<Record<string, ChangeValue>>

const same = (one: ChangeValue, other: ChangeValue) =>
  Array.isArray(one) && Array.isArray(other) ? JSON.stringify(one) === JSON.stringify(other) : one === other

/**
 * The fields in which two states of a record differ, in the order of the later one. Before a record is created it has
 * no values, and a field without one is none.
 */
export function fieldChanges(before: RecordValues | undefined, after: RecordValues): FieldChange[] {
  return Object.entries(after).flatMap(([field, to]) => {
    const from = before?.[field] ?? null
    return same(from, to) ? [] : [{ field, from, to }]
  })
}
