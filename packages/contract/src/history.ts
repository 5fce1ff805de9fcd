import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { pagination, timestamp } from './shapes.ts'

/* Change history of records: certificates, accounts, and groups of settings. */

export const changeActions = ['created', 'updated', 'deleted', 'withdrawn', 'restored', 'purged'] as const
export type ChangeAction = (typeof changeActions)[number]

/** Source of a change; `self` means the user's own profile. */
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

/** The value of a record's field: text, a number, a switch or a list. */
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
  /** Null for changes by the portal. An erased account's address reads `Erased account`. */
  actor: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
  source: z.object({
    kind: z.enum(changeSources),
    /** The upload or job. */
    id: z.string().nullable(),
    /** The file name of an upload. */
    label: z.string().nullable(),
  }),
  reason: z.string().nullable(),
  /** The changed fields; empty for a deletion or restoration, and after the values were erased. */
  changes: z.array(fieldChange),
})
export type Change = z.infer<typeof change>

export const changesReply = z.object({ changes: z.array(change), pagination })

/** Reason for a change; optional. */
export const reason = () => field.optionalText(200)
