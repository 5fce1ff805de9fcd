/** React's record of the value that it saw last in a field. */
interface Tracked extends HTMLInputElement {
  _valueTracker?: { setValue(value: string): void }
}

/**
 * Notes what was typed into the fields of a static page.
 * @returns a function that passes it to the page, once it is live
 */
export function typedInto(root: HTMLElement): () => void {
  const fields = [...root.querySelectorAll<Tracked>('input')].filter(
    field => field.value !== field.defaultValue,
  )
  return () => {
    for (const field of fields) {
      // React ignores an event after which the value is the one it knows.
      field._valueTracker?.setValue('')
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
}
