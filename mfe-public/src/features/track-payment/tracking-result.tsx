import { formatLongDate } from '@portal/format/dates'
import { formatMoneyOrNone } from '@portal/format/money'
import { statusDisplay } from '@portal/format/status'
import { Alert } from '@portal/ui/alert'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { FormActions } from '@portal/ui/form-layout'
import { CertificateNumber, Code, TransactionId } from '@portal/ui/mono'
import { StatusGlyph } from '@portal/ui/status-glyph'
import { RefreshCw } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './page.module.css'
import { buildStatusView } from './status-view.ts'
import type { TrackingState } from './tracking.ts'

interface Props {
  result: Extract<TrackingState, { step: 'result' }>
  onRefresh: () => void
  onRestart: () => void
}

/** Returns one item for the list of facts, or no item if the response lacks the field, which older servers may omit. */
const optionalFact = (
  term: string,
  text: string | null | undefined,
  show: (text: string) => ReactNode = text => text,
) => (text ? [{ term, value: show(text) }] : [])

/** Shows the state of the payment, what it is for and, once paid, the result of the verification. */
export function TrackingResult({ result, onRefresh, onRestart }: Props) {
  const { id, reply, refreshing, notice } = result
  const view = buildStatusView(reply)
  // For a bulk payment, the response lists the certificates; older APIs omit the list.
  const otherCount = (reply.items?.length ?? 1) - 1
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <div className={styles.outcome} data-tone={view.display.tone}>
        <StatusGlyph icon={view.display.icon} size={32} className={styles.glyph} />
        <div>
          <h2 ref={heading} tabIndex={-1} className={styles.outcomeTitle}>
            {view.display.label}
          </h2>
          <p>{view.message}</p>
        </div>
      </div>
      {view.warning && <Alert tone="warning">{view.warning}</Alert>}
      {view.note && (
        <Alert tone={view.note.tone} title={view.note.title}>
          {view.note.text}
        </Alert>
      )}
      <DefinitionList
        items={[
          { term: 'Transaction ID', value: <TransactionId id={id} copy /> },
          ...optionalFact('Payment reference', reply.payment_reference, reference => (
            <Code>{reference}</Code>
          )),
          { term: 'Amount', value: formatMoneyOrNone(reply.amount_paid, reply.currency || undefined) },
          ...optionalFact('Certificate number', reply.certificate_number, number => (
            <CertificateNumber number={number} />
          )),
          ...(otherCount > 0 ? [{ term: 'Certificates', value: `This one and ${otherCount} more` }] : []),
          ...optionalFact('Gateway Status', reply.bpms_status, status => (
            <Status status={statusDisplay(status)} />
          )),
        ]}
      />
      {view.certificate && (
        <section aria-labelledby="certificate-details">
          <h2 id="certificate-details" className={styles.sectionTitle}>
            Certificate details
          </h2>
          <DefinitionList
            items={[
              ...optionalFact('Student name', view.certificate.student_name),
              ...optionalFact('Course', view.certificate.course),
              ...optionalFact('Graduation date', view.certificate.graduation_date, date =>
                formatLongDate(date),
              ),
              ...optionalFact('Grade', view.certificate.grade),
            ]}
          />
        </section>
      )}
      {notice && <Alert tone={notice.tone}>{notice.text}</Alert>}
      <FormActions>
        <Button
          variant="primary"
          icon={RefreshCw}
          busy={refreshing}
          busyLabel="Refreshing…"
          onClick={onRefresh}
        >
          Refresh
        </Button>
        <Button onClick={onRestart}>Track Another Payment</Button>
      </FormActions>
    </>
  )
}
