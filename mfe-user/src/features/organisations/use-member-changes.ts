import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import type { Member, MemberRole } from '@portal/contract/organisation-shapes'
import { useNavigate } from '@portal/router'
import { showToast } from '@portal/ui/toast-store'
import { useMutation } from '@tanstack/react-query'
import { members } from '../../parts/organisation-endpoints.ts'
import { organisationsPath } from '../../parts/organisation-paths.ts'
import { useRefreshOrganisations } from '../../parts/use-refresh-organisations.ts'

interface Options {
  /** The organisation's ID. */
  id: string
  /** The ID of the user: users who leave are taken to the list of organisations. */
  ownUserId: string | undefined
  onRoleSettled: () => void
  onRemoveSettled: () => void
}

/** Returns functions that change a member's role or remove the member, and show a toast with the result. */
export function useMemberChanges({ id, ownUserId, onRoleSettled, onRemoveSettled }: Options) {
  const refresh = useRefreshOrganisations()
  const navigate = useNavigate()
  const onError = (error: unknown) => showToast({ tone: 'danger', message: messageOf(error) })
  const change = useMutation({
    mutationFn: ({ member, role }: { member: Member; role: MemberRole }) =>
      call(members.changeRole, { params: { id, user_id: member.user_id }, body: { role } }),
    onSuccess: ({ message }) => showToast({ tone: 'success', message }),
    onError,
    onSettled: () => {
      onRoleSettled()
      return refresh()
    },
  })
  const remove = useMutation({
    mutationFn: (member: Member) => call(members.remove, { params: { id, user_id: member.user_id } }),
    onSuccess: ({ message }, member) => {
      showToast({ tone: 'success', message })
      if (member.user_id === ownUserId) void navigate(organisationsPath)
    },
    onError,
    onSettled: (_, error, member) => {
      onRemoveSettled()
      return refresh({ hasLeft: !error && member.user_id === ownUserId })
    },
  })
  return { change, remove }
}
