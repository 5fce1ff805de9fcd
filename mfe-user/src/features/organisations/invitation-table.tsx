import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import type { Invitation, OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatShortDate } from '@portal/format/dates'
import { invitationDisplay, memberRoleLabel } from '@portal/format/organisations'
import { mayManage } from '@portal/rules/organisations'
import { Badge, Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { type Column, Table } from '@portal/ui/table'
import { showToast } from '@portal/ui/toast-store'
import { useMutation } from '@tanstack/react-query'
import { Ban, Send } from 'lucide-react'
import { members as calls } from '../../parts/organisation-endpoints.ts'
import { useRefreshOrganisations } from '../../parts/use-refresh-organisations.ts'
import { inactiveReason } from './frame.tsx'
import styles from './organisations.module.css'

interface Props {
  organisation: OwnOrganisation
  invitations: readonly Invitation[]
}

type Action = { kind: 'resend' | 'revoke'; invitation: Invitation }

/** A table of pending invitations, which can be resent or revoked. */
export function InvitationTable({ organisation, invitations }: Props) {
  const { id } = organisation
  const refresh = useRefreshOrganisations()
  const act = useMutation({
    mutationFn: ({ kind, invitation }: Action) => {
      const params = { id, inv: invitation.id }
      return kind === 'resend' ? call(calls.resend, { params }) : call(calls.revoke, { params })
    },
    onSuccess: ({ message }) => showToast({ tone: 'success', message }),
    onError: error => showToast({ tone: 'danger', message: messageOf(error) }),
    onSettled: () => refresh(),
  })
  if (invitations.length === 0) return null
  const busy = act.isPending ? act.variables : undefined
  const disabledReason = inactiveReason(organisation)

  const columns: Column<Invitation>[] = [
    {
      key: 'email',
      header: 'Invited address',
      rowHeader: true,
      lines: 2,
      cell: ({ email, invited_by }) => (
        <>
          <bdi className={styles.text}>{email}</bdi>
          {invited_by && <span className={styles.second}>Invited by {invited_by.name}</span>}
        </>
      ),
    },
    { key: 'role', header: 'Role', cell: ({ role }) => <Badge>{memberRoleLabel(role)}</Badge> },
    {
      key: 'state',
      header: 'Status',
      nowrap: true,
      cell: ({ state }) => <Status status={invitationDisplay(state)} variant="plain" />,
    },
    {
      key: 'expires',
      header: 'Expires',
      nowrap: true,
      cell: ({ expires_at }) => <time dateTime={expires_at}>{formatShortDate(expires_at)}</time>,
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      nowrap: true,
      cell: invitation =>
        mayManage(organisation.role, invitation.role) && (
          <span className={styles.rowActions}>
            {(['resend', 'revoke'] as const).map(kind => (
              <Button
                key={kind}
                variant="quiet"
                size="sm"
                icon={kind === 'resend' ? Send : Ban}
                busy={busy?.invitation.id === invitation.id && busy.kind === kind}
                busyLabel={kind === 'resend' ? 'Sending…' : 'Revoking…'}
                disabled={busy !== undefined}
                disabledReason={disabledReason}
                aria-label={`${kind === 'resend' ? 'Resend' : 'Revoke'} the invitation for ${invitation.email}`}
                onClick={() => act.mutate({ kind, invitation })}
              >
                {kind === 'resend' ? 'Resend' : 'Revoke'}
              </Button>
            ))}
          </span>
        ),
    },
  ]
  return (
    <Table caption="Invitations" columns={columns} rows={invitations} rowKey={invitation => invitation.id} />
  )
}
