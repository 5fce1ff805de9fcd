import { formatDeadline } from '@portal/format/dates'
import { formatMoneyOrNone } from '@portal/format/money'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { CertificateNumber, Code, TransactionId } from '@portal/ui/mono'
import { type Stage, StageList } from '@portal/ui/stage-list'
import { AppWindow, RefreshCw } from 'lucide-react'
import { type FlowState, mayPayAgain } from './flow.ts'
import type { PaymentTarget } from './open-payment.ts'
import { removeReturnNote } from './payment-window.ts'
import { noteOf } from './result.ts'
import { StepHeading } from './step-heading.tsx'
import { Support } from './support.tsx'
import type { VerifyFlow } from './use-verify-flow.ts'
import styles from './verify-widget.module.css'

type WaitingState = Extract<FlowState, { step: 'waiting' }>

/**
 * True if the attempt has failed but its window is still open; when the window is closed, the flow returns to the payment step.
 */
const hasFailed = ({ last }: WaitingState) => last?.status === 'failed'

function headingOf(state: WaitingState): string {
  if (hasFailed(state)) return 'Your payment did not go through'
  if (state.last === null || state.last.resolution === null) return 'Waiting for your payment'
  return mayPayAgain(state) ? 'Your payment will be refunded' : 'Your payment is under review'
}

function paymentStageOf(state: WaitingState): Pick<Stage, 'state' | 'note'> {
  if (hasFailed(state)) return { state: 'failed', note: 'Not paid; you can try again' }
  switch (state.last?.resolution ?? null) {
    case null:
      return {
        state: 'active',
        note:
          state.last?.bpms_status.toLowerCase() === 'processing'
            ? 'The provider is processing it'
            : 'We check every few seconds, even if the payment window is closed',
      }
    case 'review':
      return { state: 'waiting', note: 'Our staff are resolving it with the provider' }
    default:
      return { state: 'waiting', note: 'Received, but the amount does not match' }
  }
}

function buildStages(state: WaitingState): Stage[] {
  const { payment } = state
  return [
    {
      id: 'found',
      label: 'Certificate Found',
      state: payment.certificateKnown ? 'done' : 'waiting',
      note: payment.certificateKnown ? undefined : 'Known once the payment is complete',
    },
    { id: 'payment', label: 'Payment Processing', ...paymentStageOf(state) },
    { id: 'complete', label: 'Verification Complete', state: 'waiting' },
  ]
}

/** The waiting step: progress, transaction ID and next steps. */
export function WaitingStep({ state, flow, level }: { state: WaitingState; flow: VerifyFlow; level: 2 | 3 }) {
  const { payment, last } = state
  const isResolved = last !== null && last.resolution !== null
  return (
    <div className={styles.stack}>
      <StepHeading level={level} focus={flow.moved}>
        {headingOf(state)}
      </StepHeading>
      {isResolved && <ResolutionNote last={last} />}
      <div className={styles.columns}>
        <div className={styles.stack}>
          <StageList label="Progress" stages={buildStages(state)} />
          <WaitingActions flow={flow} isResolved={isResolved} canPayAgain={mayPayAgain(state)} />
        </div>
        <DefinitionList
          items={[
            { term: 'Transaction ID', value: <TransactionId id={payment.transactionId} copy /> },
            { term: 'Certificate number', value: <CertificateNumber number={payment.certificateNumber} /> },
            { term: 'Amount', value: formatMoneyOrNone(payment.amount, payment.currency) },
            { term: 'Payment reference', value: <Code>{payment.paymentReference}</Code> },
            ...(payment.expiresAt && !isResolved
              ? [{ term: 'Pay before', value: formatDeadline(payment.expiresAt) }]
              : []),
          ]}
        />
      </div>
      {!isResolved && <Tips state={state} flow={flow} />}
      <p className={styles.note}>
        {isResolved
          ? 'You can leave this page: the outcome of the payment appears in your verification history.'
          : 'You can leave this page: we’ll keep checking the payment, and its result appears in your verification history.'}
      </p>
      <div className={styles.aside}>
        <Button variant="quiet" onClick={flow.startOver}>
          Verify Another Certificate
        </Button>
      </div>
    </div>
  )
}

/** What the payer can do about the payment window while the payment is pending, or after it has failed there. */
function Tips({ state, flow }: { state: WaitingState; flow: VerifyFlow }) {
  const { target } = state
  if (hasFailed(state))
    return (
      <ul className={styles.tips}>
        <li>Can’t find the payment window? Open it again here to start a new payment.</li>
        <li>
          If your bank shows a charge, contact support with the transaction ID; you will not be charged twice.{' '}
          <Support />
        </li>
      </ul>
    )
  return (
    <ul className={styles.tips}>
      <li>Finish the payment in the popup window. It closes automatically, and the result appears here.</li>
      <li>
        Can’t see the window? Your browser may have blocked the popup: allow popups for this site and open it
        again{target && <>, {<NewTab target={target} />}</>}, or{' '}
        <button type="button" className={styles.link} onClick={flow.continueHere}>
          continue in this tab
        </button>
        .
      </li>
      <li>
        Paid, but still pending? Contact support with the transaction ID; you will not be charged twice.{' '}
        <Support />
      </li>
    </ul>
  )
}

function WaitingActions({
  flow,
  isResolved,
  canPayAgain,
}: {
  flow: VerifyFlow
  isResolved: boolean
  canPayAgain: boolean
}) {
  const { state } = flow
  return (
    <div className={styles.actions}>
      {canPayAgain && (
        <Button variant="primary" size="lg" onClick={flow.payAgain}>
          Pay Again for This Certificate
        </Button>
      )}
      <Button
        variant={canPayAgain ? 'secondary' : 'primary'}
        size="lg"
        icon={RefreshCw}
        busy={state.busy === 'polling'}
        busyLabel="Checking…"
        onClick={flow.checkNow}
      >
        Check Payment Status
      </Button>
      {!isResolved && (
        <Button
          size="lg"
          icon={AppWindow}
          busy={state.busy === 'starting'}
          busyLabel="Opening…"
          onClick={flow.openGateway}
        >
          Open payment window again
        </Button>
      )}
    </div>
  )
}

/**
 * A link that opens the payment page or, if the gateway needs fields, a form: browsers that block popups still allow such
 * clicks. It keeps the opener, so that the return page can close the tab.
 */
function NewTab({ target }: { target: PaymentTarget }) {
  const label = 'open the payment page in a new tab'
  const dropNote = () => removeReturnNote(window)
  if (Object.keys(target.data).length === 0)
    return (
      // biome-ignore lint/security/noBlankTarget: the opener lets the return page close the tab, as it does the window
      <a className={styles.link} href={target.url} target="_blank" rel="opener" onClick={dropNote}>
        {label}
      </a>
    )
  return (
    <form
      onSubmit={dropNote}
      className={styles.inlineForm}
      method="post"
      action={target.url}
      target="_blank"
      rel="noopener opener"
    >
      {Object.entries(target.data).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className={styles.link}>
        {label}
      </button>
    </form>
  )
}

/** Explains a payment that is under review or due for a refund, and what happens next. */
function ResolutionNote({ last }: { last: NonNullable<WaitingState['last']> }) {
  const note = noteOf(last)
  if (!note) return null
  return (
    <Alert tone={note.tone} title={note.title}>
      <p>{note.text}</p>
      <Support />
    </Alert>
  )
}
