import type { Member, MemberRole } from '@portal/contract/organisation-shapes'
import { memberRoleLabel, memberRoleMeanings } from '@portal/format/organisations'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'

interface LeaveProps {
  /** The member to remove; undefined while the dialog is closed. */
  member: Member | undefined
  /** True if the member is the user, who then leaves. */
  isSelf: boolean
  organisation: string
  busy: boolean
  onConfirm: (member: Member) => void
  onCancel: () => void
}

/** Dialog that asks for confirmation before a member leaves or is removed. */
export function LeaveDialog({ member, isSelf, organisation, busy, onConfirm, onCancel }: LeaveProps) {
  return (
    <ConfirmDialog
      open={member !== undefined}
      title={isSelf ? `Leave ${organisation}?` : `Remove ${member?.name}?`}
      confirmLabel={isSelf ? 'Leave' : 'Remove'}
      busy={busy}
      onConfirm={() => member && onConfirm(member)}
      onCancel={onCancel}
    >
      {isSelf
        ? 'You lose access to its history, letters and balance. To return, you need a new invitation.'
        : 'They lose access immediately. Verifications they requested and batches they started stay with the organisation.'}
    </ConfirmDialog>
  )
}

interface DemoteProps {
  /** The new role; undefined while the dialog is closed. */
  role: MemberRole | undefined
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Dialog that asks for confirmation before members give up their own role. */
export function DemoteDialog({ role, busy, onConfirm, onCancel }: DemoteProps) {
  return (
    <ConfirmDialog
      open={role !== undefined}
      title={`Change your own role to ${role ? memberRoleLabel(role).toLowerCase() : ''}?`}
      confirmLabel="Change my role"
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {role && memberRoleMeanings[role]} Only another member can give you your current role back.
    </ConfirmDialog>
  )
}
