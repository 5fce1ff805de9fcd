import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { pagination, timestamp } from './shapes.ts'

/* The history of records: certificates, accounts, and groups of settings. */

export const changeActions = ['created', 'updated', 'deleted', 'withdrawn', 'restored', 'purged'] as const
export type ChangeAction = (typeof changeActions)[number]

/** How a change came about; `self` is an account holder's own profile. */
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

/** A value of a record: what a form field, a switch or a list of settings holds. */
const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])
export type ChangeValue = z.infer<typeof value>

export const fieldChange = z.object({
  /** As the record names it: `student_name`. */
  field: z.string(),
  /** Null for none, and before the record was created. */
  from: value,
  to: value,
})
export type FieldChange = z.infer<typeof fieldChange>

export const change = z.object({
  /** The version that the record has since. */
  version: z.int(),
  action: z.enum(changeActions),
  at: timestamp,
  /** Null for what the portal did by itself. The address of an erased account reads `Erased account`. */
  actor: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
  source: z.object({
    kind: z.enum(changeSources),
    /** The upload or job. */
    id: z.string().nullable(),
    /** The name of the file, or `Added by upload {file}`. */
    label: z.string().nullable(),
  }),
  reason: z.string().nullable(),
  /** What differs; empty where the record was deleted or restored, and once its values were blanked. */
  changes: z.array(fieldChange),
})
export type Change = z.infer<typeof change>

export const changesReply = z.object({ changes: z.array(change), pagination })

/** Why a certificate is changed; left out or empty for none. */
export const reason = () => field.optionalText(200)
