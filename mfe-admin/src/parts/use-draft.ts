import { useEffect, useRef, useState } from 'react'

/**
 * Text that is typed faster than it should take effect: shown at once, committed after a pause. Between edits it
 * follows `committed`, so that Back and links change the field too.
 *
 * @returns the text to show, what an edit does, and what makes it take effect at once (Enter)
 */
export function useDraft(
  committed: string,
  commit: (text: string) => void,
  pause = 250,
): [shown: string, edit: (text: string) => void, flush: () => void] {
  const [draft, setDraft] = useState<string>()
  const latest = useRef(commit)
  latest.current = commit

  useEffect(() => {
    if (draft === undefined) return
    const timer = setTimeout(() => {
      latest.current(draft)
      setDraft(undefined)
    }, pause)
    return () => clearTimeout(timer)
  }, [draft, pause])

  function flush() {
    if (draft === undefined) return
    commit(draft)
    setDraft(undefined)
  }

  return [draft ?? committed, setDraft, flush]
}
