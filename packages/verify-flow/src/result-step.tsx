import { useSettings } from '@portal/api/settings'
import { formatDateTime, formatLongDate } from '@portal/format/dates'
import { formatMoneyOrNone } from '@portal/format/money'
import { type PrintedLink, SPECIMEN } from '@portal/letter/code'
import { LetterPage } from '@portal/letter/page'
import { printLetter } from '@portal/letter/print'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { Icon } from '@portal/ui/icon'
import { CertificateNumber, Code, TransactionId } from '@portal/ui/mono'
import { Seal } from '@portal/ui/seal'
import { Skeleton } from '@portal/ui/skeleton'
import { Suggestion } from '@portal/ui/suggestion'
import { Printer, SearchX, Undo2 } from 'lucide-react'
import { LetterActions } from './letter-menu.tsx'
import type { FlowResult } from './result.ts'
import { StepHeading } from './step-heading.tsx'
import { Support } from './support.tsx'
import { useReissue } from './use-reissue.ts'
import type { VerifyFlow } from './use-verify-flow.ts'
import styles from './verify-widget.module.css'

/** The result step: the certificate and its letter or, if there is no such certificate, what to do next. */
export default function ResultStep({ flow, level }: { flow: VerifyFlow; level: 2 | 3 }) {
  const { state, startOver, payAgain } = flow
  if (state.step !== 'result') return null
  const { result } = state
  return (
    <div className={styles.stack}>
      {result.type === 'success' ? (
        <FoundResult
          result={result}
          level={level}
          loading={state.busy !== null}
          onReissued={flow.refreshLetter}
        />
      ) : (
        <NotFoundResult result={result} level={level} />
      )}
      {result.type === 'not_found' && <Suggestion number={result.suggestion} onUse={flow.takeSuggestion} />}
      <div className={styles.actions}>
        {result.type === 'not_found' && result.refunded && (
          <Button size="lg" variant="primary" onClick={payAgain}>
            Pay Again for This Certificate
          </Button>
        )}
        <Button size="lg" onClick={startOver}>
          Verify Another Certificate
        </Button>
      </div>
    </div>
  )
}

type SuccessResult = Extract<FlowResult, { type: 'success' }>

interface FoundProps {
  result: SuccessResult
  level: 2 | 3
  loading: boolean
  /** Called once the corrected letter has been issued. */
  onReissued: () => void
}

/** A verified certificate with its letter. */
export function FoundResult({ result, level, loading, onReissued }: FoundProps) {
  const { certificate, verificationTemplate: template, letter } = result
  const { data } = useSettings()
  const isValid = letter === null || letter.status === 'valid'
  const isWithdrawn = letter?.status === 'withdrawn'
  return (
    <div className={styles.found}>
      <div className={styles.verdict}>
        <div className={styles.outcome}>
          {isValid && letter?.code !== SPECIMEN && (
            <Seal
              size="sm"
              label="Seal: certificate verified"
              text={template?.header.institution ?? data?.institution?.name ?? 'Certificate verified'}
            />
          )}
          <div>
            <StepHeading level={level}>{result.message}</StepHeading>
            <p className={styles.number}>
              <CertificateNumber number={certificate.certificate_number} size="large" />
            </p>
            {result.authenticatedAt && (
              <p className={styles.muted}>
                Verified{' '}
                <time dateTime={result.authenticatedAt}>{formatDateTime(result.authenticatedAt)}</time>
              </p>
            )}
          </div>
        </div>
        {result.note && (
          <Alert tone={result.note.tone} title={result.note.title}>
            {result.note.text}
          </Alert>
        )}
        {!isValid && <InvalidLetter letter={letter} loading={loading} onReissued={onReissued} />}
        {template && (
          <div className={styles.letterActions}>
            {!isWithdrawn && (
              <Button variant="primary" icon={Printer} onClick={() => void printLetter()}>
                Print Letter
              </Button>
            )}
            {letter && (
              <LetterActions
                letter={letter}
                number={certificate.certificate_number}
                print={isWithdrawn ? () => void printLetter() : undefined}
              />
            )}
          </div>
        )}
      </div>
      <div className={styles.letterColumn}>
        {template ? (
          <div className={styles.paper}>
            <LetterPage template={template} letter={letter} printable />
          </div>
        ) : loading ? (
          <div className={styles.paper}>
            <div className={styles.paperLoading}>
              <Skeleton size="figure" />
              <Skeleton lines={4} />
              <Skeleton size="block" />
              <Skeleton lines={3} />
            </div>
          </div>
        ) : (
          <Alert tone="warning">Verification template not available for this certificate.</Alert>
        )}
      </div>
      <Facts result={result} />
    </div>
  )
}

/** Explains why a letter is no longer valid. If it was superseded, there is a button for the corrected letter. */
function InvalidLetter({
  letter,
  loading,
  onReissued,
}: { letter: PrintedLink } & Pick<FoundProps, 'loading' | 'onReissued'>) {
  const reissue = useReissue(onReissued)
  if (letter.status === 'withdrawn') {
    return (
      <Alert tone="danger" title="Letter withdrawn">
        The institution has withdrawn the certificate, so this letter is no longer valid. <Support />
      </Alert>
    )
  }
  return (
    <Alert
      tone="warning"
      title="Letter superseded"
      actions={
        <Button
          size="sm"
          busy={reissue.busy !== null || loading}
          busyLabel="Issuing…"
          onClick={() => reissue.start(letter.code)}
        >
          Get the corrected letter
        </Button>
      }
    >
      The certificate was corrected after this letter was issued. The corrected letter is free of charge and
      replaces this one.
    </Alert>
  )
}

function Facts({ result }: { result: SuccessResult }) {
  const { certificate } = result
  const facts = [
    { term: 'Certificate number', value: <CertificateNumber number={certificate.certificate_number} /> },
    { term: 'Student name', value: certificate.student_name && <bdi>{certificate.student_name}</bdi> },
    { term: 'Course', value: certificate.course },
    {
      term: 'Graduation date',
      value: certificate.graduation_date && formatLongDate(certificate.graduation_date),
    },
    { term: 'Grade', value: certificate.grade },
    {
      term: 'Transaction ID',
      value: result.transactionId && <TransactionId id={result.transactionId} copy />,
    },
    {
      term: 'Payment reference',
      value: result.paymentReference && <Code>{result.paymentReference}</Code>,
    },
    {
      term: 'Amount paid',
      value: result.amountPaid !== null && formatMoneyOrNone(result.amountPaid, result.currency),
    },
  ]
  return <DefinitionList items={facts.filter(fact => fact.value)} />
}

const REFUNDED =
  'This payment was refunded without a result, so the certificate may be in the register. You can verify it with a new payment. If you have questions, contact support'
const NOT_FOUND =
  'Our register has no certificate with this number; older ones may not be entered yet. Compare the number with the certificate, character by character. If it is correct, contact support'

/** The result for a number without a certificate, or of a payment that was refunded. */
export function NotFoundResult({
  result,
  level,
}: {
  result: Extract<FlowResult, { type: 'not_found' }>
  level: 2 | 3
}) {
  return (
    <>
      <div className={styles.outcome}>
        <span className={styles.missing}>
          <Icon icon={result.refunded ? Undo2 : SearchX} size={36} />
        </span>
        <div>
          <StepHeading level={level}>
            {result.refunded ? 'Payment refunded' : 'Certificate not found'}
          </StepHeading>
          <p>{result.message}</p>
        </div>
      </div>
      <DefinitionList
        items={[
          { term: 'Certificate number', value: <CertificateNumber number={result.certificateNumber} /> },
          ...(result.transactionId
            ? [{ term: 'Transaction ID', value: <TransactionId id={result.transactionId} copy /> }]
            : []),
          {
            term: 'Payment reference',
            value: result.paymentReference ? <Code>{result.paymentReference}</Code> : 'N/A',
          },
          { term: 'Amount paid', value: formatMoneyOrNone(result.amountPaid, result.currency) },
        ]}
      />
      {result.note && (
        <Alert tone={result.note.tone} title={result.note.title}>
          {result.note.text}
        </Alert>
      )}
      <div className={styles.note}>
        <p>
          {result.refunded ? REFUNDED : NOT_FOUND}
          {result.paymentReference ? ' and give the payment reference' : ''}: <Support />
        </p>
      </div>
    </>
  )
}
