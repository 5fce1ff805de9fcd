import { registration } from '@portal/contract/auth'
import type * as z from 'zod'
import { confirmPassword, passwordsMatch } from '../../../parts/confirm-password.ts'

/** The register form: what a registration sends, and the password once more. */
export const registerSchema = registration
  .extend({ confirmPassword: confirmPassword() })
  .refine(...passwordsMatch)

export type RegisterForm = z.input<typeof registerSchema>

/** What leaves the browser: everything but the second password. */
export function registrationOf({
  confirmPassword: _,
  ...body
}: z.output<typeof registerSchema>): z.output<typeof registration> {
  return body
}
