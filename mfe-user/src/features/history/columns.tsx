import type { HistoryRecord } from '@portal/contract/verification'
import { formatDateTime } from '@portal/format/dates'
import { formatMoneyOrNone } from '@portal/format/money'
import { historyDisplay } from '@portal/format/status'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { CertificateNumber, Code } from '@portal/ui/mono'
import { OneLine } from '@portal/ui/one-line'
import type { Column } from '@portal/ui/table'
import { LetterMenu } from '@portal/verify-flow/letter-menu'
import type { Reissue } from '@portal/verify-flow/use-reissue'
import { Printer, RotateCw } from 'lucide-react'
import { LetterStatus } from '../../parts/letter-status.tsx'
import styles from './page.module.css'
import { canPrint, canResume, describeRecord, isNotPaid } from './row.ts'

interface Actions {
  /** ID of the row whose letter is being loaded. */
  printing: string | null
  onPrint: (record: HistoryRecord) => void
  onResume: (record: HistoryRecord) => void
  onPayAgain: (record: HistoryRecord) => void
  reissue: Reissue
}

/** Returns the columns of the history. */
export function historyColumns(actions: Actions): Column<HistoryRecord>[] {
  return [
    {
      key: 'certificate',
      header: 'Certificate',
      rowHeader: true,
      sortable: true,
      lines: 2,
      cell: record => (
        <>
          <CertificateNumber number={record.certificate_number} />
          {record.certificate_details && (
            <OneLine
              className={styles.second}
              text={`${record.certificate_details.student_name}, ${record.certificate_details.course}`}
            >
              <bdi>{record.certificate_details.student_name}</bdi>, {record.certificate_details.course}
            </OneLine>
          )}
        </>
      ),
    },
    {
      key: 'result',
      header: 'Result',
      lines: 2,
      cell: record => <Result record={record} reissue={actions.reissue} />,
    },
    {
      key: 'date',
      header: 'Date',
      nowrap: true,
      sortable: true,
      lines: 2,
      cell: record => (
        <>
          <time dateTime={record.authenticated_at}>{formatDateTime(record.authenticated_at)}</time>
          <span className={`${styles.second} ${styles.reference}`}>
            Ref. <Code>{record.payment_reference}</Code>
            {record.payment_items > 1 && `, one of ${record.payment_items}`}
          </span>
        </>
      ),
    },
    {
      key: 'amount',
      header: 'Amount',
      align: 'end',
      nowrap: true,
      lines: 2,
      cell: record => (
        <>
          {formatMoneyOrNone(record.amount_paid, record.currency)}
          {record.bpms_transaction_id && (
            <span className={styles.receipt} data-print="hidden">
              <Link
                to={paths.receipt(record.bpms_transaction_id)}
                aria-label={`${receiptLabel(record)} for ${record.certificate_number}`}
              >
                {receiptLabel(record)}
              </Link>
            </span>
          )}
        </>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      nowrap: true,
      cell: record => <RowActions record={record} {...actions} />,
    },
  ]
}

/** The status, with additional details. */
function Result({ record, reissue }: { record: HistoryRecord; reissue: Reissue }) {
  const { title, text } = describeRecord(record)
  const note = text && (
    <span className={`${styles.second} ${styles.note}`}>
      {title && <strong>{title}. </strong>}
      {text}
    </span>
  )
  return (
    <>
      <Status status={historyDisplay(record.payment_status, record.authentication_result)} variant="plain" />
      {note}
      {record.letter && (
        <LetterStatus letter={record.letter} number={record.certificate_number} reissue={reissue} />
      )}
    </>
  )
}

/** Returns the label of the link to the payment, which is a receipt only if money was received. */
const receiptLabel = (record: HistoryRecord) => (record.amount_paid === null ? 'Payment details' : 'Receipt')

function RowActions({
  record,
  printing,
  onPrint,
  onResume,
  onPayAgain,
}: Actions & { record: HistoryRecord }) {
  const forNumber = `for ${record.certificate_number}`
  const isPrintable = canPrint(record)
  const isWithdrawn = isPrintable && record.letter?.status === 'withdrawn'
  const isResumable = canResume(record)
  const offersPayAgain = record.can_try_again
  // Renders nothing instead of an empty line, for which a card would reserve space.
  if (!record.letter && !isPrintable && !isResumable && !offersPayAgain) return null
  return (
    <div className={styles.actions} data-print="hidden">
      {record.letter && (
        <LetterMenu
          letter={record.letter}
          number={record.certificate_number}
          print={isWithdrawn ? () => onPrint(record) : undefined}
        />
      )}
      {isPrintable && !isWithdrawn && (
        <Button
          variant="quiet"
          size="sm"
          icon={Printer}
          busy={printing === record.id}
          onClick={() => onPrint(record)}
          aria-label={`Print letter ${forNumber}`}
        >
          Print
        </Button>
      )}
      {isResumable && (
        <Button
          variant="quiet"
          size="sm"
          icon={RotateCw}
          onClick={() => onResume(record)}
          aria-label={`Continue payment ${forNumber}`}
        >
          Continue
        </Button>
      )}
      {offersPayAgain && (
        <Button
          variant="quiet"
          size="sm"
          icon={RotateCw}
          onClick={() => onPayAgain(record)}
          aria-label={`${isNotPaid(record) ? 'Try Again' : 'Pay again'} ${forNumber}`}
        >
          {isNotPaid(record) ? 'Try Again' : 'Pay again'}
        </Button>
      )}
    </div>
  )
}
