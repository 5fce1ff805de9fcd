import { isApiError, messageOf } from '@portal/api/error'

/** Codes whose message belongs to one field, though the server names none. */
const fieldOfCode: Readonly<Record<string, string>> = { INVALID_CURRENT_PASSWORD: 'current_password' }

export interface Failure {
  /** Messages by field of this form. */
  fields: Record<string, string>
  /** What stands above the form; null when the fields say it all. */
  message: string | null
}

/** A failed submit, sorted into this form's fields and what is left over. */
export function failureOf(error: unknown, names: readonly string[]): Failure {
  const message = messageOf(error)
  if (!isApiError(error)) return { fields: {}, message }
  const field = fieldOfCode[error.code]
  const given = field ? { ...error.fields, [field]: message } : error.fields
  const fields = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
  return { fields, message: Object.keys(fields).length > 0 ? null : message }
}
