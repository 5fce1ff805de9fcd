import type { HeldLetter, LetterLink } from '@portal/contract/letter'
import { letterDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import type { Reissue } from '@portal/verify-flow/use-reissue'
import styles from './letter-status.module.css'
import { checksInWords, meaningOf } from './letter-words.ts'

interface Props {
  letter: LetterLink | HeldLetter
  /** Number of its certificate. */
  number: string
  reissue: Reissue
}

/** A letter's status, its meaning, and the button for the corrected letter. */
export function LetterStatus({ letter, number, reissue }: Props) {
  const description = meaningOf(letter) || ('checks' in letter ? checksInWords(letter) : '')
  return (
    <div className={styles.letterStatus}>
      <span className={styles.status}>
        Letter: <Status status={letterDisplay(letter.status)} variant="plain" />
      </span>
      {description && <span className={styles.line}>{description}</span>}
      {letter.status === 'superseded' && (
        <Button
          size="sm"
          busy={reissue.busy === letter.code}
          busyLabel="Issuing…"
          aria-label={`Get the corrected letter for ${number}`}
          onClick={() => reissue.start(letter.code)}
        >
          Get the corrected letter
        </Button>
      )}
    </div>
  )
}
