import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { pagination, timestamp } from './shapes.ts'

/* Change history of certificates, accounts, and groups of settings. */

export const changeActions = ['created', 'updated', 'deleted', 'withdrawn', 'restored', 'purged'] as const
export type ChangeAction = (typeof changeActions)[number]

/** Where a change came from; `self` means a change to the user's own profile. */
export const changeSources = [
  'form',
  'upload',
  'bulk_edit',
  'bulk_delete',
  'bulk_restore',
  'revert',
  'self',
  'system',
] as const
export type ChangeSource = (typeof changeSources)[number]

/** The value of a field: text, a number, a boolean, a list of texts, or null. */
const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])
export type ChangeValue = z.infer<typeof value>

export const fieldChange = z.object({
  /** The field's name in the record, e.g. `student_name`. */
  field: z.string(),
  /** Null if empty or before the record was created. */
  from: value,
  to: value,
})
export type FieldChange = z.infer<typeof fieldChange>

export const change = z.object({
  /** The record's version after the change. */
  version: z.int(),
  action: z.enum(changeActions),
  at: timestamp,
  /** Who made the change; null for changes by the portal. An erased account's email reads `Erased account`. */
  actor: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
  source: z.object({
    kind: z.enum(changeSources),
    /** ID of the upload or job; null for other sources. */
    id: z.string().nullable(),
    /** The file name, for an upload. */
    label: z.string().nullable(),
  }),
  reason: z.string().nullable(),
  /** The changed fields. It is empty for a deletion or restoration, and once the values have been erased. */
  changes: z.array(fieldChange),
})
export type Change = z.infer<typeof change>

export const changesReply = z.object({ changes: z.array(change), pagination })

/** An optional reason for a change. */
export const reason = () => field.optionalText(200)
