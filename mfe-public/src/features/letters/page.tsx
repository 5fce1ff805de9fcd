import { isApiError, messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import type { Reply } from '@portal/contract/route'
import { formatDateTime, formatLongDate } from '@portal/format/dates'
import { groupLetterCode } from '@portal/letter/code'
import { useNavigate, useParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { FormActions } from '@portal/ui/form-layout'
import { CertificateNumber, Code } from '@portal/ui/mono'
import { Seal } from '@portal/ui/seal'
import { Spinner } from '@portal/ui/spinner'
import { StatusGlyph } from '@portal/ui/status-glyph'
import { TextInput } from '@portal/ui/text-input'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { cached } from '../../parts/cached.tsx'
import { checkLetter } from '../../parts/endpoints.ts'
import { failureText } from '../../parts/failure.ts'
import { LinkButton } from '../../parts/link-button.tsx'
import { useArrivalFocus, useDescription, useNoIndex } from '../../parts/page-head.ts'
import { Slip } from '../../parts/slip.tsx'
import styles from './page.module.css'
import { standingOf } from './standing.ts'

/** Says whether a printed letter is genuine and still stands. The code comes from the letter, scanned or typed. */
function LetterCheckPage() {
  useDescription('Check whether a verification letter is genuine and still stands.')
  useNoIndex()
  const { code = '' } = useParams()
  const heading = useArrivalFocus<HTMLHeadingElement>()
  const { data, error, isFetching, refetch } = useQuery({
    ...q(checkLetter, { params: { code } }),
    enabled: code !== '',
    // The answer is about this moment: never an old one.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (code === '')
    return (
      <Slip title="Check a letter" headingRef={heading}>
        <p>Type the code that stands at the foot of the letter, in three groups of four.</p>
        <CodeForm />
      </Slip>
    )
  if (data) return <Checked key={data.checked_at} letter={data} />
  if (error && !isFetching) {
    const unknown = isApiError(error) && error.status === 404
    return (
      <Slip
        title={unknown ? 'No letter has this code' : 'The letter could not be checked'}
        headingRef={heading}
      >
        {unknown ? (
          <>
            <Alert tone="warning">
              <p>
                The registry has issued no letter with the code{' '}
                <Code>{groupLetterCode(code.toUpperCase())}</Code>.
              </p>
            </Alert>
            <p>
              A letter or figure may have been misread: compare the code with the paper once more. If it is as
              printed, do not rely on the letter, and let support know.
            </p>
            <CodeForm />
          </>
        ) : (
          <>
            <Alert tone="danger">{isApiError(error) ? failureText(error) : messageOf(error)}</Alert>
            <Button onClick={() => void refetch()}>Try again</Button>
          </>
        )}
      </Slip>
    )
  }
  return (
    <Slip title="Check a letter" headingRef={heading}>
      <Spinner label="Checking the letter…" />
    </Slip>
  )
}

export default cached(LetterCheckPage)

function Checked({ letter }: { letter: Reply<typeof checkLetter> }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const standing = standingOf(letter.status)
  const details = letter.certificate_details
  return (
    <Slip title={standing.heading} headingRef={heading}>
      <div className={styles.verdict} data-tone={standing.display.tone}>
        {letter.status === 'valid' ? (
          <Seal label="Genuine letter" text={letter.institution} size="sm" />
        ) : (
          <StatusGlyph icon={standing.display.icon} size={40} className={styles.glyph} />
        )}
        <p>
          <strong>{standing.display.label}.</strong> {standing.text} Checked{' '}
          {formatDateTime(letter.checked_at)}.
        </p>
      </div>
      <div>
        <h2 className={styles.compare}>Compare with the paper</h2>
        <p>
          Every particular must be the same on the letter before you. If one differs, the paper was altered.
        </p>
      </div>
      <DefinitionList
        items={[
          { term: 'Reference', value: <Code>{letter.ref_number}</Code> },
          { term: 'Code', value: <Code>{groupLetterCode(letter.code)}</Code> },
          { term: 'Issued by', value: letter.institution },
          { term: 'Issued on', value: formatLongDate(letter.issued_at) },
          { term: 'Addressed to', value: letter.recipient },
          { term: 'Certificate number', value: <CertificateNumber number={letter.certificate_number} /> },
          { term: 'Name', value: details.name },
          { term: 'Degree', value: details.degree },
          { term: 'Class', value: details.class },
          { term: 'Date', value: details.date },
        ]}
      />
      <div>
        <LinkButton to={paths.home()}>Verify a certificate</LinkButton>
      </div>
    </Slip>
  )
}

/** The code typed by hand. Dashes, blanks and case do not matter: the server reads it as people do. */
function CodeForm() {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
        if (code) return void navigate(paths.letter(code))
        setError('Please enter the code printed on the letter.')
        input.current?.focus()
      }}
    >
      <TextInput
        ref={input}
        label="Letter code"
        mono
        upper
        autoComplete="off"
        spellCheck={false}
        maxLength={50}
        placeholder="ABCD-EFGH-JKMN"
        value={typed}
        error={error}
        onChange={event => {
          setTyped(event.target.value)
          setError(undefined)
        }}
      />
      <FormActions>
        <Button type="submit" variant="primary">
          Check Letter
        </Button>
      </FormActions>
    </form>
  )
}
