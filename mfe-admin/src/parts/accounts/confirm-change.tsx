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

/** An account's name and email address. The text direction of each does not affect the other or the text around them. */
export const NameAndEmail = ({ account }: Pick<Props, 'account'>) => (
  <>
    <bdi>{fullName(account)}</bdi> (<bdi>{account.email}</bdi>)
  </>
)

/** Dialog that asks for confirmation before an account is enabled or disabled, naming the consequences. */
export function ConfirmEnabledChange({ account, ...rest }: Props) {
  return account.is_enabled ? (
    <ConfirmDialog open title="Disable this user?" confirmLabel="Disable" {...rest}>
      <p className={styles.facts}>
        <NameAndEmail account={account} /> is logged out immediately and cannot log in until enabled again.
      </p>
    </ConfirmDialog>
  ) : (
    <ConfirmDialog open title="Enable this user?" confirmLabel="Enable" danger={false} {...rest}>
      <p className={styles.facts}>
        <NameAndEmail account={account} /> can log in again.
      </p>
    </ConfirmDialog>
  )
}

const roleConsequences: Record<Role, string> = {
  user: 'They keep their own verifications and lose access to every administration screen.',
  admin: 'They can manage users, certificates, the fee and reports.',
  super_admin: 'They can do everything, including changing your role.',
}

/** Dialog that asks for confirmation before a role changes, naming the permissions gained or lost. */
export function ConfirmRoleChange({ account, role, ...rest }: Props & { role: Role }) {
  return (
    <ConfirmDialog
      open
      title={`Change the role to ${roleLabel(role)}?`}
      confirmLabel="Change role"
      danger={role !== 'user'}
      {...rest}
    >
      <p className={styles.facts}>
        <NameAndEmail account={account} /> is currently {roleLabel(account.role)}. {roleConsequences[role]}{' '}
        This takes effect immediately.
      </p>
    </ConfirmDialog>
  )
}
