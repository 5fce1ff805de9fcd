import { LoadFailure } from '@portal/account-ui/load-failure'
import { q } from '@portal/api/query'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { may } from '@portal/rules/organisations'
import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { members } from '../../parts/organisation-endpoints.ts'
import { inactiveReason, OrganisationFrame } from './frame.tsx'
import { InvitationTable } from './invitation-table.tsx'
import { MemberTable } from './member-table.tsx'

const InviteDialog = lazy(() => import('./invite-dialog.tsx'))

/** Page with the members of an organisation and, for owners and managers, its pending invitations. */
export default function MembersPage() {
  const [inviting, setInviting] = useState(false)
  return (
    <OrganisationFrame
      section="members"
      title="Members"
      action={organisation =>
        may(organisation.role, 'members') && (
          <Button
            variant="primary"
            icon={UserPlus}
            disabledReason={inactiveReason(organisation)}
            onClick={() => setInviting(true)}
          >
            Invite
          </Button>
        )
      }
    >
      {organisation => (
        <>
          <Members organisation={organisation} />
          {inviting && (
            <Suspense fallback={<DialogLoading title="Invite a Member" onClose={() => setInviting(false)} />}>
              <InviteDialog organisation={organisation} onClose={() => setInviting(false)} />
            </Suspense>
          )}
        </>
      )}
    </OrganisationFrame>
  )
}

function Members({ organisation }: { organisation: OwnOrganisation }) {
  // Refetches a cached list, because invited people can join at any time.
  const list = useQuery({ ...q(members.list, { params: { id: organisation.id } }), staleTime: 0 })
  if (list.isError && !list.data) return <LoadFailure title="The members could not be loaded" query={list} />
  return (
    <>
      <MemberTable organisation={organisation} members={list.data?.members} loading={list.isPending} />
      {may(organisation.role, 'members') && list.data && (
        <InvitationTable organisation={organisation} invitations={list.data.invitations} />
      )}
    </>
  )
}
