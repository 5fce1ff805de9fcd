import { normaliseCertificateNumber, upperCaseNumber } from '@portal/contract/certificate-number'
import { useSession } from '@portal/session/store'
import { Spinner } from '@portal/ui/spinner'
import { lazy, Suspense, useLayoutEffect, useState } from 'react'
import { InputStep } from './input-step.tsx'
import { persistedNumber, persistNumber } from './persisted-number.ts'
import styles from './verify-widget.module.css'

const CachedWidget = lazy(() => import('./cached-widget.tsx'))

interface Props {
  /** Called for a visitor without a session; the number is stored and restored after login. */
  onNeedLogin: (number: string) => void
  /** True while a login dialog is open: the page that follows resumes the open payment, so this page must not. */
  hold: boolean
}

/**
 * The verification on public pages. A visitor can only enter the number, so calls, payment and letter load with the
 * first session.
 */
export function LandingWidget({ onNeedLogin, hold }: Props) {
  const signedIn = useSession(session => session.token !== undefined && session.user !== undefined)
  // The end of a session must not unmount the current step.
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
  const [number, setNumber] = useState('')
  // Only after the first render, which must equal the static page.
  useLayoutEffect(() => setNumber(typed => typed || persistedNumber()), [])
  return (
    <div className={styles.widget} data-step="input">
      <InputStep
        value={number}
        onType={value => {
          const typed = upperCaseNumber(value)
          setNumber(typed)
          persistNumber(typed)
        }}
        onSubmit={() => {
          const normalised = normaliseCertificateNumber(number)
          setNumber(normalised)
          persistNumber(normalised, true)
          onNeedLogin(normalised)
        }}
        level={2}
        compact
        title="Which certificate?"
      />
    </div>
  )
}
