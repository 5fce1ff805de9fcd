import { call } from '@portal/api/call'
import { ApiError, messageOf } from '@portal/api/error'
import { useSettings } from '@portal/api/settings'
import { mailHref } from '@portal/format/contact-link'
import { cleanTransactionId, plainTransactionId } from '@portal/format/transaction-id'
import { Link, useSearchParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Skeleton } from '@portal/ui/skeleton'
import { Spinner } from '@portal/ui/spinner'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { publicPaymentStatus } from '../../parts/endpoints.ts'
import { trackingFailureText } from '../../parts/failure.ts'
import { useArrivalFocus, useDescription, useNoIndex } from '../../parts/page-head.ts'
import { useFee, useInstitution } from '../../parts/settings.ts'
import { SiteFrame } from '../../parts/site-frame.tsx'
import styles from './page.module.css'
import { initialState, trackingReducer } from './tracking.ts'
import { TrackingForm } from './tracking-form.tsx'
import { TrackingResult } from './tracking-result.tsx'

/**
 * Payment tracking without an account. The ID is in the URL as `?id=`, so that a reload, Back and a bookmark show the same
 * payment.
 */
export default function TrackPaymentPage() {
  useDescription('Track a certificate verification payment by its transaction ID, without an account.')
  const [params, setParams] = useSearchParams()
  const requestedId = plainTransactionId(params.get('id') ?? '')
  useNoIndex(requestedId !== '')
  const heading = useArrivalFocus<HTMLHeadingElement>()
  const [typed, setTyped] = useState(requestedId)
  const [state, dispatch] = useReducer(trackingReducer, initialState)
  const activeRequest = useRef<AbortController>(null)

  const fetchStatus = useCallback(async (id: string) => {
    activeRequest.current?.abort()
    const controller = new AbortController()
    activeRequest.current = controller
    const { signal } = controller
    try {
      const reply = await call(publicPaymentStatus, { params: { id }, signal })
      dispatch({ type: 'answered', id, reply })
    } catch (error) {
      if (signal.aborted) return
      const failure = error instanceof ApiError ? error : new ApiError(messageOf(error), { status: 0 })
      dispatch({ type: 'refused', id, text: trackingFailureText(failure) })
    }
  }, [])

  const lookUp = useCallback(
    (id: string) => {
      dispatch({ type: 'submitted', id })
      if (id) void fetchStatus(id)
    },
    [fetchStatus],
  )

  useEffect(() => {
    if (requestedId) {
      setTyped(typed => (plainTransactionId(typed) === requestedId ? typed : requestedId))
      lookUp(requestedId)
    } else {
      dispatch({ type: 'restarted' })
    }
    return () => activeRequest.current?.abort()
  }, [requestedId, lookUp])

  function submit() {
    const id = plainTransactionId(typed)
    if (!id || id === requestedId) lookUp(id)
    // Replaces the previous ID, so that going back returns to the form and not to each mistyped ID.
    else setParams({ id }, { replace: requestedId !== '' })
  }

  function restart() {
    setTyped('')
    if (requestedId) setParams({})
    else dispatch({ type: 'restarted' })
  }

  return (
    <SiteFrame>
      <div className={styles.page}>
        <h1 ref={heading} tabIndex={-1}>
          Track Payment
        </h1>
        {state.step === 'input' && (
          <p className={styles.lead}>
            Enter the transaction ID you were given when you paid. You don’t need an account.
          </p>
        )}
        <div className={styles.body}>
          <div className={styles.main} aria-live="polite" aria-busy={state.step === 'loading'}>
            {state.step === 'input' && (
              <TrackingForm
                value={typed}
                error={state.error}
                onChange={value => {
                  setTyped(cleanTransactionId(value))
                  dispatch({ type: 'edited' })
                }}
                onSubmit={submit}
              />
            )}
            {state.step === 'loading' && (
              <div className={styles.loading}>
                <Spinner label="Checking payment status…" />
              </div>
            )}
            {state.step === 'result' && (
              <TrackingResult
                result={state}
                onRefresh={() => {
                  dispatch({ type: 'refreshStarted' })
                  void fetchStatus(state.id)
                }}
                onRestart={restart}
              />
            )}
          </div>
          <GoodToKnow />
        </div>
        <PageLinks />
      </div>
    </SiteFrame>
  )
}

/** General information about the service, and the fee if it is known. */
function GoodToKnow() {
  const fee = useFee()
  const institution = useInstitution()
  const { data, error } = useSettings()
  const isPending = !data && !error
  useEffect(() => {
    // The page works without the fee, so a failure is only logged.
    if (error) console.warn('The fee settings could not be loaded:', error.message)
  }, [error])
  return (
    <aside aria-labelledby="good-to-know">
      <h2 id="good-to-know" className={styles.asideTitle}>
        Good to know
      </h2>
      <dl className={styles.facts}>
        <div>
          <dt>Payment timeout</dt>
          <dd>30 minutes. A payment that is not completed by then must be started again.</dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd>Real-time updates, from the payment provider itself.</dd>
        </div>
        {(fee || isPending) && (
          <div>
            <dt>Standard fee</dt>
            <dd>{fee ? `${fee} for each certificate` : <Skeleton width="medium" />}</dd>
          </div>
        )}
        <div>
          <dt>Support</dt>
          <dd>
            24/7 support by email: write at any time.
            {institution?.support_phones.length ? ` By telephone ${institution.business_hours}.` : ''}
            {isPending && <Skeleton width="medium" />}
          </dd>
        </div>
      </dl>
    </aside>
  )
}

function PageLinks() {
  const institution = useInstitution()
  return (
    <nav aria-label="Related pages" className={styles.links}>
      <Link to={paths.home()}>Back to Home</Link>
      {institution && (
        <a href={mailHref(institution.support_email, 'Help with a payment')}>Contact support</a>
      )}
      <Link to={paths.help()}>Help</Link>
    </nav>
  )
}
