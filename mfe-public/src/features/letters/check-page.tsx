import { LinkButton } from '@portal/account-ui/link-button'
import { isApiError } from '@portal/api/error'
import { q } from '@portal/api/query'
import { groupLetterCode } from '@portal/letter/code'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Code } from '@portal/ui/mono'
import { Spinner } from '@portal/ui/spinner'
import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { checkLetter } from '../../parts/endpoints.ts'
import { toErrorText } from '../../parts/failure.ts'
import { PageCard } from '../../parts/page-card.tsx'
import { SupportLines } from '../../parts/support-lines.tsx'
import { CodeForm } from './code-form.tsx'
import { Letter } from './letter.tsx'
import styles from './page.module.css'
import { Specimen } from './specimen.tsx'

const OFFLINE = 'You are offline. The letter will be checked as soon as you are back online.'

/** Shows the current status of one letter in the register. */
export function CheckPage({ code, headingRef }: { code: string; headingRef: Ref<HTMLHeadingElement> }) {
  const { data, error, isFetching, isPaused, refetch } = useQuery({
    ...q(checkLetter, { params: { code } }),
    // Fetched on every visit, because the status must be current and each request counts as a check; never refetched while
    // shown.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const retry = () => void refetch()
  if (data?.status === 'specimen') return <Specimen headingRef={headingRef} />
  if (data) {
    const failure = isPaused ? OFFLINE : error && !isFetching ? describeFailure(error).text : undefined
    return <Letter letter={data} busy={isFetching} failure={failure} onCheckAgain={retry} />
  }
  if (error) {
    const isUnknown = isApiError(error) && error.status === 404
    return isUnknown ? (
      <UnknownCode code={code} headingRef={headingRef} />
    ) : (
      <Failed error={error} busy={isFetching} onRetry={retry} headingRef={headingRef} />
    )
  }
  return (
    <PageCard title="Check a letter" headingRef={headingRef}>
      {isPaused ? (
        <Alert tone="warning" title="You are offline">
          The letter will be checked as soon as you are back online.
        </Alert>
      ) : (
        <Spinner label="Checking the letter…" />
      )}
    </PageCard>
  )
}

/** Returns a title and a text that explain why the check failed: too many requests, no connection, or a server error. */
function describeFailure(error: unknown): { title: string; text: string } {
  const isRateLimited = isApiError(error) && error.code === 'RATE_LIMITED'
  return {
    title: isRateLimited ? 'Too many checks for now' : 'The letter could not be checked',
    text: toErrorText(error),
  }
}

interface FailedProps {
  error: unknown
  busy: boolean
  onRetry: () => void
  headingRef: Ref<HTMLHeadingElement>
}

function Failed({ error, busy, onRetry, headingRef }: FailedProps) {
  const { title, text } = describeFailure(error)
  return (
    <PageCard title={title} headingRef={headingRef}>
      <Alert tone="danger">{text}</Alert>
      <p>This says nothing about the letter: the register could not be reached.</p>
      <div>
        <Button busy={busy} onClick={onRetry}>
          Try again
        </Button>
      </div>
    </PageCard>
  )
}

/** Shown if no letter has the code. The user may have misread the code, so the text does not mention forgery. */
function UnknownCode({ code, headingRef }: { code: string; headingRef: Ref<HTMLHeadingElement> }) {
  return (
    <PageCard title="No letter has this code" headingRef={headingRef}>
      <Alert tone="warning">
        <p>
          The institution has issued no letter with the code{' '}
          <span className={styles.code}>
            <Code>{groupLetterCode(code.toUpperCase())}</Code>.
          </span>
        </p>
      </Alert>
      <p>
        A character may have been misread: compare the code with the paper again. Codes never contain the
        letters I, L, O or U.
      </p>
      <CodeForm initial={groupLetterCode(code.toUpperCase())} />
      <p>If the code is exactly as printed, do not rely on the letter, and let support know:</p>
      <SupportLines />
      <div>
        <LinkButton to={paths.home()}>Verify a certificate</LinkButton>
      </div>
    </PageCard>
  )
}
