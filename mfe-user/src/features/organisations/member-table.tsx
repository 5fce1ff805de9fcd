import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import type { Member, MemberRole, OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatShortDate } from '@portal/format/dates'
import { memberRoleLabel } from '@portal/format/organisations'
import { useNavigate } from '@portal/router'
import { may, mayManage } from '@portal/rules/organisations'
import { useSession } from '@portal/session/store'
import { Badge } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { Select } from '@portal/ui/select'
import { type Column, Table } from '@portal/ui/table'
import { showToast } from '@portal/ui/toast-store'
import { useMutation } from '@tanstack/react-query'
import { LogOut, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { members as calls } from '../../parts/organisation-endpoints.ts'
import { organisationsPath } from '../../parts/organisation-paths.ts'
import { useRefreshOrganisations } from '../../parts/use-refresh-organisations.ts'
import { inactiveReason } from './frame.tsx'
import { DemoteDialog, LeaveDialog } from './member-dialogs.tsx'
import styles from './organisations.module.css'
import { offeredRoles } from './roles.ts'

interface Props {
  organisation: OwnOrganisation
  members: readonly Member[] | undefined
  loading: boolean
}

const LAST_OWNER = 'An organisation needs at least one owner.'

/** Members with their roles, which owners and managers can change. */
export function MemberTable({ organisation, members, loading }: Props) {
  const { id } = organisation
  const ownId = useSession(session => session.user?.id)
  const refresh = useRefreshOrganisations()
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState<Member>()
  const [demoting, setDemoting] = useState<{ member: Member; role: MemberRole }>()
  const fail = (error: unknown) => showToast({ tone: 'danger', message: messageOf(error) })

  const change = useMutation({
    mutationFn: ({ member, role }: { member: Member; role: MemberRole }) =>
      call(calls.changeRole, { params: { id, user_id: member.user_id }, body: { role } }),
    onSuccess: ({ message }) => showToast({ tone: 'success', message }),
    onError: fail,
    onSettled: () => {
      setDemoting(undefined)
      return refresh()
    },
  })
  const remove = useMutation({
    mutationFn: (member: Member) => call(calls.remove, { params: { id, user_id: member.user_id } }),
    onSuccess: ({ message }, member) => {
      showToast({ tone: 'success', message })
      if (member.user_id === ownId) void navigate(organisationsPath)
    },
    onError: fail,
    onSettled: () => {
      setLeaving(undefined)
      return refresh()
    },
  })

  const owners = members?.filter(({ role }) => role === 'owner').length ?? 0
  const isLastOwner = (member: Member) => member.role === 'owner' && owners === 1
  const inactive = inactiveReason(organisation)

  const columns: Column<Member>[] = [
    {
      key: 'name',
      header: 'Member',
      rowHeader: true,
      lines: 2,
      cell: ({ user_id, name, email }) => (
        <>
          <bdi className={styles.text}>{name}</bdi>
          {user_id === ownId && ' (you)'}
          <span className={styles.second}>{email}</span>
        </>
      ),
    },
    {
      key: 'role',
      header: 'Role',
      lines: 2,
      cell: member => {
        const offered = offeredRoles(organisation.role)
        if (!mayManage(organisation.role, member.role) || !offered.length)
          return <Badge>{memberRoleLabel(member.role)}</Badge>
        const last = isLastOwner(member)
        return (
          <div className={styles.role}>
            <Select
              label={`Role of ${member.name}`}
              labelHidden
              options={offered.map(role => ({ value: role, label: memberRoleLabel(role) }))}
              value={member.role}
              disabled={last || inactive !== undefined || change.isPending}
              help={last ? LAST_OWNER : undefined}
              onChange={event => {
                const role = offered.find(each => each === event.target.value)
                if (!role) return
                // A member who gives up a role cannot take it back.
                if (member.user_id === ownId) setDemoting({ member, role })
                else change.mutate({ member, role })
              }}
            />
          </div>
        )
      },
    },
    {
      key: 'joined',
      header: 'Joined',
      nowrap: true,
      cell: ({ joined_at }) => <time dateTime={joined_at}>{formatShortDate(joined_at)}</time>,
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      nowrap: true,
      cell: member => {
        const isOwn = member.user_id === ownId
        if (!isOwn && !mayManage(organisation.role, member.role)) return null
        return (
          <Button
            variant="quiet"
            size="sm"
            icon={isOwn ? LogOut : UserMinus}
            disabledReason={isLastOwner(member) ? LAST_OWNER : isOwn ? undefined : inactive}
            aria-label={isOwn ? 'Leave the organisation' : `Remove ${member.name}`}
            onClick={() => setLeaving(member)}
          >
            {isOwn ? 'Leave' : 'Remove'}
          </Button>
        )
      },
    },
  ]

  return (
    <>
      <Table
        caption="Members"
        captionHidden
        columns={may(organisation.role, 'members') || !loading ? columns : columns.slice(0, 3)}
        rows={members}
        rowKey={({ user_id }) => user_id}
        loading={loading}
        skeletonRows={3}
      />
      <LeaveDialog
        member={leaving}
        isOwn={leaving?.user_id === ownId}
        organisation={organisation.name}
        busy={remove.isPending}
        onConfirm={remove.mutate}
        onCancel={() => setLeaving(undefined)}
      />
      <DemoteDialog
        role={demoting?.role}
        busy={change.isPending}
        onConfirm={() => demoting && change.mutate(demoting)}
        onCancel={() => setDemoting(undefined)}
      />
    </>
  )
}
