import { normaliseCertificateNumber, upperCaseNumber } from '@portal/contract/certificate-number'
import { useSession } from '@portal/session/store'
import { Spinner } from '@portal/ui/spinner'
import { lazy, Suspense, useState } from 'react'
import { InputStep } from './input-step.tsx'
import { keepNumber, keptNumber } from './kept-number.ts'
import styles from './verify-widget.module.css'

const CachedWidget = lazy(() => import('./cached-widget.tsx'))

interface Props {
  /** What to do for a visitor without a session; the number typed is kept and found again after log-in. */
  onNeedLogin: (number: string) => void
  /** A log-in is open above: an open payment is resumed where it leads, not here. */
  hold: boolean
}

/**
 * The verification on a page that everyone sees. A visitor can only give the number, so nothing else is loaded for
 * one: calls, payment and letter come with the first session.
 */
export function LandingWidget({ onNeedLogin, hold }: Props) {
  const signedIn = useSession(session => session.token !== undefined && session.user !== undefined)
  // A session that ends midway must not take the step on the screen away.
  const [begun, setBegun] = useState(signedIn && !hold)
  if (signedIn && !hold && !begun) setBegun(true)
  if (!begun) return <VisitorStep onNeedLogin={onNeedLogin} />
  return (
    <Suspense fallback={<Spinner label="Loading…" />}>
      <CachedWidget compact onNeedLogin={onNeedLogin} />
    </Suspense>
  )
}

function VisitorStep({ onNeedLogin }: Pick<Props, 'onNeedLogin'>) {
  const [number, setNumber] = useState(keptNumber)
  return (
    <div className={styles.widget} data-step="input">
      <InputStep
        value={number}
        onType={value => {
          const typed = upperCaseNumber(value)
          setNumber(typed)
          keepNumber(typed)
        }}
        onSubmit={() => {
          const normalised = normaliseCertificateNumber(number)
          setNumber(normalised)
          keepNumber(normalised, true)
          onNeedLogin(normalised)
        }}
        level={2}
        compact
        title="Which certificate?"
      />
    </div>
  )
}
