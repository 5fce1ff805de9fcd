import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { route } from './route.ts'
import { idParam, message } from './shapes.ts'

/** Six digits from an authenticator app; spaces are ignored. */
export const appCode = z.object({
  code: z
    .string({ error: 'Please enter the code from your app.' })
    .transform(value => value.replace(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'Please enter the six digits that your app shows.')),
})

/** An authenticator code, or a recovery code for someone who has lost the app. */
export const anyCode = z.object({
  code: z
    .string({ error: 'Please enter the code from your app.' })
    .trim()
    .min(1, 'Please enter the code from your app.')
    .max(40, 'This code is too long.'),
})

export const ownPassword = z.object({ current_password: field.password('Current password is required') })

const recoveryCodes = z.array(z.string()).describe('Each allows one login without the app. Shown only once.')

/** The second factor of staff: a TOTP code (RFC 6238) in addition to the password. */
export const secondFactor = {
  read: route({
    method: 'GET',
    path: '/auth/second-factor',
    access: 'admin',
    withoutSecondFactor: true,
    summary: 'Whether this account has a second factor, and whether the institution requires one for staff.',
    reply: z.object({ enrolled: z.boolean(), required: z.boolean(), recovery_codes_left: z.int() }),
  }),
  begin: route({
    method: 'POST',
    path: '/auth/second-factor',
    access: 'admin',
    withoutSecondFactor: true,
    summary: 'A new secret for an authenticator app. It takes effect once confirmed with a code.',
    body: ownPassword,
    reply: z.object({
      secret: z.string().describe('Base32, for apps that cannot scan.'),
      otpauth_url: z.string().describe('The content of the QR code.'),
    }),
    status: 201,
  }),
  confirm: route({
    method: 'POST',
    path: '/auth/second-factor/confirm',
    access: 'admin',
    withoutSecondFactor: true,
    summary: 'Confirm the app with one of its codes; from then on each login needs one. Ends other sessions.',
    body: appCode,
    reply: z.object({ message: z.string(), recovery_codes: recoveryCodes }),
  }),
  renewCodes: route({
    method: 'POST',
    path: '/auth/second-factor/recovery-codes',
    access: 'admin',
    withoutSecondFactor: true,
    summary: 'Replace the recovery codes with ten new ones.',
    body: appCode,
    reply: z.object({ message: z.string(), recovery_codes: recoveryCodes }),
  }),
  remove: route({
    method: 'POST',
    path: '/auth/second-factor/remove',
    access: 'admin',
    withoutSecondFactor: true,
    summary: 'Remove the second factor. A recovery code works if the app is lost.',
    body: ownPassword.extend(anyCode.shape),
    reply: message,
  }),
  reset: route({
    method: 'POST',
    path: '/admin/users/{id}/reset-second-factor',
    access: 'super_admin',
    summary: 'Remove the second factor of someone else who lost the app and the recovery codes.',
    params: idParam,
    body: ownPassword,
    reply: message,
  }),
}
