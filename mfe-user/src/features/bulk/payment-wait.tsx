import type { StatusReply } from '@portal/contract/verification'
import { formatDeadline } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { TRY_IN_WINDOW } from '@portal/format/money-note'
import { formatCount } from '@portal/format/numbers'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { Code, TransactionId } from '@portal/ui/mono'
import { Panel } from '@portal/ui/panel'
import { Support } from '@portal/verify-flow/support'
import { AppWindow, RefreshCw } from 'lucide-react'
import styles from './page.module.css'
import { noteOf } from './rows.ts'
import { type Bulk, NOT_PAID } from './use-bulk.ts'
import { isUnderReview } from './use-bulk-payment.ts'

function titleOf(payment: StatusReply, failedInWindow: boolean): string {
  if (failedInWindow) return 'Your payment did not go through'
  if (!isUnderReview(payment)) return 'Waiting for your payment'
  return payment.resolution === 'review' ? 'Your payment is under review' : 'Your payment will be refunded'
}

/** Shown while a bulk payment is in progress or under review. */
export function WaitingForPayment({ bulk, payment }: { bulk: Bulk; payment: StatusReply }) {
  const underReview = isUnderReview(payment)
  const note = noteOf(payment)
  const numbers = payment.items.map(item => item.certificate_number)
  return (
    <Panel title={titleOf(payment, bulk.failedInWindow)}>
      <div className={styles.page}>
        {bulk.failedInWindow && (
          <Alert tone="danger">
            {NOT_PAID} {payment.message} {TRY_IN_WINDOW}
          </Alert>
        )}
        {bulk.failedInWindow ? null : note ? (
          <Alert tone={note.tone} title={note.title}>
            {note.text}
          </Alert>
        ) : (
          <p className={styles.lead}>
            Finish the payment in the popup window. It closes automatically, and the results appear here. You
            can leave this page: we’ll keep checking the payment, and its results appear in your history.
          </p>
        )}
        <DefinitionList
          items={[
            { term: 'Transaction ID', value: <TransactionId id={payment.transaction_id} copy /> },
            { term: 'Certificates', value: formatCount(numbers.length) },
            { term: 'Amount', value: formatMoney(payment.amount_due, payment.currency) },
            { term: 'Payment reference', value: <Code>{payment.payment_reference}</Code> },
            ...(payment.expires_at
              ? [{ term: 'Pay before', value: formatDeadline(payment.expires_at) }]
              : []),
          ]}
        />
        {!underReview && (
          <ul className={styles.tips}>
            <li>
              Can’t see the window? Your browser may have blocked the popup: allow popups for this site and
              open it again, or{' '}
              <button type="button" className={styles.link} onClick={() => bulk.payHere(numbers)}>
                continue in this tab
              </button>
              .
            </li>
            <li>
              {bulk.failedInWindow
                ? 'If your bank shows a charge, contact'
                : 'Paid, but still pending? Contact'}{' '}
              support with the transaction ID; you will not be charged twice. <Support />
            </li>
          </ul>
        )}
        <div className={styles.actions}>
          <Button
            variant="primary"
            size="lg"
            icon={RefreshCw}
            busy={bulk.refreshing}
            busyLabel="Checking…"
            onClick={bulk.checkAgain}
          >
            Check Payment Status
          </Button>
          {!underReview && (
            <Button
              size="lg"
              icon={AppWindow}
              busy={bulk.busy === 'starting'}
              busyLabel="Opening…"
              onClick={() => bulk.pay(numbers, false)}
            >
              Open payment window again
            </Button>
          )}
          <Button variant="quiet" size="lg" onClick={bulk.startOver}>
            Verify other certificates
          </Button>
        </div>
      </div>
    </Panel>
  )
}
