import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { letterLink } from './letter.ts'
import { filter, money, timestamp, verifiedCertificate, version } from './shapes.ts'

/* Schemas shared by several of the organisation modules. Amounts are in major units. */

export const memberRoles = ['owner', 'manager', 'member', 'finance'] as const
export type MemberRole = (typeof memberRoles)[number]
export const memberRole = z.enum(memberRoles, { error: `Please choose one of ${memberRoles.join(', ')}.` })

export const organisationStates = ['active', 'suspended', 'closed'] as const
export type OrganisationState = (typeof organisationStates)[number]

export const invitationStates = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const

export const keyModes = ['live', 'test'] as const
export type KeyMode = (typeof keyModes)[number]
export const keyAccessLevels = ['read', 'write'] as const

/** `owned`: how many organisations one account can own. The other limits apply to one organisation. */
export const ORGANISATION_LIMITS = { owned: 3, members: 50, invitations: 50, batches: 5 } as const

export const organisationAddress = z.object({
  line1: z.string(),
  line2: z.string().nullable(),
  city: z.string(),
  state: z.string(),
  country: z.string(),
})

/** An optional web address; an empty string becomes null. */
const website = z
  .string({ error: 'Please enter text.' })
  .nullish()
  .transform(value => value?.trim() || null)
  .refine(value => value === null || isWebAddress(value), {
    error: 'Please enter a web address, such as https://example.com.',
  })

function isWebAddress(value: string): boolean {
  if (value.length > 200) return false
  const address = URL.parse(value)
  return address !== null && /^https?:$/.test(address.protocol) && address.hostname.includes('.')
}

/** Fields that owners and managers can edit. Name and address are printed on letters. */
export const organisationProfile = z.object({
  name: field
    .nameText('Organisation name', 120)
    .refine(value => [...value].length >= 2, { error: 'Please use at least 2 characters.' }),
  address: z.object(
    {
      line1: field.printedText('Address', 120),
      line2: field.optionalPrintedText('Address', 120),
      city: field.printedText('City', 80),
      state: field.printedText('State', 80),
      country: field.printedText('Country', 80),
    },
    { error: 'Address is required' },
  ),
  contact_email: field.email('Contact email is required'),
  phone: field.phone(),
  registration_number: field.optionalText(50),
  website,
})
export type OrganisationProfile = z.infer<typeof organisationProfile>

/** Balance fields of an organisation; `available` is `balance - held`. */
export const balanceFields = {
  balance: money,
  held: money,
  available: money,
  debt: money.describe('Owed after a chargeback; credits pay it off first.'),
  currency: z.string(),
  low_balance_alert: money.nullable(),
}

export const organisation = z.object({
  id: z.string(),
  name: z.string(),
  address: organisationAddress,
  contact_email: z.string(),
  phone: z.string(),
  registration_number: z.string().nullable(),
  website: z.string().nullable(),
  state: z.enum(organisationStates),
  /** The reason that staff gave for suspending the organisation. */
  state_reason: z.string().nullable(),
  vetted_at: timestamp.nullable(),
  ...balanceFields,
  created_at: timestamp,
  version,
})
export type Organisation = z.infer<typeof organisation>

/** The organisation as a member sees it, with the member's role. */
export const ownOrganisation = organisation.extend({ role: memberRole })
export type OwnOrganisation = z.infer<typeof ownOrganisation>

export const member = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role: memberRole,
  joined_at: timestamp,
})
export type Member = z.infer<typeof member>

export const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: memberRole,
  state: z.enum(invitationStates),
  expires_at: timestamp,
  invited_by: z.object({ user_id: z.string(), name: z.string() }).nullable(),
  created_at: timestamp,
})
export type Invitation = z.infer<typeof invitation>

export const verificationStatuses = [
  'completed',
  'awaiting_consent',
  'refused',
  'expired',
  'cancelled',
] as const
export const verificationResults = ['verified', 'not_found'] as const
export const verificationSources = ['portal', 'batch', 'api'] as const

/** Name shown in place of a member who has left. */
export const FORMER_MEMBER = 'Former member'

export const organisationVerification = z.object({
  id: z.string(),
  certificate_number: z.string(),
  reference: z.string().nullable().describe('The organisation’s own reference.'),
  purpose: z.string().nullable(),
  status: z.enum(verificationStatuses),
  result: z.enum(verificationResults).nullable(),
  amount: money.describe('Amount charged.'),
  currency: z.string(),
  transaction_id: z.string().nullable(),
  batch_id: z.string().nullable(),
  requested_by: z
    .object({ user_id: z.string().nullable(), name: z.string() })
    .nullable()
    .describe('Null for API keys; members who have left appear as "Former member".'),
  source: z.enum(verificationSources),
  livemode: z.boolean(),
  created_at: timestamp,
  completed_at: timestamp.nullable(),
})
export type OrganisationVerification = z.infer<typeof organisationVerification>

const signedFileUrl = z.string().nullable().describe('Null for the test-mode specimen, which is not signed.')

/** The letter of a verification. In test mode it is the specimen, with a simulated status. */
export const organisationLetter = letterLink.extend({
  credential_url: signedFileUrl,
  open_badge_url: signedFileUrl,
  status: letterLink.shape.status.describe(
    'Simulated in test mode; the public page of the specimen always says that it is a specimen.',
  ),
})
export type OrganisationLetter = z.infer<typeof organisationLetter>

/** What a verification delivers: the certificate as printed on the letter, and the letter. */
export const deliveredFields = {
  certificate: verifiedCertificate.nullable(),
  letter: organisationLetter.nullable(),
}

export const reference = () =>
  field.optionalText(64).describe('The organisation’s own reference, up to 64 characters.')
export const purpose = () => field.optionalText(120)

/** An amount from `min` to `max`, with at most two decimal places; `message` is shown for an amount outside these limits. */
export const amountBetween = (min: number, max: number, message: string) =>
  z
    .number({ error: 'Please enter an amount.' })
    .refine(value => Math.round(value * 100) / 100 === value, { error: 'Please use at most two decimals.' })
    .refine(value => value >= min && value <= max, { error: message })

/** A filter that is `true` or `false`. */
export const flagFilter = filter(
  z.enum(['true', 'false'], { error: 'Please use true or false.' }).transform(word => word === 'true'),
)

const id = z.string().max(64)
/** Returns the schema of the path parameters of a route below `/organisations/{id}`. */
export const organisationParams = <Shape extends z.ZodRawShape>(params: Shape) => z.object({ id, ...params })
export const memberParams = organisationParams({ user_id: id })
