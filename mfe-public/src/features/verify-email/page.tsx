import { LinkButton } from '@portal/account-ui/link-button'
import { call } from '@portal/api/call'
import { isClientError, referenceOf } from '@portal/api/error'
import { Link, useNavigate, useParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormActions } from '@portal/ui/form-layout'
import { Seal } from '@portal/ui/seal'
import { Spinner } from '@portal/ui/spinner'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useCountdown } from '../../parts/countdown.ts'
import type { DialogState } from '../../parts/dialog-state.ts'
import { verifyEmail } from '../../parts/endpoints.ts'
import { toErrorText } from '../../parts/failure.ts'
import { PageCard } from '../../parts/page-card.tsx'
import { useArrivalFocus, useDescription, useNoIndex } from '../../parts/page-head.ts'
import { withQueryCache } from '../../parts/with-query-cache.tsx'
import styles from './page.module.css'

const REDIRECT_SECONDS = 5
const DEFAULT_MESSAGE = 'Email verified successfully!'

const ResendVerification = lazy(() =>
  import(/* webpackChunkName: "account" */ '../../parts/resend-verification.tsx').then(module => ({
    default: module.ResendVerification,
  })),
)

/**
 * Uses the token of the link once: the link is single-use, so a second call would fail even if the first succeeded. The cache
 * keeps the response, and the request takes no abort signal, so mounting twice still sends one request.
 */
function useEmailVerification(token: string) {
  return useQuery({
    queryKey: [verifyEmail.path, token],
    queryFn: () => call(verifyEmail, { params: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    retryOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
}

/** Page that verifies an email address with the emailed link, and shows progress, success or an error. */
function VerifyEmailPage() {
  useDescription('Confirming the email address of an account.')
  useNoIndex()
  const { token = '' } = useParams()
  const heading = useArrivalFocus<HTMLHeadingElement>()
  const { data, error, isFetching, refetch } = useEmailVerification(token)

  if (data) return <EmailVerified message={data.message || DEFAULT_MESSAGE} />
  if (error)
    return (
      <PageCard title="Email verification failed" headingRef={heading}>
        <Alert tone="danger" reference={referenceOf(error)}>
          {toErrorText(error)}
        </Alert>
        {isClientError(error) ? (
          <>
            <Causes title="This may be because" />
            <NewLinkForm />
          </>
        ) : (
          <>
            <div>
              <Button busy={isFetching} onClick={() => void refetch()}>
                Try again
              </Button>
            </div>
            <Causes title="If it fails again, this may be because" />
          </>
        )}
        <p>
          <Link to={paths.home()}>Go to Home Page</Link>
        </p>
      </PageCard>
    )
  return (
    <PageCard title="Verifying your email" headingRef={heading}>
      <Spinner label="One moment, please…" />
    </PageCard>
  )
}

export default withQueryCache(VerifyEmailPage)

function EmailVerified({ message }: { message: string }) {
  const navigate = useNavigate()
  const heading = useRef<HTMLHeadingElement>(null)
  const state: DialogState = { login: 'confirmed' }
  const goHome = () => void navigate(paths.home(), { replace: true, state })
  const secondsLeft = useCountdown(REDIRECT_SECONDS, true, goHome)
  useEffect(() => heading.current?.focus(), [])
  return (
    <PageCard title="Email verified" headingRef={heading}>
      <div className={styles.seal}>
        <Seal label="Email address confirmed" text="Email address confirmed" />
      </div>
      <Alert tone="success" title={message}>
        Your account is now active. You can log in and verify certificates.
      </Alert>
      <p>
        Going to the home page in <span className={styles.count}>{secondsLeft}</span>{' '}
        {secondsLeft === 1 ? 'second' : 'seconds'}.
      </p>
      <FormActions>
        <LinkButton variant="primary" to={paths.homeDialog('login')}>
          Log in
        </LinkButton>
        <Button onClick={goHome}>Go to Home Page</Button>
      </FormActions>
    </PageCard>
  )
}

/** Lists reasons why a link can fail. */
function Causes({ title }: { title: string }) {
  return (
    <div>
      <h2 className={styles.causesTitle}>{title}</h2>
      <ul>
        <li>the verification link has expired: it works for 24 hours,</li>
        <li>
          the link was already used: then you can simply <Link to={paths.homeDialog('login')}>log in</Link>,
        </li>
        <li>the link is invalid, for example because the email program cut it off.</li>
      </ul>
    </div>
  )
}

/** Form that requests a new verification email, with a heading. */
function NewLinkForm() {
  return (
    <div>
      <h2 className={styles.causesTitle}>Get a new link</h2>
      <Suspense fallback={<Spinner label="Loading…" />}>
        <ResendVerification />
      </Suspense>
    </div>
  )
}
