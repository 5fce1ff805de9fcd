import '@portal/contract/zod-setup'
import * as z from 'zod'

/** Returns the schema of the second password field of a form; the field is compared and never sent. */
export const confirmPassword = () => z.string().min(1, 'Please confirm your password')

/**
 * Arguments for `.refine(...passwordsMatch)` on a schema with both fields. The check also runs if other fields are invalid, so
 * that one attempt shows every message.
 */
export const passwordsMatch: [
  check: (form: { password?: string; confirmPassword?: string }) => boolean,
  options: { path: string[]; message: string; when: () => boolean },
] = [
  form => form.password === form.confirmPassword,
  { path: ['confirmPassword'], message: 'Passwords do not match', when: () => true },
]
