import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { changesReply } from './history.ts'
import { placeholderProblem, placeholdersIn, requiredPlaceholders } from './letter-texts.ts'
import { policies, policiesUpdate } from './policies.ts'
import { tidyLine } from './printable-text.ts'
import { route } from './route.ts'
import { money, pageQuery, pagination, timestamp, version } from './shapes.ts'
import { MAX_TAX_BASIS_POINTS, taxRate } from './tax.ts'

/** Maximum fee in major units. It is far above any real fee and exists only to catch typing errors. */
const MAX_FEE = 10_000_000

export const feeUpdate = z.object({
  fee: z
    .number({ error: 'Please enter the fee as a number.' })
    .min(0, 'The fee cannot be less than 0.')
    .max(MAX_FEE, 'The fee cannot be more than 10,000,000.')
    .refine(value => Math.round(value * 100) / 100 === value, 'Please use at most two decimals.'),
  currency: z.literal('NGN', { error: 'The fee is charged in NGN.' }).default('NGN'),
})

const feeSettings = {
  settings: z.object({ verification_fee: money, currency: z.string() }),
  /** The gateway's minimum amount; 0 if unknown. A fee of 0 needs no gateway. */
  minimum_payment: money,
  updated_at: timestamp.nullable(),
  version,
}

export const taxUpdate = z.object({
  name: field.nameText('Tax name', 20),
  basis_points: z
    .number({ error: 'Please enter the tax rate as a number.' })
    .min(0, 'The tax rate cannot be less than 0.')
    .max(MAX_TAX_BASIS_POINTS, 'The tax rate cannot be more than 50%.')
    .int('Please use at most two decimals.'),
})

const taxSettings = taxRate.extend({ updated_at: timestamp.nullable(), version })

export const feeChange = z.object({
  id: z.int(),
  changed_at: timestamp,
  /** The staff member who changed it; null for the initial value. */
  user_id: z.string().nullable(),
  user_email: z.string().nullable(),
  from_fee: money,
  to_fee: money,
  currency: z.string(),
})
export type FeeChange = z.infer<typeof feeChange>

/** Maximum number of support phone lines, which is limited by the landing page's layout. */
export const MAX_PHONES = 2

const MAX_BANK_LINES = 6

export const institutionUpdate = z.object({
  name: field.nameText('Institution name', 120),
  short_name: field.nameText('Short name', 40),
  address: field.printedText('Address', 300),
  support_email: field.email('Support email is required'),
  support_phones: z.array(field.phone()).max(MAX_PHONES, 'Please enter at most two phone lines.'),
  business_hours: field.requiredText('Business hours are required', 80).transform(tidyLine),
  /** Any colour; the shades derived from it keep text readable. Null means the default, deep green. */
  accent: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'Please enter a colour as #RRGGBB, for example #0E5B3F.')
    .transform(value => value.toLowerCase())
    .nullable(),
  /** Lines printed on invoices to organisations; if omitted, they stay as they are. */
  bank_details: z
    .array(field.printedText('Bank details', 120))
    .max(MAX_BANK_LINES, 'Please enter at most six lines.')
    .optional(),
})

export const institutionSettings = z.object({
  name: z.string(),
  short_name: z.string(),
  address: z.string(),
  support_email: z.string(),
  support_phones: z.array(z.string()),
  business_hours: z.string(),
  accent: z.string().nullable(),
  bank_details: z.array(z.string()),
  /** URL of the image; null for none. */
  logo: z.string().nullable(),
  updated_at: timestamp.nullable(),
  version,
})
export type InstitutionSettings = z.infer<typeof institutionSettings>

/** A text of the letter; it may contain only known placeholders in braces. */
const letterText = (label: string, max: number, blankMessage?: string) =>
  field.printedText(label, max, blankMessage).check(context => {
    const problem = placeholderProblem(context.value)
    if (problem) context.issues.push({ code: 'custom', message: problem, input: context.value })
  })

export const letterUpdate = z
  .object({
    name: field.nameText('Signatory name', 120),
    title: field.printedText('Signatory title', 120),
    for: field.optionalPrintedText('Signs for', 120).transform(value => value ?? ''),
    email: field.printedEmail('Email'),
    subject: letterText('Subject', 200),
    opening: letterText('Opening', 1200),
    closing: letterText('Closing', 1200),
    thanks: letterText('Thanks', 300, 'Thanks are required'),
  })
  .check(context => {
    const { subject, opening, closing, thanks } = context.value
    const usedPlaceholders = placeholdersIn([subject, opening, closing, thanks])
    const missing = requiredPlaceholders
      .filter(placeholder => !usedPlaceholders.has(placeholder))
      .map(placeholder => `{${placeholder}}`)
    if (missing.length === 0) return
    const message = `The letter must name the certificate: please use ${missing.join(' and ')}.`
    context.issues.push({ code: 'custom', message, path: ['opening'], input: opening })
  })

export const letterSettings = z.object({
  name: z.string(),
  title: z.string(),
  for: z.string(),
  email: z.string(),
  subject: z.string(),
  opening: z.string(),
  closing: z.string(),
  thanks: z.string(),
  /** URLs of the images; null for none. */
  signature_image: z.string().nullable(),
  stamp_image: z.string().nullable(),
  updated_at: timestamp.nullable(),
  version,
})
export type LetterSettings = z.infer<typeof letterSettings>

export const imageKinds = ['logo', 'signature', 'stamp'] as const
export type ImageKind = (typeof imageKinds)[number]

/** Maximum size of an image in bytes. */
export const MAX_IMAGE_BYTES = 200_000

const kindParam = z.object({
  kind: z.enum(imageKinds, { error: 'Please use logo, signature or stamp.' }),
})

const messageField = { message: z.string() }

/** Fields of a reply about an image, with the version of the settings that contain the image: institution or letter. */
const imageReply = { ...messageField, version }

/** Groups of settings with a version and a history. */
export const settingGroups = ['fee', 'tax', 'policies', 'institution', 'letter'] as const
export type SettingGroup = (typeof settingGroups)[number]

export const adminSettings = {
  fee: route({
    method: 'GET',
    path: '/admin/settings/verification-fee',
    access: 'admin',
    summary: 'The verification fee.',
    reply: z.object(feeSettings),
    record: '',
  }),
  updateFee: route({
    method: 'PUT',
    path: '/admin/settings/verification-fee',
    access: 'admin',
    summary: 'Set the verification fee. Payments already started keep their fee.',
    body: feeUpdate,
    reply: z.object({ ...messageField, ...feeSettings }),
    ifMatch: true,
    record: '',
  }),
  feeHistory: route({
    method: 'GET',
    path: '/admin/settings/fee-history',
    access: 'admin',
    summary: 'Every change to the verification fee, newest first.',
    query: z.object(pageQuery(20)),
    reply: z.object({ changes: z.array(feeChange), pagination }),
  }),
  tax: route({
    method: 'GET',
    path: '/admin/settings/tax',
    access: 'admin',
    summary: 'The tax included in the verification fee; a rate of 0 means none.',
    reply: taxSettings,
    record: '',
  }),
  updateTax: route({
    method: 'PUT',
    path: '/admin/settings/tax',
    access: 'admin',
    summary:
      'Set the tax included in the verification fee; a rate of 0 means none. Payments already started keep their tax, ' +
      'and so do their receipts.',
    body: taxUpdate,
    reply: taxSettings.extend(messageField),
    ifMatch: true,
    record: '',
  }),
  policies: route({
    method: 'GET',
    path: '/admin/settings/policies',
    access: 'super_admin',
    withoutSecondFactor: true,
    summary: 'The policies.',
    reply: policies.extend({ updated_at: timestamp.nullable(), version }),
    record: '',
  }),
  // Also open to staff without an authenticator app, because anyone with their password could set one up at login anyway.
  updatePolicies: route({
    method: 'PUT',
    path: '/admin/settings/policies',
    access: 'super_admin',
    withoutSecondFactor: true,
    summary: 'Set policies; omitted ones keep their values. Payments already started keep theirs.',
    body: policiesUpdate,
    reply: policies.extend({ ...messageField, updated_at: timestamp.nullable(), version }),
    ifMatch: true,
    record: '',
  }),
  institution: route({
    method: 'GET',
    path: '/admin/settings/institution',
    access: 'super_admin',
    summary: 'The institution’s profile.',
    reply: institutionSettings,
    record: '',
  }),
  updateInstitution: route({
    method: 'PUT',
    path: '/admin/settings/institution',
    access: 'super_admin',
    summary: 'Set the institution’s profile. Letters already issued do not change.',
    body: institutionUpdate,
    reply: institutionSettings.extend(messageField),
    ifMatch: true,
    record: '',
  }),
  letter: route({
    method: 'GET',
    path: '/admin/settings/letter',
    access: 'super_admin',
    summary: 'Signatory and texts of the letters.',
    reply: letterSettings,
    record: '',
  }),
  updateLetter: route({
    method: 'PUT',
    path: '/admin/settings/letter',
    access: 'super_admin',
    summary: 'Set the signatory and texts of the letters. Letters already issued do not change.',
    body: letterUpdate,
    reply: letterSettings.extend(messageField),
    ifMatch: true,
    record: '',
  }),
  uploadImage: route({
    method: 'POST',
    path: '/admin/settings/images/{kind}',
    access: 'super_admin',
    summary: 'Set the logo (PNG, JPEG or SVG), the signature or the stamp (PNG or JPEG); at most 200 kB.',
    params: kindParam,
    multipart: 'file',
    reply: z.object({ ...imageReply, image: z.string().describe('Its URL, whose content never changes.') }),
    ifMatch: true,
    record: '',
    status: 201,
  }),
  removeImage: route({
    method: 'DELETE',
    path: '/admin/settings/images/{kind}',
    access: 'super_admin',
    summary: 'Remove the logo, signature or stamp. Letters already issued keep theirs.',
    params: kindParam,
    reply: z.object(imageReply),
    ifMatch: true,
    record: '',
  }),
  history: route({
    method: 'GET',
    path: '/admin/settings/{group}/history',
    access: 'super_admin',
    summary:
      'Every known change to a group of settings, newest first: fee, tax, policies, institution or letter.',
    params: z.object({
      group: z.enum(settingGroups, { error: `Please use ${settingGroups.join(', ')}.` }),
    }),
    query: z.object(pageQuery(20)),
    reply: changesReply,
  }),
}
