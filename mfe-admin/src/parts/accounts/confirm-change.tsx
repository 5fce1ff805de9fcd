import type { AdminUser } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { fullName } from '@portal/format/text'
import { roleLabel } from '@portal/session/roles'
import { ConfirmDialog } from '@portal/ui/confirm-dialog'
import styles from './accounts.module.css'

interface Props {
  account: AdminUser
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before an account is disabled or enabled, naming it and what follows. */
export function ConfirmToggle({ account, ...rest }: Props) {
  return account.is_enabled ? (
    <ConfirmDialog open title="Disable this user?" confirmLabel="Disable" {...rest}>
      <p className={styles.facts}>
        {fullName(account)} ({account.email}) is logged out at once and cannot log in until enabled again.
      </p>
    </ConfirmDialog>
  ) : (
    <ConfirmDialog open title="Enable this user?" confirmLabel="Enable" danger={false} {...rest}>
      <p className={styles.facts}>
        {fullName(account)} ({account.email}) can log in again.
      </p>
    </ConfirmDialog>
  )
}

const follows: Record<Role, string> = {
  user: 'They keep their own verifications and lose every administration screen.',
  admin: 'They can manage users, certificates, the fee and the reports.',
  super_admin: 'They can do everything, including to change the role of any other account, also yours.',
}

/** Asks before a role is given, saying what it opens or closes. */
export function ConfirmRole({ account, role, ...rest }: Props & { role: Role }) {
  return (
    <ConfirmDialog
      open
      title={`Change the role to ${roleLabel(role)}?`}
      confirmLabel="Change role"
      danger={role !== 'user'}
      {...rest}
    >
      <p className={styles.facts}>
        {fullName(account)} ({account.email}) is {roleLabel(account.role)} now. {follows[role]} It takes
        effect at once.
      </p>
    </ConfirmDialog>
  )
}
