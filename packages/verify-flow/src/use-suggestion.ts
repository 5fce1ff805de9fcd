import { useEffect, useState } from 'react'

/** Debounce delay in milliseconds: a suggestion after every key press would flicker, and would be announced each time. */
const PAUSE_MS = 400

/** Returns the suggested certificate number once the user pauses typing. The rules are loaded on first use. */
export function useSuggestion(typed: string): string | undefined {
  const [result, setResult] = useState<{ typed: string; suggestion: string | undefined }>()
  useEffect(() => {
    if (typed === '') return
    const timer = setTimeout(
      () =>
        import('@portal/contract/certificate-number-suggestion').then(
          ({ suggestCertificateNumber }) => setResult({ typed, suggestion: suggestCertificateNumber(typed) }),
          // If the rules fail to load, no suggestion is shown.
          () => undefined,
        ),
      PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [typed])
  return result?.typed === typed ? result.suggestion : undefined
}
