import { passwordChange } from '@portal/contract/auth'
import * as z from 'zod'

/** Schema of the form for a new password: the contract's body, and the repeated password, which is compared and never sent. */
export const passwordForm = z
  .object({
    ...passwordChange.shape,
    confirm_password: z.string().min(1, 'Please confirm your new password'),
  })
  .refine(form => form.new_password === form.confirm_password, {
    path: ['confirm_password'],
    message: 'Passwords do not match',
    // The rule also runs while other fields are invalid, so that one attempt shows every message.
    when: ({ value }) => z.object({ confirm_password: z.string().min(1) }).safeParse(value).success,
  })

export type PasswordValues = z.input<typeof passwordForm>
