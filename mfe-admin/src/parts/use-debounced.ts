import { useEffect, useState } from 'react'

/** Returns the latest text that stayed unchanged for this many milliseconds. */
export function useDebounced(text: string, milliseconds: number): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), milliseconds)
    return () => clearTimeout(timer)
  }, [text, milliseconds])
  return debounced
}
