import { passwordReset } from '@portal/contract/auth'
import { confirmPassword, passwordsMatch } from '../../parts/confirm-password.ts'

/** Schema of the reset form: the new password, entered twice; only the first is sent. */
export const resetSchema = passwordReset
  .extend({ confirmPassword: confirmPassword() })
  .refine(...passwordsMatch)
