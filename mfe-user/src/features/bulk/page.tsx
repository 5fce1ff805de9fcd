import { LinkButton } from '@portal/account-ui/link-button'
import { saveFile } from '@portal/account-ui/save-file'
import { download } from '@portal/api/call'
import { useSettings } from '@portal/api/settings'
import type { StatusReply } from '@portal/contract/verification'
import type { BulkCheckReply } from '@portal/contract/verification-bulk'
import { toIsoDate } from '@portal/format/dates'
import { formatMinor, formatMoney, toMinor } from '@portal/format/money'
import { formatCount } from '@portal/format/numbers'
import { includedTax, taxLabel } from '@portal/format/tax'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { Stat, StatGroup } from '@portal/ui/stat'
import { lettersZip } from '@portal/verify-flow/letter-endpoints'
import { ArrowLeft, ArrowRight, Download, ExternalLink, ListChecks, ReceiptText } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { NumberEntry } from '../../parts/number-entry.tsx'
import { ZipButton } from '../../parts/zip-button.tsx'
import { OrganisationPointer } from './organisation-pointer.tsx'
import styles from './page.module.css'
import { WaitingForPayment } from './payment-wait.tsx'
import { csvOf, noteOf, type Row, rowsOf } from './rows.ts'
import { RowsTable } from './rows-table.tsx'
import { type Bulk, NOT_PAID, useBulk } from './use-bulk.ts'

export default function BulkPage() {
  const bulk = useBulk()
  useFocusOnStep(stepOf(bulk))
  return (
    <>
      <PageHeader
        title="Bulk Verification"
        description="Check up to 500 certificate numbers, pay for them together, and get a letter for each."
      />
      <div className={styles.page}>
        {bulk.problem && (
          <Alert tone="danger" onDismiss={bulk.dismiss}>
            {bulk.problem}
          </Alert>
        )}
        <Step bulk={bulk} />
      </div>
    </>
  )
}

function stepOf({ payment, paymentId, checked, failedInWindow }: Bulk): string {
  if (failedInWindow) return 'pending'
  return payment?.status ?? (paymentId !== null ? 'loading' : checked ? 'checked' : 'entry')
}

/** Moves the focus to the page's title when the step changes, because the focused button disappears with the previous step. */
function useFocusOnStep(step: string) {
  const previousStep = useRef(step)
  useEffect(() => {
    // When the payment in the initial URL has loaded, the focus stays where it is.
    if (previousStep.current !== step && previousStep.current !== 'loading') {
      document.querySelector<HTMLElement>('[data-page-title]')?.focus()
    }
    previousStep.current = step
  }, [step])
}

function Step({ bulk }: { bulk: Bulk }) {
  const { payment, paymentId, checked } = bulk
  if (payment && (payment.status === 'pending' || bulk.failedInWindow))
    return <WaitingForPayment bulk={bulk} payment={payment} />
  if (payment?.status === 'paid') return <Results bulk={bulk} payment={payment} />
  if (payment) return <NotPaid bulk={bulk} payment={payment} />
  if (paymentId !== null && bulk.problem === null)
    return (
      <Panel>
        <Skeleton size="facts" lines={4} />
      </Panel>
    )
  if (checked) return <CheckedNumbers bulk={bulk} checked={checked} />
  return (
    <>
      <NumberEntry
        text={bulk.text}
        busy={bulk.busy === 'checking'}
        action={{ label: 'Check numbers', busyLabel: 'Checking…', icon: ListChecks }}
        onText={bulk.updateText}
        onSubmit={bulk.check}
      />
      <OrganisationPointer />
    </>
  )
}

/** The numbers that can be verified, and their cost. */
function CheckedNumbers({ bulk, checked }: { bulk: Bulk; checked: BulkCheckReply }) {
  const { summary, amount_due: due, currency } = checked
  const tax = useSettings().data?.tax
  const rows = rowsOf(checked.results)
  const payable = checked.results
    .filter(result => result.status === 'payment_required')
    .map(result => result.certificate_number)
  const pendingPaymentId = checked.results.find(result => result.status === 'pending')?.transaction_id
  const isFree = due === 0
  const notPayable = summary.not_found + summary.invalid + summary.limited
  return (
    <>
      <Panel>
        <div className={styles.page}>
          <StatGroup label="Your list">
            <Stat label="To be paid" value={formatCount(summary.payment_required)} />
            <Stat label="Already verified" value={formatCount(summary.already_paid)} />
            <Stat label="Payment pending" value={formatCount(summary.pending)} />
            <Stat label="Not payable" value={formatCount(notPayable)} />
          </StatGroup>
          {summary.duplicates > 0 && (
            <p className={styles.lead}>
              {formatCount(summary.duplicates)} {summary.duplicates === 1 ? 'duplicate' : 'duplicates'}{' '}
              removed.
            </p>
          )}
          <div className={styles.due}>
            <span className={styles.dueLabel}>Amount due</span>
            <span className={styles.amount}>{formatMoney(due, currency)}</span>
            {tax && due > 0 && (
              <span className={styles.dueLabel}>
                including {taxLabel(tax)}:{' '}
                {formatMinor(includedTax(toMinor(due), tax.basis_points), currency)}
              </span>
            )}
          </div>
          {!isFree && <OrganisationPointer />}
          <div className={styles.actions}>
            {payable.length > 0 && !isFree && bulk.canPayInThisTab && (
              <Button
                variant="primary"
                size="lg"
                icon={ArrowRight}
                disabled={bulk.busy !== null}
                onClick={() => bulk.payHere(payable)}
              >
                Continue in this tab
              </Button>
            )}
            {payable.length > 0 && (
              <Button
                variant={!isFree && bulk.canPayInThisTab ? 'secondary' : 'primary'}
                size="lg"
                icon={isFree ? undefined : ExternalLink}
                busy={bulk.busy === 'starting'}
                busyLabel={isFree ? 'Verifying…' : 'Opening…'}
                onClick={() => bulk.pay(payable, isFree)}
              >
                {isFree
                  ? 'Get the letters'
                  : `Pay for ${formatCount(payable.length)} ${payable.length === 1 ? 'certificate' : 'certificates'}`}
              </Button>
            )}
            {pendingPaymentId && (
              <LinkButton size="lg" to={paths.bulk(pendingPaymentId)}>
                Go to the pending payment
              </LinkButton>
            )}
            <Button size="lg" icon={ArrowLeft} onClick={bulk.startOver}>
              Change the list
            </Button>
            <SaveButton rows={rows} />
          </div>
        </div>
      </Panel>
      <RowsTable
        rows={rows}
        caption="Checked numbers"
        onSuggestion={(row, suggestion) => bulk.replace(row.number, suggestion)}
      />
    </>
  )
}

/** The outcome of a payment that was received. */
function Results({ bulk, payment }: { bulk: Bulk; payment: StatusReply }) {
  const rows = rowsOf(bulk.checked?.results ?? [], payment)
  const count = (state: Row['state']) => rows.filter(row => row.state === state).length
  const note = noteOf(payment)
  return (
    <>
      <Panel title={payment.message} action={<ReceiptLink payment={payment} />}>
        <div className={styles.page}>
          <StatGroup label="Results" short>
            <Stat label="Found" value={formatCount(count('found'))} />
            <Stat label="Not found" value={formatCount(count('missed'))} />
            {count('refunded') > 0 ? (
              <Stat label="Refunded" value={formatCount(count('refunded'))} />
            ) : (
              <Stat label="Refund due" value={formatCount(count('refund_due'))} />
            )}
          </StatGroup>
          <div className={styles.due}>
            <span className={styles.dueLabel}>Amount paid</span>
            <span className={styles.amount}>{formatMoney(payment.amount_paid ?? 0, payment.currency)}</span>
          </div>
          {note && (
            <Alert tone={note.tone} title={note.title}>
              {note.text}
            </Alert>
          )}
          <div className={styles.actions}>
            {count('found') > 0 && (
              <ZipButton
                variant="primary"
                size="lg"
                fetch={() => download(lettersZip, { params: { transaction_id: payment.transaction_id } })}
              />
            )}
            <SaveButton rows={rows} primary={count('found') === 0} />
            <Button size="lg" onClick={bulk.startOver}>
              Verify other certificates
            </Button>
          </div>
        </div>
      </Panel>
      <RowsTable rows={rows} caption="Results" />
    </>
  )
}

function NotPaid({ bulk, payment }: { bulk: Bulk; payment: StatusReply }) {
  const numbers = payment.items.map(item => item.certificate_number)
  const reversalNote = noteOf(payment)
  return (
    <>
      <Panel
        title={reversalNote?.title ?? 'This payment was not completed'}
        action={<ReceiptLink payment={payment} />}
      >
        <div className={styles.page}>
          {reversalNote ? (
            <p className={styles.lead}>{reversalNote.text}</p>
          ) : (
            <Alert tone="danger">
              {NOT_PAID} {payment.message}
            </Alert>
          )}
          <div className={styles.actions}>
            <Button
              variant="primary"
              size="lg"
              busy={bulk.busy === 'checking'}
              busyLabel="Checking…"
              onClick={() => {
                bulk.updateText(numbers.join('\n'))
                bulk.check(numbers)
              }}
            >
              Check these numbers again
            </Button>
            <Button size="lg" onClick={bulk.startOver}>
              Verify other certificates
            </Button>
          </div>
        </div>
      </Panel>
      <RowsTable rows={rowsOf([], payment)} caption="Certificates of the payment" />
    </>
  )
}

const ReceiptLink = ({ payment }: { payment: StatusReply }) => (
  <LinkButton size="sm" icon={ReceiptText} to={paths.receipt(payment.transaction_id)}>
    {payment.amount_paid === null ? 'Payment details' : 'Receipt'}
  </LinkButton>
)

function SaveButton({ rows, primary = false }: { rows: readonly Row[]; primary?: boolean }) {
  const save = () =>
    saveFile(
      new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }),
      `bulk_verification_${toIsoDate(Date.now())}.csv`,
    )
  return (
    <Button variant={primary ? 'primary' : 'secondary'} size="lg" icon={Download} onClick={save}>
      Download as CSV
    </Button>
  )
}
