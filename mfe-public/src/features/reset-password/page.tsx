import { LinkButton } from '@portal/account-ui/link-button'
import { q } from '@portal/api/query'
import { Link, useNavigate, useParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { FormActions } from '@portal/ui/form-layout'
import { Spinner } from '@portal/ui/spinner'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useCountdown } from '../../parts/countdown.ts'
import type { DialogState } from '../../parts/dialog-state.ts'
import { checkResetToken } from '../../parts/endpoints.ts'
import { PageCard } from '../../parts/page-card.tsx'
import { useArrivalFocus, useDescription, useNoIndex } from '../../parts/page-head.ts'
import { withQueryCache } from '../../parts/with-query-cache.tsx'
import { ResetFailure } from './reset-failure.tsx'
import { ResetForm } from './reset-form.tsx'

const REDIRECT_SECONDS = 3

/** Returns the texts of the page; a person who was invited has no password yet. */
const getTexts = (isInvited: boolean) =>
  isInvited
    ? {
        title: 'Choose your password',
        done: 'Your password is set',
        text: 'Your account is ready. Log in with your email address and the new password.',
      }
    : {
        title: 'Reset your password',
        done: 'Password Reset Successful!',
        text: 'Your password was changed, and every session of the account was ended. Log in with the new password.',
      }

/**
 * Lets the owner of an emailed link choose a new password. The link is checked first. If the check fails, the error is shown
 * above the form, but the form stays: a failed check must not prevent the use of a valid link.
 */
function ResetPasswordPage() {
  useDescription('Choosing a new password for an account.')
  useNoIndex()
  const { token = '' } = useParams()
  const heading = useArrivalFocus<HTMLHeadingElement>()
  // Once the form has been submitted, the form reports errors itself.
  const [isSubmitted, setSubmitted] = useState(false)
  const [done, setDone] = useState(false)
  const { data, error, isFetched, isFetching, refetch } = useQuery({
    ...q(checkResetToken, { params: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

  const isInvited = data?.invited ?? false
  const texts = getTexts(isInvited)
  if (done) return <ResetDone title={texts.done} text={texts.text} />
  return (
    <PageCard title={texts.title} headingRef={heading}>
      {error && !isSubmitted && (
        <ResetFailure error={error} busy={isFetching} onRetry={() => void refetch()} />
      )}
      {isFetched ? (
        <ResetForm
          token={token}
          isInvited={isInvited}
          onSubmit={() => setSubmitted(true)}
          onDone={() => setDone(true)}
        />
      ) : (
        <Spinner label="Checking your reset link…" />
      )}
      <BackToHome />
    </PageCard>
  )
}

export default withQueryCache(ResetPasswordPage)

function BackToHome() {
  return (
    <p>
      <Link to={paths.home()}>Back to Home</Link>
    </p>
  )
}

function ResetDone({ title, text }: { title: string; text: string }) {
  const navigate = useNavigate()
  const heading = useRef<HTMLHeadingElement>(null)
  const state: DialogState = { login: 'reset' }
  const goHome = () => void navigate(paths.home(), { replace: true, state })
  const secondsLeft = useCountdown(REDIRECT_SECONDS, true, goHome)
  useEffect(() => heading.current?.focus(), [])
  return (
    <PageCard title={title} headingRef={heading}>
      <Alert tone="success">{text}</Alert>
      <p>
        Going to the home page in {secondsLeft} {secondsLeft === 1 ? 'second' : 'seconds'}.
      </p>
      <FormActions>
        <LinkButton variant="primary" to={paths.homeDialog('login')}>
          Log in
        </LinkButton>
        <Button onClick={goHome}>Back to Home</Button>
      </FormActions>
    </PageCard>
  )
}
