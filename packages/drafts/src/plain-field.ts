/** What is read of a form's element. */
export interface FieldElement {
  type?: string
  autocomplete?: string
  dataset?: Record<string, string | undefined>
  labels?: ArrayLike<{ firstChild: { textContent: string | null } | null }> | null
}

const secretName = /passw|secret|token|(^|_)otp|cvv|cvc|card|\bpin\b|(^|_)code$/i
const secretPurpose = /password|one-time-code|cc-/

/**
 * True where what is typed may be kept: a field of the page that is no password, code or card, and is not marked with
 * `data-secret`. What has no element is not kept.
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
