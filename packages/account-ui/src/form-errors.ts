import { isApiError, messageOf } from '@portal/api/error'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'

/** Maps error codes to the form field at which their message is shown, because the server does not name it. */
const fieldOfCode: Readonly<Record<string, string>> = { INVALID_CURRENT_PASSWORD: 'current_password' }

type Form<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'setError' | 'getValues'>

/**
 * Shows the server's field errors in the form and focuses the first one.
 * @returns false if there are none, in which case the failure must be shown elsewhere
 */
export function showFieldErrors<Values extends FieldValues>(form: Form<Values>, error: unknown): boolean {
  if (!isApiError(error)) return false
  const names = Object.keys(form.getValues())
  const field = fieldOfCode[error.code]
  const messages = { ...error.fields, ...(field && { [field]: messageOf(error) }) }
  // The server's `address.city` is the field `city` in our forms, which are not nested.
  const fieldErrors = Object.entries(messages).flatMap(([path, message]) => {
    const name = [path, path.slice(path.lastIndexOf('.') + 1)].find(candidate => names.includes(candidate))
    return name === undefined ? [] : [[name, message] as const]
  })
  for (const [index, [name, message]] of fieldErrors.entries()) {
    form.setError(fieldNamed<Values>(name), { type: 'server', message }, { shouldFocus: index === 0 })
  }
  return fieldErrors.length > 0
}

/**
 * Like `showFieldErrors`, but shows any failure without field errors above the fields, as `errors.root.server`. The input is
 * kept.
 */
export function showFormError<Values extends FieldValues>(form: Form<Values>, error: unknown): void {
  if (showFieldErrors(form, error)) return
  form.setError('root.server', { type: 'server', message: messageOf(error) })
}

/** Casts a name to a path of the form; the caller has checked that the form has this field. */
const fieldNamed = <Values extends FieldValues>(name: string) => name as Path<Values>
