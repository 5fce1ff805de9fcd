import { useEffect, useRef, useState } from 'react'

/** Debounce in milliseconds. */
const PAUSE_MS = 250

/**
 * A debounced text input: it shows edits immediately and commits them after a pause. Between edits it shows
 * `committed`, so that Back and links update the field.
 *
 * @returns the text to show, a change handler, and a function that commits immediately (Enter)
 */
export function useDebouncedInput(
  committed: string,
  commit: (text: string) => void,
): [shown: string, edit: (text: string) => void, flush: () => void] {
  const [draft, setDraft] = useState<string>()
  const sent = useRef<string>(undefined)
  const latest = useRef(commit)
  latest.current = commit

  useEffect(() => {
    if (draft === undefined || draft === sent.current) return
    const timer = setTimeout(() => {
      sent.current = draft
      latest.current(draft)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft])

  // Keep the field's text until the committed value arrives, including anything typed in the meantime.
  useEffect(() => {
    setDraft(current => (current === sent.current || current === committed ? undefined : current))
    sent.current = undefined
  }, [committed])

  function flush() {
    if (draft === undefined) return
    sent.current = draft
    commit(draft)
  }

  return [draft ?? committed, setDraft, flush]
}
