import type { LetterLink, VerificationTemplate } from '@portal/contract/letter'
import { LetterPage } from '@portal/letter/page'
import { printLetter } from '@portal/letter/print'
import { useEffect, useEffectEvent } from 'react'
import styles from './print-job.module.css'

interface Props {
  template: VerificationTemplate
  letter: LetterLink | null
  onDone: () => void
}

/**
 * Renders a letter outside the page layout, prints it once it is ready, and removes it on the first key press or touch after
 * printing. It is not removed earlier, because some browsers report the end of printing while they are still drawing the
 * preview.
 */
export default function PrintJob({ template, letter, onDone }: Props) {
  const done = useEffectEvent(onDone)
  useEffect(() => {
    let isRemoved = false
    // Printing starts in a later task, so that a job that is removed immediately (as in development) prints nothing.
    const timer = setTimeout(() => {
      if (!isRemoved) void printLetter()
    })
    const listeners = new AbortController()
    const { signal } = listeners
    const onPrinted = () => {
      for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, done, { signal })
    }
    window.addEventListener('afterprint', onPrinted, { signal })
    return () => {
      isRemoved = true
      clearTimeout(timer)
      listeners.abort()
    }
  }, [])
  return (
    <div className={styles.offscreen} aria-hidden="true" inert>
      <LetterPage template={template} letter={letter} printable />
    </div>
  )
}
