import { LinkButton } from '@portal/account-ui/link-button'
import { call } from '@portal/api/call'
import { isApiError, isClientError, messageOf, referenceOf } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import type { invitations } from '@portal/contract/organisations'
import type { Reply } from '@portal/contract/route'
import { formatLongDate } from '@portal/format/dates'
import { memberRoleLabel, memberRoleMeanings } from '@portal/format/organisations'
import { Link, useNavigate, useParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { isAdmin } from '@portal/session/roles'
import { hasLiveSession, signOut, useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { FormActions } from '@portal/ui/form-layout'
import { Spinner } from '@portal/ui/spinner'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { DialogName, DialogState } from '../../parts/dialog-state.ts'
import { acceptInvitation, declineInvitation, invitation as read } from '../../parts/endpoints.ts'
import { PageCard } from '../../parts/page-card.tsx'
import { useArrivalFocus, useDescription, useNoIndex } from '../../parts/page-head.ts'
import { forgetInvitation, invitationPath, persistInvitation } from '../../parts/pending-invitation.ts'
import { withQueryCache } from '../../parts/with-query-cache.tsx'

type Invitation = Reply<typeof invitations.read>

/** What to show for an invitation that is no longer pending, by its state. */
const endedTexts: Partial<Record<Invitation['state'], { title: string; text: string }>> = {
  accepted: { title: 'Invitation accepted', text: 'This invitation was already accepted.' },
  declined: { title: 'Invitation declined', text: 'This invitation was declined.' },
  revoked: {
    title: 'Invitation revoked',
    text: 'The organisation has revoked this invitation. If you still want to join, ask for a new one.',
  },
  expired: {
    title: 'Invitation expired',
    text: 'This invitation has expired. Please ask for a new one.',
  },
}

/**
 * Page for an invitation to an organisation, opened with the emailed link. It leads through login or registration to Accept and
 * Decline.
 */
function InvitationPage() {
  useDescription('An invitation to join an organisation.')
  useNoIndex()
  const { token = '' } = useParams()
  const heading = useArrivalFocus<HTMLHeadingElement>()
  const query = useQuery({ ...q(read, { params: { token } }), staleTime: 0, retry: false })
  const { data, error, isFetching, refetch } = query
  const user = useSession(session => session.user)
  useEffect(() => {
    // Ends an expired session. Otherwise the page would offer Accept and Decline, which the server would refuse.
    hasLiveSession()
  }, [])
  // True if the stored invitation need not be opened again after a login.
  const isNoLongerNeeded =
    user !== undefined || isClientError(error) || (data !== undefined && data.state !== 'pending')
  useEffect(() => {
    if (isNoLongerNeeded) forgetInvitation()
  }, [isNoLongerNeeded])

  const renderCard = (title: string, children: ReactNode) => (
    <PageCard title={title} headingRef={heading}>
      {children}
    </PageCard>
  )
  if (!data && !error) return renderCard('Invitation', <Spinner label="One moment, please…" />)
  if (!data)
    return renderCard(
      isApiError(error) && error.code === 'EXPIRED_INVITATION'
        ? 'Invitation expired'
        : 'This invitation cannot be opened',
      <>
        <Alert tone="danger" reference={referenceOf(error)}>
          {messageOf(error)}
        </Alert>
        {!isClientError(error) && (
          <div>
            <Button busy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          </div>
        )}
        <HomeLink />
      </>,
    )
  const endedText = endedTexts[data.state]
  if (endedText)
    return renderCard(
      endedText.title,
      <>
        <Alert tone={data.state === 'accepted' ? 'success' : 'info'}>{endedText.text}</Alert>
        {data.state === 'accepted' ? (
          <FormActions>
            <LinkButton variant="primary" to={paths.dashboard('organisations')}>
              Go to your organisations
            </LinkButton>
          </FormActions>
        ) : (
          <HomeLink />
        )}
      </>,
    )
  return renderCard(
    `Join ${data.organisation.name}`,
    <>
      <DefinitionList
        items={[
          {
            term: 'Organisation',
            value: `${data.organisation.name}${data.organisation.vetted ? ', vetted by the institution' : ''}`,
          },
          { term: 'Your role', value: `${memberRoleLabel(data.role)}. ${memberRoleMeanings[data.role]}` },
          { term: 'Invited address', value: <bdi>{data.email}</bdi> },
          { term: 'Expires on', value: formatLongDate(data.expires_at) },
        ]}
      />
      <NextStep invitation={data} token={token} onStale={() => void refetch()} />
    </>,
  )
}

export default withQueryCache(InvitationPage)

const HomeLink = () => (
  <p>
    <Link to={paths.home()}>Go to Home Page</Link>
  </p>
)

interface NextStepProps {
  invitation: Invitation
  token: string
  /** Called when an answer was refused, because the invitation may have changed. */
  onStale: () => void
}

/** The next step: log in or register, switch the account, or accept and decline. */
function NextStep({ invitation, token, onStale }: NextStepProps) {
  const user = useSession(session => session.user)
  const navigate = useNavigate()
  const openDialog = (dialog: DialogName) => {
    persistInvitation(token)
    const state: DialogState = { email: invitation.email, wanted: invitationPath(token) }
    void navigate(paths.homeDialog(dialog), { state })
  }
  if (!user)
    return (
      <>
        <p>
          Log in with the invited address, or create an account with it. You will return to this invitation
          afterwards.
        </p>
        <FormActions>
          <Button variant="primary" onClick={() => openDialog('login')}>
            Log in
          </Button>
          <Button onClick={() => openDialog('register')}>Create Account</Button>
        </FormActions>
      </>
    )
  const mismatchesEmail = user.email.toLowerCase() !== invitation.email.toLowerCase()
  if (mismatchesEmail || isAdmin(user.role))
    return (
      <>
        <Alert tone="warning" silent>
          {mismatchesEmail ? (
            <>
              You are logged in as <bdi>{user.email}</bdi>, but this invitation is for{' '}
              <bdi>{invitation.email}</bdi>. Please log in with the invited address.
            </>
          ) : (
            'Staff accounts cannot create or join organisations.'
          )}
        </Alert>
        {mismatchesEmail && (
          <FormActions>
            <Button
              variant="primary"
              onClick={() => {
                signOut()
                openDialog('login')
              }}
            >
              Log in with another account
            </Button>
          </FormActions>
        )}
        <HomeLink />
      </>
    )
  return <DecideInvitation token={token} onStale={onStale} />
}

function DecideInvitation({ token, onStale }: Omit<NextStepProps, 'invitation'>) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const decision = useMutation({
    mutationFn: (accept: boolean) =>
      accept ? call(acceptInvitation, { params: { token } }) : call(declineInvitation, { params: { token } }),
    onSuccess: async ({ organisation }, accept) => {
      forgetInvitation()
      // The link has been used, so the server would refuse to return the invitation again.
      const state: Invitation['state'] = accept ? 'accepted' : 'declined'
      client.setQueryData<Invitation>(
        queryKey(read, { params: { token } }),
        current => current && { ...current, state },
      )
      await client.invalidateQueries({ predicate: query => query.queryKey[0] !== read.path })
      if (accept)
        void navigate(`${paths.dashboard('organisations')}/${encodeURIComponent(organisation.id)}`, {
          replace: true,
        })
    },
    onError: error => {
      if (isClientError(error)) onStale()
    },
  })
  return (
    <>
      {decision.error && (
        <Alert tone="danger" reference={referenceOf(decision.error)}>
          {messageOf(decision.error)}
        </Alert>
      )}
      <FormActions>
        <Button
          variant="primary"
          busy={decision.isPending && decision.variables}
          busyLabel="Accepting…"
          disabled={decision.isPending}
          onClick={() => decision.mutate(true)}
        >
          Accept
        </Button>
        <Button
          busy={decision.isPending && !decision.variables}
          busyLabel="Declining…"
          disabled={decision.isPending}
          onClick={() => decision.mutate(false)}
        >
          Decline
        </Button>
      </FormActions>
    </>
  )
}
