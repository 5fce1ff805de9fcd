import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { keyAccessLevels, keyModes, organisationParams } from './organisation-shapes.ts'
import { route } from './route.ts'
import { idParam, pageQuery, pagination, timestamp } from './shapes.ts'

/* API keys of an organisation. The secret is shown once; only its SHA-256 is stored. */

/** Maximum number of active keys in each mode. */
export const KEYS_MAX = 10

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  mode: z.enum(keyModes),
  access: z.enum(keyAccessLevels),
  prefix: z.string().describe('The first characters of the secret, such as `cv_live_7Fh2`.'),
  last4: z.string().describe('The last four characters of the secret.'),
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().describe('Accurate to the minute.'),
  revoked_at: timestamp.nullable(),
  created_by: z
    .object({ user_id: z.string().nullable(), name: z.string() })
    .nullable()
    .describe('Members who have left appear as "Former member".'),
  created_at: timestamp,
})
export type ApiKey = z.infer<typeof apiKey>

const keyWithSecret = z.object({
  key: apiKey,
  secret: z.string().describe('Shown once: copy it now.'),
})

const wholeNumber = (min: number, max: number, message: string) =>
  z.int({ error: message }).min(min, message).max(max, message)

const keyParams = organisationParams({ key: z.string().max(64) })

export const organisationKeys = {
  list: route({
    method: 'GET',
    path: '/organisations/{id}/keys',
    access: 'user',
    summary:
      'API keys, newest first, without their secrets. Revoked and expired ones are kept for the record.',
    params: idParam,
    query: z.object(pageQuery(20)),
    reply: z.object({ keys: z.array(apiKey), pagination }),
    refusals: ['ORGANISATION_NOT_FOUND'],
  }),
  create: route({
    method: 'POST',
    path: '/organisations/{id}/keys',
    access: 'user',
    summary:
      'Create an API key. The secret is returned once. Live keys require a vetted organisation and the current password. Honours Idempotency-Key.',
    params: idParam,
    body: z.object({
      name: field.requiredText('Name is required', 80),
      mode: z.enum(keyModes, { error: 'Please choose live or test.' }),
      access: z.enum(keyAccessLevels, { error: 'Please choose read or write.' }),
      expires_in_days: wholeNumber(1, 365, 'Please enter 1 to 365 days.').default(365),
      current_password: z
        .string({ error: 'Please enter text.' })
        .max(200)
        .optional()
        .describe('Required for live keys.'),
    }),
    reply: keyWithSecret,
    status: 201,
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'ORGANISATION_NOT_VETTED',
      'INVALID_CURRENT_PASSWORD',
      'LIMIT_REACHED',
      'ORGANISATION_SUSPENDED',
      'WRONG_STATE',
      'IDEMPOTENCY_MISMATCH',
      'IDEMPOTENCY_IN_PROGRESS',
    ],
  }),
  revoke: route({
    method: 'DELETE',
    path: '/organisations/{id}/keys/{key}',
    access: 'user',
    summary: 'Revoke a key. The portal refuses every later call that uses it.',
    params: keyParams,
    reply: z.object({ message: z.string(), key: apiKey }),
    refusals: ['ORGANISATION_NOT_FOUND', 'ORGANISATION_SUSPENDED', 'WRONG_STATE'],
  }),
  rotate: route({
    method: 'POST',
    path: '/organisations/{id}/keys/{key}/rotate',
    access: 'user',
    summary:
      'Replace a key with a new one with the same name, mode, access and lifetime. The old one works for `grace_hours` more. Honours Idempotency-Key.',
    params: keyParams,
    body: z
      .object({ grace_hours: wholeNumber(0, 168, 'Please enter 0 to 168 hours.').default(24) })
      .default({ grace_hours: 24 }),
    reply: keyWithSecret,
    status: 201,
    refusals: [
      'ORGANISATION_NOT_FOUND',
      'ORGANISATION_NOT_VETTED',
      'ORGANISATION_SUSPENDED',
      'WRONG_STATE',
      'IDEMPOTENCY_MISMATCH',
      'IDEMPOTENCY_IN_PROGRESS',
    ],
  }),
}
