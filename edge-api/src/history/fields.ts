import type { ChangeValue, FieldChange } from '@portal/contract/history'

/** Values of a certificate, account or other record, by the API's field names. */
export type RecordValues = Readonly<Record<string, ChangeValue>>

const isSame = (a: ChangeValue, b: ChangeValue) =>
  Array.isArray(a) && Array.isArray(b) ? JSON.stringify(a) === JSON.stringify(b) : a === b

/**
 * Returns the fields in which two states of a record differ, in the order of the later state. Before its creation, a record has
 * no values; a missing field counts as null.
 */
export function diffFields(before: RecordValues | undefined, after: RecordValues): FieldChange[] {
  return Object.entries(after).flatMap(([field, to]) => {
    const from = before?.[field] ?? null
    return isSame(from, to) ? [] : [{ field, from, to }]
  })
}
