import { messageOf } from '@portal/api/error'
import type { AdminUser } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { dashboardRole } from '@portal/session/roles'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { showToast } from '@portal/ui/toast-store'
import { useEffect, useRef, useState } from 'react'
import { showUndo } from '../undo.tsx'
import type { CreateBody, EditBody } from './account-forms.ts'
import styles from './accounts.module.css'
import type { Viewer } from './allowed-actions.ts'
import { type AccountDialogState, OpenAccountDialog } from './open-account-dialog.tsx'
import {
  type AccountAction,
  getOppositeAction,
  useAccountAction,
  useCreateAccount,
  useEditAccount,
} from './use-accounts.ts'

/** Number of frames to wait until the refetched data is rendered, even on a slow machine. */
const MAX_FRAMES = 30

/** Focuses the row whose button an action removed, or the heading if the row is gone. */
function keepFocus({ id }: Pick<AdminUser, 'id'>, framesLeft = MAX_FRAMES) {
  requestAnimationFrame(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) {
      const row = document.querySelector<HTMLElement>(`[data-account="${CSS.escape(id)}"]`)
      const heading = document.querySelector<HTMLElement>('[data-page-title]')
      ;(row ?? heading)?.focus()
    } else if (framesLeft > 0) keepFocus({ id }, framesLeft - 1)
  })
}

const buildToastKey = ({ id }: Pick<AdminUser, 'id'>) => `account-${id}`

interface Options {
  /** The account list to which the drafts belong, such as `user`. */
  draftList: string
  /**
   * For lists to which accounts can be added: the dialog's title, and the roles that a super admin can give. The first is the
   * default.
   */
  addLabel?: string
  newRoles?: readonly Role[]
  onCreated?: () => void
}

/** Returns actions on accounts, with their dialogs, toasts and undo; used by the list and by an account's page. */
export function useAccountDialogs({ draftList, addLabel = '', newRoles = [], onCreated }: Options) {
  const [open, setOpen] = useState<AccountDialogState>()
  const [failure, setFailure] = useState<string>()
  const create = useCreateAccount()
  const edit = useEditAccount()
  const action = useAccountAction()
  const alertRef = useRef<HTMLDivElement>(null)
  const currentUser = useSession(({ user }) => user)
  const viewer: Viewer = { id: currentUser?.id, role: dashboardRole(currentUser?.role) }
  const close = () => setOpen(undefined)

  useEffect(() => {
    if (failure !== undefined) alertRef.current?.scrollIntoView({ block: 'nearest' })
  }, [failure])

  function runAction(next: AccountAction) {
    setFailure(undefined)
    action.mutate(next, {
      onSuccess: ({ message, user }) => {
        const opposite = getOppositeAction(next, user)
        const key = buildToastKey(next.account)
        if (opposite)
          showUndo({ key, message, undo: async () => (await action.mutateAsync(opposite)).message })
        else showToast({ tone: 'success', message, key })
      },
      onError: error => setFailure(messageOf(error)),
      onSettled: () => {
        close()
        keepFocus(next.account)
      },
    })
  }

  async function onCreate(body: CreateBody) {
    const { message = 'User created successfully.' } = await create.mutateAsync(body)
    close()
    showToast({ tone: 'success', message })
    onCreated?.()
  }

  function onChanged(message: string, account: AdminUser) {
    close()
    showToast({ tone: 'success', message, key: buildToastKey(account) })
    keepFocus(account)
  }

  async function onEdit(account: AdminUser, body: EditBody) {
    const { message = 'User updated successfully' } = await edit.mutateAsync({ account, body })
    onChanged(message, account)
  }

  const alerts = (
    <div ref={alertRef} className={styles.failure}>
      {failure !== undefined && (
        <Alert tone="danger" onDismiss={() => setFailure(undefined)}>
          {failure}
        </Alert>
      )}
    </div>
  )
  const dialogs = open && (
    <OpenAccountDialog
      open={open}
      draftList={draftList}
      addLabel={addLabel}
      newRoles={newRoles}
      viewer={viewer}
      busy={action.isPending}
      onCreate={onCreate}
      onEdit={onEdit}
      onAction={runAction}
      onResetAuthenticator={(account, message) => onChanged(message, account)}
      onPersonalData={account => setOpen({ kind: 'data', account })}
      onClose={close}
    />
  )

  return {
    viewer,
    isOpen: open !== undefined,
    alerts,
    dialogs,
    add: () => setOpen({ kind: 'add' }),
    /** Props of an account's controls. */
    controls: {
      viewer,
      runningAction: action.isPending ? action.variables : undefined,
      onEdit: (account: AdminUser) => setOpen({ kind: 'edit', account }),
      onToggleEnabled: (account: AdminUser) => setOpen({ kind: 'toggle', account }),
      onResetAuthenticator: (account: AdminUser) => setOpen({ kind: 'reset-authenticator', account }),
      onRoleChange: (account: AdminUser, role: Role) => setOpen({ kind: 'role', account, role }),
      onAction: runAction,
    },
  }
}
