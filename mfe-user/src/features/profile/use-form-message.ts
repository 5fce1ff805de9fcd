import { useEffect, useState } from 'react'

/** How long a success message is shown, in milliseconds (specification, section 9). */
const SUCCESS_MS = 3000

export interface FormMessage {
  tone: 'success' | 'danger'
  text: string
}

/**
 * Returns a form's message about its last submission: a success message clears itself, and a failure stays until the next
 * attempt.
 */
export function useFormMessage() {
  const [message, setMessage] = useState<FormMessage | null>(null)
  useEffect(() => {
    if (message?.tone !== 'success') return
    const timer = setTimeout(() => setMessage(null), SUCCESS_MS)
    return () => clearTimeout(timer)
  }, [message])
  return {
    message,
    showSuccess: (text: string) => setMessage({ tone: 'success', text }),
    showFailure: (text: string) => setMessage({ tone: 'danger', text }),
    clear: () => setMessage(null),
  }
}
