import type { Member, MemberRole, OwnOrganisation } from '@portal/contract/organisation-shapes'
import { may } from '@portal/rules/organisations'
import { useSession } from '@portal/session/store'
import { Table } from '@portal/ui/table'
import { useState } from 'react'
import { memberColumns } from './member-columns.tsx'
import { DemoteDialog, LeaveDialog } from './member-dialogs.tsx'
import { useMemberChanges } from './use-member-changes.ts'

interface Props {
  organisation: OwnOrganisation
  members: readonly Member[] | undefined
  loading: boolean
}

/** A table of members with their roles, which owners and managers can change. */
export function MemberTable({ organisation, members, loading }: Props) {
  const ownUserId = useSession(session => session.user?.id)
  const [leaving, setLeaving] = useState<Member>()
  const [demoting, setDemoting] = useState<{ member: Member; role: MemberRole }>()
  const { change, remove } = useMemberChanges({
    id: organisation.id,
    ownUserId,
    onRoleSettled: () => setDemoting(undefined),
    onRemoveSettled: () => setLeaving(undefined),
  })
  const owners = members?.filter(({ role }) => role === 'owner').length ?? 0
  const columns = memberColumns({
    organisation,
    ownUserId,
    isLastOwner: member => member.role === 'owner' && owners === 1,
    busy: change.isPending,
    onRoleChange: (member, role) => {
      // Members who change their own role cannot change it back, so they must confirm this.
      if (member.user_id === ownUserId) setDemoting({ member, role })
      else change.mutate({ member, role })
    },
    onRemove: setLeaving,
  })

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
        isSelf={leaving?.user_id === ownUserId}
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
