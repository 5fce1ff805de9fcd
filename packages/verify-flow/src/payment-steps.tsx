import { useSettings } from '@portal/api/settings'
import { formatMoney } from '@portal/format/money'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { CertificateNumber } from '@portal/ui/mono'
import { Suggestion } from '@portal/ui/suggestion'
import { ArrowLeft, ArrowRight, ExternalLink } from 'lucide-react'
import { formatAcceptedMethods } from './accepted-methods.ts'
import { Fee, PaymentMethods, TaxNote } from './fee.tsx'
import type { FlowState } from './flow.ts'
import { StepHeading } from './step-heading.tsx'
import type { VerifyFlow } from './use-verify-flow.ts'
import styles from './verify-widget.module.css'
import { WaitingStep } from './waiting-step.tsx'

type StateAtStep<S extends FlowState['step']> = Extract<FlowState, { step: S }>

interface StepProps<S extends FlowState['step']> {
  state: StateAtStep<S>
  flow: VerifyFlow
  level: 2 | 3
}

/** The steps that require a session: confirm, payment and waiting. */
export default function PaymentSteps({ flow, level }: { flow: VerifyFlow; level: 2 | 3 }) {
  const { state } = flow
  switch (state.step) {
    case 'confirm':
      return <ConfirmStep key="confirm" {...{ state, flow, level }} />
    case 'payment':
      return <PaymentStep key="payment" {...{ state, flow, level }} />
    case 'waiting':
      return <WaitingStep key="waiting" {...{ state, flow, level }} />
    default:
      return null
  }
}

function ConfirmStep({ state, flow, level }: StepProps<'confirm'>) {
  const { data } = useSettings()
  const isFree = data?.verification_fee === 0
  return (
    <div className={styles.stack}>
      <StepHeading level={level}>Is this the certificate?</StepHeading>
      <p className={styles.number}>
        <CertificateNumber number={state.number.trim()} size="large" />
      </p>
      <DefinitionList
        items={[
          { term: 'Verification fee', value: <Fee /> },
          {
            term: 'You receive',
            value: 'An official verification letter with the certificate details, as a printable PDF',
          },
        ]}
      />
      <p className={styles.note}>
        {isFree
          ? 'There is currently no fee, so you pay nothing.'
          : state.certificateKnown
            ? 'A certificate with this number is in our register. Its details are shown once the fee is paid.'
            : 'Once the fee is paid, you see whether our register has a certificate with this number. The fee is also charged if it does not.'}
      </p>
      {state.suggestion && <Suggestion number={state.suggestion} onUse={flow.takeSuggestion} />}
      <div className={styles.actions}>
        {isFree ? (
          <Button
            variant="primary"
            size="lg"
            busy={state.busy !== null}
            busyLabel="Verifying…"
            onClick={flow.verifyFree}
          >
            Get the Letter
          </Button>
        ) : (
          <Button variant="primary" size="lg" onClick={() => flow.dispatch({ type: 'proceed' })}>
            Proceed to Payment
          </Button>
        )}
        <Button size="lg" icon={ArrowLeft} onClick={() => flow.dispatch({ type: 'editNumber' })}>
          Edit Number
        </Button>
      </div>
    </div>
  )
}

function PaymentStep({ state, flow, level }: StepProps<'payment'>) {
  const { data } = useSettings()
  return (
    <div className={styles.stack}>
      <StepHeading level={level}>Pay the verification fee</StepHeading>
      <div>
        <p className={styles.amount}>{data ? formatMoney(data.verification_fee, data.currency) : <Fee />}</p>
        {data && <TaxNote />}
      </div>
      <DefinitionList
        items={[
          { term: 'For certificate', value: <CertificateNumber number={state.number.trim()} /> },
          { term: 'Accepted methods', value: <PaymentMethods format={formatAcceptedMethods} /> },
        ]}
      />
      <p className={styles.note}>
        {flow.canPayInThisTab
          ? 'The payment page opens in a new window or in this tab; afterwards you return here.'
          : 'The payment page opens in a new window.'}{' '}
        {data?.test_payments
          ? 'It belongs to a test gateway: no money moves, and real payment details are refused.'
          : 'You enter payment details with the payment provider; they never reach this portal.'}
      </p>
      <div className={styles.actions}>
        {flow.canPayInThisTab && (
          <Button
            variant="primary"
            size="lg"
            icon={ArrowRight}
            disabled={state.busy !== null}
            onClick={flow.continueHere}
          >
            Continue in this tab
          </Button>
        )}
        <Button
          variant={flow.canPayInThisTab ? 'secondary' : 'primary'}
          size="lg"
          icon={ExternalLink}
          busy={state.busy === 'starting'}
          busyLabel="Opening…"
          onClick={flow.openGateway}
        >
          Open Secure Payment Gateway
        </Button>
        <Button size="lg" icon={ArrowLeft} onClick={() => flow.dispatch({ type: 'editNumber' })}>
          Edit Number
        </Button>
      </div>
    </div>
  )
}
