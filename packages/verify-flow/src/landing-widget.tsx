import { normaliseCertificateNumber, upperCaseNumber } from '@portal/contract/certificate-number'
import { useSession } from '@portal/session/store'
import { Spinner } from '@portal/ui/spinner'
import { lazy, Suspense, useLayoutEffect, useState } from 'react'
import { InputStep } from './input-step.tsx'
import { persistNumber, readPersistedNumber } from './persisted-number.ts'
import styles from './verify-widget.module.css'

const CachedWidget = lazy(() => import('./cached-widget.tsx'))

interface Props {
  /** Called when a visitor without a session submits a number, which is stored and restored after login. */
  onNeedLogin: (number: string) => void
  /**
   * True while an account dialog is open. This page must not start the verification then, because the page after login resumes
   * an open payment.
   */
  isDialogOpen: boolean
}

/**
 * The verification widget on public pages. A visitor can only enter the number; the code for calls, payment and letter is
 * loaded after login.
 */
export function LandingWidget({ onNeedLogin, isDialogOpen }: Props) {
  const isSignedIn = useSession(session => session.token !== undefined && session.user !== undefined)
  // Never becomes false again, so that the end of a session does not unmount the current step.
  const [hasStarted, setStarted] = useState(isSignedIn && !isDialogOpen)
  if (isSignedIn && !isDialogOpen && !hasStarted) setStarted(true)
  if (!hasStarted) return <VisitorStep onNeedLogin={onNeedLogin} />
  return (
    <Suspense fallback={<Spinner label="Loading…" />}>
      <CachedWidget compact onNeedLogin={onNeedLogin} />
    </Suspense>
  )
}

function VisitorStep({ onNeedLogin }: Pick<Props, 'onNeedLogin'>) {
  const [number, setNumber] = useState('')
  // Only after the first render, because that must match the static page.
  useLayoutEffect(() => setNumber(typed => typed || readPersistedNumber()), [])
  return (
    <div className={styles.widget} data-step="input">
      <InputStep
        value={number}
        onChange={value => {
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
