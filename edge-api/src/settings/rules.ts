import { institutionUpdate } from '@portal/contract/admin-settings'
import { defaultLetterTexts } from '@portal/contract/letter-texts'
import { policies } from '@portal/contract/policies'
import { institution } from '@portal/contract/verification'
import { truncate } from '@portal/format/text'
import * as z from 'zod'

/** Shape and default value of every setting. */
export const settingShapes = {
  fee: z.object({ minor: z.int().min(0) }),
  /** Tax that is included in the fee; a rate of 0 means that there is none. */
  tax: z.object({ name: z.string(), basis_points: z.int().min(0) }),
  policies: policies.extend({
    staff_totp: z.boolean().default(false),
    organisations: policies.shape.organisations.default('off'),
  }),
  institution: institution.extend({
    accent: institutionUpdate.shape.accent.default(null),
    bank_details: z.array(z.string()).default([]),
  }),
  signature: z.object({
    name: z.string(),
    title: z.string(),
    for: z.string(),
    email: z.string(),
    signature_image: z.string().nullable(),
    stamp_image: z.string().nullable(),
  }),
  letter_texts: z.object({
    subject: z.string(),
    opening: z.string(),
    closing: z.string(),
    thanks: z.string(),
  }),
}

export type SettingKey = keyof typeof settingShapes
export type Settings = { [Key in SettingKey]: z.infer<(typeof settingShapes)[Key]> }
/** The input type of a setting, in which fields that have a default are optional. */
export type SettingInput<Key extends SettingKey> = z.input<(typeof settingShapes)[Key]>

export const settingDefaults: Settings = {
  fee: { minor: 500_000 },
  tax: { name: 'VAT', basis_points: 0 },
  policies: {
    unknown_certificates: 'free',
    public_tracking: 'full',
    staff_totp: false,
    organisations: 'off',
  },
  institution: {
    name: 'University Registry',
    short_name: 'Registry',
    address: 'Office of the Registrar',
    logo: null,
    support_email: 'registry@localhost',
    support_phones: [],
    business_hours: '8 AM to 5 PM',
    accent: null,
    bank_details: [],
  },
  signature: {
    name: 'The Registrar',
    title: 'Registrar',
    for: 'Registrar',
    email: 'registry@localhost',
    signature_image: null,
    stamp_image: null,
  },
  letter_texts: defaultLetterTexts,
}

/** The only currency that is charged. */
export const CURRENCY = 'NGN'

/** Maximum length of a value in the log, in characters. */
const MAX_LOGGED_LENGTH = 120

function displayValue(value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'none'
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return truncate(String(value), MAX_LOGGED_LENGTH)
}

/** Describes the differences between two objects for the activity log: `name: Old Name → New Name; accent: none → #0e5b3f`. */
export function describeChanges(before: object, after: object): string {
  const previous = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([field, value]) => JSON.stringify(previous.get(field)) !== JSON.stringify(value))
    .map(
      ([field, value]) =>
        `${field.replaceAll('_', ' ')}: ${displayValue(previous.get(field))} → ${displayValue(value)}`,
    )
    .join('; ')
}
