import type { Member, MemberRole, OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatShortDate } from '@portal/format/dates'
import { memberRoleLabel } from '@portal/format/organisations'
import { mayManage } from '@portal/rules/organisations'
import { Badge } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { Select } from '@portal/ui/select'
import type { Column } from '@portal/ui/table'
import { LogOut, UserMinus } from 'lucide-react'
import { inactiveReason } from './frame.tsx'
import styles from './organisations.module.css'
import { offeredRoles } from './roles.ts'

const LAST_OWNER = 'An organisation needs at least one owner.'

interface Options {
  organisation: OwnOrganisation
  ownUserId: string | undefined
  isLastOwner: (member: Member) => boolean
  busy: boolean
  onRoleChange: (member: Member, role: MemberRole) => void
  onRemove: (member: Member) => void
}

/** Returns the columns of the members, with the controls that the user may use. */
export function memberColumns(options: Options): Column<Member>[] {
  return [
    {
      key: 'name',
      header: 'Member',
      rowHeader: true,
      lines: 2,
      cell: ({ user_id, name, email }) => (
        <>
          <bdi className={styles.text}>{name}</bdi>
          {user_id === options.ownUserId && ' (you)'}
          <span className={styles.second}>{email}</span>
        </>
      ),
    },
    {
      key: 'role',
      header: 'Role',
      lines: 2,
      cell: member => <MemberRoleField member={member} {...options} />,
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
      cell: member => <RemoveButton member={member} {...options} />,
    },
  ]
}

type FieldProps = Options & { member: Member }

function MemberRoleField({ member, organisation, isLastOwner, busy, onRoleChange }: FieldProps) {
  const assignableRoles = offeredRoles(organisation.role)
  if (!mayManage(organisation.role, member.role) || !assignableRoles.length)
    return <Badge>{memberRoleLabel(member.role)}</Badge>
  const isLast = isLastOwner(member)
  return (
    <div className={styles.role}>
      <Select
        label={`Role of ${member.name}`}
        labelHidden
        options={assignableRoles.map(role => ({ value: role, label: memberRoleLabel(role) }))}
        value={member.role}
        disabled={isLast || inactiveReason(organisation) !== undefined || busy}
        help={isLast ? LAST_OWNER : undefined}
        onChange={event => {
          const role = assignableRoles.find(item => item === event.target.value)
          if (role) onRoleChange(member, role)
        }}
      />
    </div>
  )
}

function RemoveButton({ member, organisation, ownUserId, isLastOwner, onRemove }: FieldProps) {
  const isSelf = member.user_id === ownUserId
  if (!isSelf && !mayManage(organisation.role, member.role)) return null
  return (
    <Button
      variant="quiet"
      size="sm"
      icon={isSelf ? LogOut : UserMinus}
      disabledReason={isLastOwner(member) ? LAST_OWNER : isSelf ? undefined : inactiveReason(organisation)}
      aria-label={isSelf ? 'Leave the organisation' : `Remove ${member.name}`}
      onClick={() => onRemove(member)}
    >
      {isSelf ? 'Leave' : 'Remove'}
    </Button>
  )
}
