import { formatDeadline } from '@portal/format/dates'
import { formatMoney, formatMoneyOrNone } from '@portal/format/money'
import { moneyNote } from '@portal/format/money-note'
import { paymentDisplay } from '@portal/format/status'
import { Alert } from '@portal/ui/alert'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { Code, TransactionId } from '@portal/ui/mono'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { Support } from '@portal/verify-flow/support'
import { AppWindow, RefreshCw } from 'lucide-react'
import styles from './organisations.module.css'
import type { TopupState } from './use-topup.ts'

/** The state of the top-up named in the URL: awaiting payment, credited, or failed with the reason. */
export function TopupPanel({ state }: { state: TopupState }) {
  const { topup } = state
  if (!topup)
    return state.problem ? (
      <Alert tone="danger" onDismiss={state.clear}>
        {state.problem}
      </Alert>
    ) : (
      <Skeleton size="facts" lines={4} />
    )
  const isOpen = topup.status === 'pending' && topup.resolution === null
  const note = moneyNote({ status: topup.status, resolution: topup.resolution, found: true })
  return (
    <Panel title={isOpen ? 'Waiting for your payment' : 'Top-up'}>
      <div className={styles.facts}>
        {state.problem && <Alert tone="danger">{state.problem}</Alert>}
        {topup.status === 'paid' && (
          <Alert
            tone="success"
            title={`${formatMoneyOrNone(topup.amount_paid, topup.currency)} was credited.`}
          >
            The balance is {formatMoney(topup.balance, topup.currency)}.
          </Alert>
        )}
        {topup.status !== 'paid' && note && (
          <Alert tone={note.tone} title={note.title}>
            {note.text}
          </Alert>
        )}
        {topup.status === 'failed' && !note && (
          <Alert tone="danger">Payment failed or was cancelled. Please try again. {topup.message}</Alert>
        )}
        {isOpen && (
          <p className={styles.muted}>
            Finish the payment in the popup window. It closes automatically, and the balance is updated here.
            You can leave this page: we’ll keep checking the payment.
          </p>
        )}
        <DefinitionList
          items={[
            { term: 'Status', value: <Status status={paymentDisplay(topup.status)} variant="plain" /> },
            { term: 'Transaction ID', value: <TransactionId id={topup.transaction_id} copy /> },
            { term: 'Amount', value: formatMoney(topup.amount_due, topup.currency) },
            { term: 'Payment reference', value: <Code>{topup.payment_reference}</Code> },
            ...(isOpen && topup.expires_at
              ? [{ term: 'Pay before', value: formatDeadline(topup.expires_at) }]
              : []),
          ]}
        />
        {isOpen && (
          <p className={styles.muted}>
            Paid, but still pending? Contact support with the transaction ID; you will not be charged twice.{' '}
            <Support />
          </p>
        )}
        <div className={styles.actions}>
          {topup.status === 'pending' && (
            <Button
              variant="primary"
              icon={RefreshCw}
              busy={state.refreshing}
              busyLabel="Checking…"
              onClick={state.checkAgain}
            >
              Check Payment Status
            </Button>
          )}
          {isOpen && (
            <>
              <Button
                icon={AppWindow}
                busy={state.busy}
                busyLabel="Opening…"
                onClick={() => state.pay(topup.amount_due)}
              >
                Open payment window again
              </Button>
              <Button disabled={state.busy} onClick={() => state.payHere(topup.amount_due)}>
                Continue in this tab
              </Button>
            </>
          )}
          <Button variant="quiet" onClick={state.clear}>
            {isOpen ? 'Back to billing' : 'Done'}
          </Button>
        </div>
      </div>
    </Panel>
  )
}
