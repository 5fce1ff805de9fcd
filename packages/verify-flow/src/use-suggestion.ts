import { useEffect, useState } from 'react'

/** Milliseconds without an edit: a suggestion for every key would flicker, and be read out each time. */
const PAUSE_MS = 400

/** Returns the certificate number that was probably meant, once typing pauses. Its rules load then. */
export function useSuggestion(typed: string): string | undefined {
  const [read, setRead] = useState<{ typed: string; meant: string | undefined }>()
  useEffect(() => {
    if (typed === '') return
    const timer = setTimeout(
      () =>
        import('@portal/contract/certificate-number-suggestion').then(
          ({ suggestCertificateNumber }) => setRead({ typed, meant: suggestCertificateNumber(typed) }),
          // Without them the number is checked as it was typed.
          () => undefined,
        ),
      PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [typed])
  return read?.typed === typed ? read.meant : undefined
}
