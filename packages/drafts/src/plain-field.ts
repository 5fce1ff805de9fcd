/** Attributes read from a form element. */
export interface FieldElement {
  type?: string
  autocomplete?: string
  dataset?: Record<string, string | undefined>
  labels?: ArrayLike<{ firstChild: { textContent: string | null } | null }> | null
}

const secretName = /passw|secret|token|(^|_)otp|cvv|cvc|card|\bpin\b|(^|_)code$/i
const secretPurpose = /password|one-time-code|cc-/

/**
 * True if the field's input may be saved: not a password, code or card number, and not marked with `data-secret`.
 * Fields without an element are not saved.
 */
export function isPlainField(name: string, element: FieldElement | undefined): boolean {
  return (
    element !== undefined &&
    element.type !== 'password' &&
    element.type !== 'file' &&
    element.dataset?.secret === undefined &&
    !secretPurpose.test(element.autocomplete ?? '') &&
    !secretName.test(name)
  )
}
