import { isApiError, messageOf } from '@portal/api/error'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'

/**
 * Shows a failed submit in its form: what the server names at the field, everything else above the fields (as
 * `errors.root.server`). The first wrong field gets the focus; what was entered stays.
 */
export function showFormError<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'setError' | 'getValues'>,
  error: unknown,
): void {
  const names = Object.keys(form.getValues())
  const wrong = isApiError(error) ? Object.entries(error.fields).filter(([name]) => names.includes(name)) : []
  for (const [index, [name, message]] of wrong.entries()) {
    form.setError(fieldNamed<Values>(name), { type: 'server', message }, { shouldFocus: index === 0 })
  }
  if (wrong.length === 0) form.setError('root.server', { type: 'server', message: messageOf(error) })
}

/** A name checked against the form's own values is one of its paths. */
const fieldNamed = <Values extends FieldValues>(name: string) => name as Path<Values>
