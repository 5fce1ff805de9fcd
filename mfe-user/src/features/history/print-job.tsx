import type { LetterLink, VerificationTemplate } from '@portal/contract/letter'
import { LetterPage } from '@portal/letter/page'
import { printLetter } from '@portal/letter/print'
import { useEffect, useEffectEvent } from 'react'
import styles from './page.module.css'

interface Props {
  template: VerificationTemplate
  letter: LetterLink | null
  onDone: () => void
}

/** Lays a letter out beside the page, prints it as soon as it is ready, and goes when the print dialog closes. */
export default function PrintJob({ template, letter, onDone }: Props) {
  const done = useEffectEvent(onDone)
  useEffect(() => {
    let left = false
    // A tick later, so that a job that is taken away at once (as in development) prints nothing.
    const timer = setTimeout(() => {
      if (!left) void printLetter()
    })
    window.addEventListener('afterprint', done)
    return () => {
      left = true
      clearTimeout(timer)
      window.removeEventListener('afterprint', done)
    }
  }, [])
  return (
    <div className={styles.offscreen} aria-hidden="true" inert>
      <LetterPage template={template} letter={letter} printable />
    </div>
  )
}
