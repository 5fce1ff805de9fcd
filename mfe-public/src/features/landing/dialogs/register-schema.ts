import { registration } from '@portal/contract/auth'
import type * as z from 'zod'
import { confirmPassword, passwordsMatch } from '../../../parts/confirm-password.ts'

/** Schema of the registration form: the fields of the contract, and the repeated password. */
export const registerSchema = registration
  .extend({ confirmPassword: confirmPassword() })
  .refine(...passwordsMatch)

export type RegisterForm = z.input<typeof registerSchema>

/** Returns the request body: everything except the repeated password. */
export function toRegistration({
  confirmPassword: _,
  ...body
}: z.output<typeof registerSchema>): z.output<typeof registration> {
  return body
}
