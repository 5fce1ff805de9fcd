import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Spinner } from '@portal/ui/spinner'
import { Stepper } from '@portal/ui/stepper'
import { lazy, Suspense } from 'react'
import type { FlowAlert, FlowState } from './flow.ts'
import { InputStep } from './input-step.tsx'
import { useVerifyFlow, type VerifyFlow } from './use-verify-flow.ts'
import styles from './verify-widget.module.css'

// The other steps and the letter are loaded on demand. They are in a single chunk, because the first page lists the hash of
// every chunk.
const PaymentSteps = lazy(() => import(/* webpackChunkName: "steps" */ './payment-steps.tsx'))
const ResultStep = lazy(() => import(/* webpackChunkName: "steps" */ './result-step.tsx'))

const steps: readonly { id: FlowState['step']; label: string }[] = [
  { id: 'input', label: 'Number' },
  { id: 'confirm', label: 'Confirm' },
  { id: 'payment', label: 'Payment' },
  { id: 'waiting', label: 'Processing' },
  { id: 'result', label: 'Result' },
]

export interface VerifyWidgetProps {
  /** True for narrow places: the first step then has one column, and no stepper. */
  compact?: boolean
  /** Heading of the input step. */
  title?: string
  /** Level of the headings on the surrounding page. */
  level?: 2 | 3
  /** Called when a visitor without a session submits a number, which is stored and restored after login. */
  onNeedLogin?: (number: string) => void
}

/** The verification of one certificate, from entering its number to the letter. Requires a QueryClient. */
export function VerifyWidget({
  compact = false,
  title = 'Which certificate?',
  level = 2,
  onNeedLogin,
}: VerifyWidgetProps) {
  const flow = useVerifyFlow(onNeedLogin)
  const { state, dispatch } = flow
  const reopening = state.busy === 'reopening'
  return (
    <div className={styles.widget} data-step={state.step}>
      {!(compact && state.step === 'input') && !reopening && (
        <Stepper
          label="Verification steps"
          steps={steps}
          // After a failed payment nothing is processed, although the payment window may still be open.
          current={state.step === 'waiting' && state.last?.status === 'failed' ? 'payment' : state.step}
          complete={state.step === 'result'}
          // The payment window is open, but nothing has been paid yet.
          unfinished={state.step === 'waiting' ? 'payment' : undefined}
        />
      )}
      {state.alert && <Banner alert={state.alert} onDismiss={() => dispatch({ type: 'dismissAlert' })} />}
      {flow.earlierNumber && !state.busy && <EarlierResult flow={flow} number={flow.earlierNumber} />}
      {flow.unfinishedNumber && !flow.earlierNumber && !state.busy && (
        <Alert
          silent
          actions={
            <Button variant="secondary" size="sm" onClick={flow.continueAttempt}>
              Continue
            </Button>
          }
          onDismiss={flow.dismissUnfinished}
        >
          The verification of {flow.unfinishedNumber} was not finished.
        </Alert>
      )}
      <Suspense fallback={<Spinner label="Loading…" />}>
        {reopening ? (
          <Spinner label="Loading the result…" />
        ) : (
          <Step flow={flow} level={level} compact={compact} title={title} />
        )}
      </Suspense>
    </div>
  )
}

/** Offers the result that was shown before a reload or navigation. */
function EarlierResult({ flow, number }: { flow: VerifyFlow; number: string }) {
  return (
    <Alert
      silent
      actions={
        <Button variant="secondary" size="sm" onClick={flow.reopen}>
          Show result
        </Button>
      }
      onDismiss={flow.dismissEarlierResult}
    >
      The result for {number} was on this screen.
    </Alert>
  )
}

const tones = { error: 'danger', success: 'success', info: 'info' } as const

function Banner({ alert, onDismiss }: { alert: FlowAlert; onDismiss: () => void }) {
  return (
    <Alert tone={tones[alert.tone]} reference={alert.reference} onDismiss={onDismiss}>
      <p>{alert.text}</p>
      {alert.detail && <p>{alert.detail}</p>}
    </Alert>
  )
}

function Step(props: { flow: VerifyFlow; level: 2 | 3; compact: boolean; title: string }) {
  const { flow, level, compact, title } = props
  const { step } = flow.state
  if (step === 'input') {
    const { state, dispatch, moved, submitNumber } = flow
    return (
      <InputStep
        value={state.number}
        onChange={value => dispatch({ type: 'typed', value })}
        onSubmit={submitNumber}
        busy={state.busy !== null}
        isRefused={state.alert?.tone === 'error'}
        suggestion={state.alert?.suggestion}
        focus={moved}
        level={level}
        compact={compact}
        title={title}
      />
    )
  }
  if (step === 'result') return <ResultStep flow={flow} level={level} />
  return <PaymentSteps flow={flow} level={level} />
}
