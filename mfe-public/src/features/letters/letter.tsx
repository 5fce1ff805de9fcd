import type { LetterCheck } from '@portal/contract/letter'
import { formatExactTime } from '@portal/format/dates'
import { groupLetterCode } from '@portal/letter/code'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button, ButtonLink } from '@portal/ui/button'
import { FormActions } from '@portal/ui/form-layout'
import { Code } from '@portal/ui/mono'
import { Seal } from '@portal/ui/seal'
import { StatusGlyph } from '@portal/ui/status-glyph'
import { Award, BadgeCheck, FileDown, RefreshCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { PageCard } from '../../parts/page-card.tsx'
import { Compare } from './compare.tsx'
import { CREDENTIALS } from './credentials.tsx'
import { FileCheck } from './file-check.tsx'
import styles from './page.module.css'
import { statusTextOf } from './status-text.ts'

interface Props {
  letter: LetterCheck
  /** True while the letter is being checked again. */
  busy: boolean
  /** The reason why the repeated check failed. */
  failure: string | undefined
  onCheckAgain: () => void
}

/** A letter of the register: its status, its content, and its file. */
export function Letter({ letter, busy, failure, onCheckAgain }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const statusText = statusTextOf(letter.status, letter.status_since)
  const { tone, icon, label } = statusText.display
  return (
    <PageCard
      wide
      title={statusText.heading}
      headingRef={heading}
      mark={
        letter.status === 'valid' ? (
          <Seal label="Genuine letter" text={letter.institution} size="sm" />
        ) : (
          <span className={styles.mark} data-tone={tone}>
            <StatusGlyph icon={icon} size={44} />
          </span>
        )
      }
      tone={tone}
    >
      <div className={styles.verdict}>
        <p className={styles.statusText}>
          <strong>{label}.</strong> {statusText.text}
        </p>
        <div className={styles.asOf}>
          <p role="status">
            As of <time dateTime={letter.checked_at}>{formatExactTime(letter.checked_at)}</time>
          </p>
          <Button size="sm" icon={RefreshCw} busy={busy} busyLabel="Checking…" onClick={onCheckAgain}>
            Check again
          </Button>
        </div>
        {failure && (
          <Alert tone="danger" title="The letter could not be checked again">
            {failure} The information on this page is as of the time above.
          </Alert>
        )}
      </div>

      <section aria-labelledby="compare">
        <h2 id="compare" className={styles.subheading}>
          {letter.status === 'valid' ? 'Compare it with your letter' : 'What the letter says'}
        </h2>
        <p className={styles.lead}>
          {letter.status === 'valid'
            ? 'The code proves that the institution issued a letter, but not that your copy of it is unaltered. Compare the two word by word.'
            : 'Shown as issued, so that you can identify the letter.'}
        </p>
        <Compare
          checkable={letter.status === 'valid'}
          particulars={[
            { term: 'Code', value: <Code>{groupLetterCode(letter.code)}</Code> },
            { term: 'Reference', value: <Code>{letter.ref_number}</Code> },
            { term: 'Date of the letter', value: letter.date },
            { term: 'Issued by', value: letter.institution },
            { term: 'Addressed to', value: letter.recipient },
            { term: 'Certificate number', value: <Code>{letter.certificate_number}</Code> },
            { term: 'Name', value: letter.certificate_details.name },
            { term: 'Degree', value: letter.certificate_details.degree },
            { term: 'Class', value: letter.certificate_details.class },
            { term: 'Date of award', value: letter.certificate_details.date },
          ]}
        />
      </section>

      <section className={styles.file} aria-labelledby="by-file">
        <h2 id="by-file" className={styles.subheading}>
          The letter as a file
        </h2>
        <p>Each file contains the institution’s signature and the details of the letter.</p>
        <FormActions>
          <ButtonLink href={letter.pdf_url} icon={FileDown} download>
            Download PDF
          </ButtonLink>
          <ButtonLink href={letter.credential_url} icon={BadgeCheck} download>
            Download credential
          </ButtonLink>
          <ButtonLink href={letter.open_badge_url} icon={Award} download>
            Download Open Badge
          </ButtonLink>
          <Link className={styles.helpLink} to={paths.letter(CREDENTIALS)}>
            What are these files?
          </Link>
        </FormActions>
        <p>Were you given a PDF instead of paper? Drop it here to see whether it was changed.</p>
        <FileCheck expected={letter.code} />
      </section>
    </PageCard>
  )
}
