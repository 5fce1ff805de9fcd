import type { HeldLetter, LetterLink } from '@portal/contract/letter'
import { letterDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import type { Reissue } from '@portal/verify-flow/use-reissue'
import styles from './letter-status.module.css'
import { checksInWords, meaningOf } from './letter-words.ts'

interface Props {
  letter: LetterLink | HeldLetter
  /** The number of the letter's certificate. */
  number: string
  reissue: Reissue
}

/** The status of a letter, what it means, and the button that issues a corrected letter. */
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
