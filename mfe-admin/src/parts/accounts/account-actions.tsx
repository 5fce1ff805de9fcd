import type { AdminUser } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { fullName } from '@portal/format/text'
import { Button } from '@portal/ui/button'
import { Select } from '@portal/ui/select'
import { Ban, CircleCheck, MailCheck, Pencil, Send, ShieldOff } from 'lucide-react'
import { allRoles, getAllowedActions, roleOptions, type Viewer } from './allowed-actions.ts'
import type { AccountAction } from './use-accounts.ts'

/** The actions for one account, in the list and on the account's page. */
export interface AccountControls {
  viewer: Viewer
  runningAction: AccountAction | undefined
  onEdit: (account: AdminUser) => void
  onToggleEnabled: (account: AdminUser) => void
  onResetAuthenticator: (account: AdminUser) => void
  onRoleChange: (account: AdminUser, role: Role) => void
  onAction: (action: AccountAction) => void
}

type Props = AccountControls & { account: AdminUser }

/** Lets super admins select an account's role. */
export function RoleSelect({ account, onRoleChange }: Pick<Props, 'account' | 'onRoleChange'>) {
  return (
    <Select
      label={`Role of ${fullName(account)}`}
      labelHidden
      options={roleOptions(allRoles)}
      value={account.role}
      onChange={({ target }) => {
        const chosen = allRoles.find(role => role === target.value)
        if (chosen) onRoleChange(account, chosen)
      }}
    />
  )
}

/** Buttons that verify the address or resend the verification email. */
export function VerifyButtons({
  account,
  runningAction,
  onAction,
}: Pick<Props, 'account' | 'runningAction' | 'onAction'>) {
  const name = fullName(account)
  const isBusy = (kind: AccountAction['kind']) =>
    runningAction?.kind === kind && runningAction.account.id === account.id
  return (
    <>
      <Button
        size="sm"
        variant="quiet"
        icon={MailCheck}
        aria-label={`Verify email of ${name}`}
        busy={isBusy('verify')}
        onClick={() => onAction({ kind: 'verify', account })}
      >
        Verify
      </Button>
      <Button
        size="sm"
        variant="quiet"
        icon={Send}
        aria-label={`Resend verification email to ${name}`}
        busy={isBusy('resend')}
        onClick={() => onAction({ kind: 'resend', account })}
      >
        Resend
      </Button>
    </>
  )
}

/** Returns the actions that the viewer may take: edit, disable or enable, and reset the authenticator app. */
export function listAccountActions({
  account,
  viewer,
  onEdit,
  onToggleEnabled,
  onResetAuthenticator,
}: Props) {
  const allowedActions = getAllowedActions(viewer, account)
  const verb = account.is_enabled ? 'Disable' : 'Enable'
  return [
    {
      key: 'edit',
      isAllowed: allowedActions.edit,
      label: 'Edit',
      icon: Pencil,
      onClick: () => onEdit(account),
    },
    {
      // The key is the same for both actions, so that the button keeps the focus.
      key: 'toggle',
      isAllowed: allowedActions.toggle,
      label: verb,
      icon: account.is_enabled ? Ban : CircleCheck,
      onClick: () => onToggleEnabled(account),
    },
    {
      key: 'reset-authenticator',
      isAllowed: allowedActions.resetAuthenticator,
      label: 'Reset authenticator',
      icon: ShieldOff,
      onClick: () => onResetAuthenticator(account),
    },
  ].filter(({ isAllowed }) => isAllowed)
}
