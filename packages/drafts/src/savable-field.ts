/** The attributes of a form element that decide whether its input may be saved. */
export interface FieldElement {
  type?: string
  autocomplete?: string
  dataset?: Record<string, string | undefined>
  labels?: ArrayLike<{ firstChild: { textContent: string | null } | null }> | null
}

const SECRET_NAME = /passw|secret|token|(^|_)otp|cvv|cvc|card|\bpin\b|(^|_)code$/i
const SECRET_AUTOCOMPLETE = /password|one-time-code|cc-/

/**
 * True if the input of a field may be saved. False for passwords, codes and card numbers, for fields marked with `data-secret`,
 * and for fields that have no element on the page.
 */
export function isSavableField(name: string, element: FieldElement | undefined): boolean {
  return (
    element !== undefined &&
    element.type !== 'password' &&
    element.type !== 'file' &&
    element.dataset?.secret === undefined &&
    !SECRET_AUTOCOMPLETE.test(element.autocomplete ?? '') &&
    !SECRET_NAME.test(name)
  )
}
