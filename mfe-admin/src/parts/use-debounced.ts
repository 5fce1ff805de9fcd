import { useEffect, useState } from 'react'

/** Returns the text after it has not changed for this many milliseconds. */
export function useDebounced(text: string, milliseconds: number): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), milliseconds)
    return () => clearTimeout(timer)
  }, [text, milliseconds])
  return paused
}
