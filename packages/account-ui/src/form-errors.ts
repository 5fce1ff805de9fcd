import { isApiError, messageOf } from '@portal/api/error'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'

/** Codes whose message belongs to one field, although the server names none. */
const fieldOfCode: Readonly<Record<string, string>> = { INVALID_CURRENT_PASSWORD: 'current_password' }

type Form<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'setError' | 'getValues'>

/**
 * Shows what the server names of a failed submit at the fields of its form, and focuses the first of them.
 * @returns false when it named none of them, so that the failure must be shown elsewhere
 */
export function showFieldErrors<Values extends FieldValues>(form: Form<Values>, error: unknown): boolean {
  if (!isApiError(error)) return false
  const names = Object.keys(form.getValues())
  const field = fieldOfCode[error.code]
  const given = { ...error.fields, ...(field && { [field]: messageOf(error) }) }
  const wrong = Object.entries(given).filter(([name]) => names.includes(name))
  for (const [index, [name, message]] of wrong.entries()) {
    form.setError(fieldNamed<Values>(name), { type: 'server', message }, { shouldFocus: index === 0 })
  }
  return wrong.length > 0
}

/** The same, with everything else above the fields, as `errors.root.server`. What was entered stays. */
export function showFormError<Values extends FieldValues>(form: Form<Values>, error: unknown): void {
  if (showFieldErrors(form, error)) return
  form.setError('root.server', { type: 'server', message: messageOf(error) })
}

/** A name checked against the form's own values is one of its paths. */
const fieldNamed = <Values extends FieldValues>(name: string) => name as Path<Values>
