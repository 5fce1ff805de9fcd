/** A field, with the value that React has last recorded for it. */
interface TrackedInput extends HTMLInputElement {
  _valueTracker?: { setValue(value: string): void }
}

/** Records input into the fields of a static page. @returns a function that passes the input to the page once it is live */
export function recordInput(root: HTMLElement): () => void {
  const values = new Map<TrackedInput, string>()
  const record = (field: TrackedInput) => values.set(field, field.value)
  for (const field of root.querySelectorAll('input')) if (field.value !== field.defaultValue) record(field)
  const onInput = ({ target }: Event) => target instanceof HTMLInputElement && record(target)
  root.addEventListener('input', onInput, true)
  return () => {
    root.removeEventListener('input', onInput, true)
    for (const [field, value] of values) {
      // The page has already taken the file.
      if (field.type === 'file' && field.value === '') continue
      // Stored input of an earlier visit may have replaced the value.
      if (field.value !== value) field.value = value
      // React ignores an event if the field's value is the one that React has recorded.
      field._valueTracker?.setValue('')
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
    }
  }
}
