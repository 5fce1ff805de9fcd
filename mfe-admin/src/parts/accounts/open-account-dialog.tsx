import type { AdminUser } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { lazy, Suspense } from 'react'
import type { CreateBody, EditBody } from './account-forms.ts'
import { getAllowedActions, type Viewer } from './allowed-actions.ts'
import { ConfirmEnabledChange, ConfirmRoleChange } from './confirm-change.tsx'
import type { AccountAction } from './use-accounts.ts'

// Loaded lazily, so that the page does not wait for the code of the forms and their validation.
const AccountDialog = lazy(() => import('./account-dialog.tsx'))

export type AccountDialogState =
  | { kind: 'add' }
  | { kind: 'edit' | 'reset-authenticator' | 'data'; account: AdminUser }
  | { kind: 'toggle'; account: AdminUser }
  | { kind: 'role'; account: AdminUser; role: Role }

/** The titles of the dialogs, shown while the forms load. */
const dialogTitles = {
  edit: 'Edit User',
  'reset-authenticator': 'Reset the authenticator app?',
  data: 'Personal data',
} as const

interface Props {
  open: AccountDialogState
  /** The account list to which the drafts belong, such as `user`. */
  draftList: string
  addLabel: string
  newRoles: readonly Role[]
  viewer: Viewer
  /** True while an action is running. */
  busy: boolean
  onCreate: (body: CreateBody) => Promise<void>
  onEdit: (account: AdminUser, body: EditBody) => Promise<void>
  onAction: (action: AccountAction) => void
  onResetAuthenticator: (account: AdminUser, message: string) => void
  onPersonalData: (account: AdminUser) => void
  onClose: () => void
}

/** The open dialog of an account list or an account's page: a form or a confirmation. */
export function OpenAccountDialog(props: Props) {
  const { open, busy, onAction, onClose } = props
  switch (open.kind) {
    case 'toggle':
      return (
        <ConfirmEnabledChange
          account={open.account}
          busy={busy}
          onConfirm={() => onAction({ kind: 'toggle', account: open.account })}
          onCancel={onClose}
        />
      )
    case 'role':
      return (
        <ConfirmRoleChange
          account={open.account}
          role={open.role}
          busy={busy}
          onConfirm={() => onAction({ kind: 'role', account: open.account, role: open.role })}
          onCancel={onClose}
        />
      )
    default:
      return (
        <Suspense
          fallback={
            <DialogLoading
              title={open.kind === 'add' ? props.addLabel : dialogTitles[open.kind]}
              size={open.kind === 'add' ? 'lg' : undefined}
              onClose={onClose}
            />
          }
        >
          <OpenForm {...props} open={open} />
        </Suspense>
      )
  }
}

function OpenForm({
  open,
  ...props
}: Props & { open: Exclude<AccountDialogState, { kind: 'toggle' | 'role' }> }) {
  const { draftList, viewer, onClose } = props
  const isSuperAdmin = viewer.role === 'super_admin'
  switch (open.kind) {
    case 'add':
      return (
        <AccountDialog
          kind="add"
          draftList={draftList}
          title={props.addLabel}
          roles={isSuperAdmin ? props.newRoles : []}
          onSave={props.onCreate}
          onClose={onClose}
        />
      )
    case 'edit':
      return (
        <AccountDialog
          kind="edit"
          draftList={draftList}
          account={open.account}
          canChangeRole={getAllowedActions(viewer, open.account).role}
          onPersonalData={isSuperAdmin ? () => props.onPersonalData(open.account) : undefined}
          onSave={props.onEdit}
          onClose={onClose}
        />
      )
    case 'reset-authenticator':
      return (
        <AccountDialog
          kind="reset-authenticator"
          account={open.account}
          onDone={message => props.onResetAuthenticator(open.account, message)}
          onClose={onClose}
        />
      )
    case 'data':
      return <AccountDialog kind="data" account={open.account} onClose={onClose} />
  }
}
