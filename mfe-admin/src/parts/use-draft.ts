import { useEffect, useRef, useState } from 'react'

/** Milliseconds without an edit before it takes effect. */
const PAUSE_MS = 250

/**
 * Text that is typed faster than it should take effect: shown at once, committed after a pause. Between edits it
 * follows `committed`, so that Back and links change the field too.
 *
 * @returns the text to show, what an edit does, and what makes it take effect at once (Enter)
 */
export function useDraft(
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

  // What was sent takes a while to be committed: until then it stands, and what is typed meanwhile is kept.
  useEffect(() => {
    setDraft(now => (now === sent.current || now === committed ? undefined : now))
    sent.current = undefined
  }, [committed])

  function flush() {
    if (draft === undefined) return
    sent.current = draft
    commit(draft)
  }

  return [draft ?? committed, setDraft, flush]
}
