import { useEffect, useRef, useState } from 'react'

/** Debounce delay in milliseconds. */
const PAUSE_MS = 250

/**
 * Debounces a text input: edits are shown immediately and committed after a pause. When there are no uncommitted edits, it
 * shows `committed`, so that the Back button and links update the field.
 *
 * @returns the text to show, a change handler, and a function that commits immediately (for Enter)
 */
export function useDebouncedInput(
  committed: string,
  commit: (text: string) => void,
): [shown: string, edit: (text: string) => void, flush: () => void] {
  const [draft, setDraft] = useState<string>()
  const lastCommitted = useRef<string>(undefined)
  const latestCommit = useRef(commit)
  latestCommit.current = commit

  useEffect(() => {
    if (draft === undefined || draft === lastCommitted.current) return
    const timer = setTimeout(() => {
      lastCommitted.current = draft
      latestCommit.current(draft)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft])

  // Keep the typed text, including anything typed in the meantime, until the committed value arrives.
  useEffect(() => {
    setDraft(current => (current === lastCommitted.current || current === committed ? undefined : current))
    lastCommitted.current = undefined
  }, [committed])

  function flush() {
    if (draft === undefined) return
    lastCommitted.current = draft
    commit(draft)
  }

  return [draft ?? committed, setDraft, flush]
}
