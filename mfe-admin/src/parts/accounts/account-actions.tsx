import type { AdminUser } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { fullName } from '@portal/format/text'
import { Button } from '@portal/ui/button'
import { Select } from '@portal/ui/select'
import { Ban, CircleCheck, MailCheck, Pencil, Send, ShieldOff } from 'lucide-react'
import { allRoles, getOffers, roleOptions, type Viewer } from './offers.ts'
import type { AccountAction } from './use-accounts.ts'

/** The actions for one account, in the list and on the account's page. */
export interface AccountControls {
  viewer: Viewer
  runningAction: AccountAction | undefined
  onEdit: (account: AdminUser) => void
  onToggle: (account: AdminUser) => void
  onResetAuthenticator: (account: AdminUser) => void
  onRoleChange: (account: AdminUser, role: Role) => void
  onAction: (action: AccountAction) => void
}

type Props = AccountControls & { account: AdminUser }

/** Select element for the role, for super admins. */
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

/** Returns the actions that the viewer is offered: edit, disable or enable, and reset the authenticator app. */
export function listAccountActions({ account, viewer, onEdit, onToggle, onResetAuthenticator }: Props) {
  const offers = getOffers(viewer, account)
  const verb = account.is_enabled ? 'Disable' : 'Enable'
  return [
    { key: 'edit', offered: offers.edit, label: 'Edit', icon: Pencil, onClick: () => onEdit(account) },
    {
      // The key is the same for both actions, so that the button keeps the focus.
      key: 'toggle',
      offered: offers.toggle,
      label: verb,
      icon: account.is_enabled ? Ban : CircleCheck,
      onClick: () => onToggle(account),
    },
    {
      key: 'reset-app',
      offered: offers.resetAuthenticator,
      label: 'Reset authenticator',
      icon: ShieldOff,
      onClick: () => onResetAuthenticator(account),
    },
  ].filter(({ offered }) => offered)
}
