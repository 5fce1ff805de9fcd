import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import type { accountAreas } from '@portal/contract/organisations'
import type { Reply } from '@portal/contract/route'
import { formatLongDate } from '@portal/format/dates'
import { memberRoleLabel, memberRoleMeanings } from '@portal/format/organisations'
import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { showToast } from '@portal/ui/toast-store'
import { useMutation } from '@tanstack/react-query'
import { areas } from '../../parts/organisation-endpoints.ts'
import { useRefreshOrganisations } from '../../parts/use-refresh-organisations.ts'
import styles from './organisations.module.css'

type Invitation = Reply<typeof accountAreas.read>['invitations'][number]

/** The account's pending invitations, to accept or decline. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const refresh = useRefreshOrganisations()
  const decision = useMutation({
    mutationFn: ({ id, accept }: { id: string; accept: boolean }) =>
      accept ? call(areas.accept, { params: { id } }) : call(areas.decline, { params: { id } }),
    onSuccess: ({ message }) => showToast({ tone: 'success', message }),
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
    onSettled: () => refresh(),
  })
  if (invitations.length === 0) return null
  const busy = decision.isPending ? decision.variables : undefined
  return (
    <Panel title="Invitations">
      <ul className={styles.invitations}>
        {invitations.map(({ id, organisation, role, expires_at }) => (
          <li key={id} className={styles.invitation}>
            <div>
              <p className={styles.invitationName}>{organisation.name}</p>
              <p className={styles.muted}>
                Your role: {memberRoleLabel(role)}. {memberRoleMeanings[role]} The invitation expires on{' '}
                {formatLongDate(expires_at)}.
              </p>
            </div>
            <div className={styles.actions}>
              <Button
                variant="primary"
                busy={busy?.id === id && busy.accept}
                busyLabel="Accepting…"
                disabled={busy !== undefined}
                aria-label={`Accept the invitation to ${organisation.name}`}
                onClick={() => decision.mutate({ id, accept: true })}
              >
                Accept
              </Button>
              <Button
                busy={busy?.id === id && !busy.accept}
                busyLabel="Declining…"
                disabled={busy !== undefined}
                aria-label={`Decline the invitation to ${organisation.name}`}
                onClick={() => decision.mutate({ id, accept: false })}
              >
                Decline
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
