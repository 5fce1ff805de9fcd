import { messageOf } from '@portal/api/error'
import type { AdminUser } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { viewRole } from '@portal/session/roles'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { showToast } from '@portal/ui/toast-store'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { showUndo } from '../undo.tsx'
import type { CreateBody, EditBody } from './account-forms.ts'
import styles from './accounts.module.css'
import { ConfirmRole, ConfirmToggle } from './confirm-change.tsx'
import { offersFor, type Viewer } from './offers.ts'
import {
  type AccountAction,
  oppositeOf,
  useAccountAction,
  useCreateAccount,
  useEditAccount,
} from './use-accounts.ts'

// Forms are lazy because they load their validation; the page does not wait for them.
const AccountDialog = lazy(() => import('./account-dialog.tsx'))

type Open =
  | { kind: 'add' }
  | { kind: 'edit' | 'toggle' | 'reset-app' | 'data'; account: AdminUser }
  | { kind: 'role'; account: AdminUser; role: Role }

/** Dialog titles, shown while the forms load. */
const dialogTitles: Partial<Record<Open['kind'], string>> = {
  edit: 'Edit User',
  'reset-app': 'Reset the authenticator app?',
  data: 'Personal data',
}

/** Frames to wait for the refetched data to render, also on a slow machine. */
const FRAMES = 30

/** Focuses the row after an action removed its button, or the heading if the row is gone. */
function keepFocus({ id }: Pick<AdminUser, 'id'>, frames = FRAMES) {
  requestAnimationFrame(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) {
      const row = document.querySelector<HTMLElement>(`[data-account="${CSS.escape(id)}"]`)
      const heading = document.querySelector<HTMLElement>('[data-page-title]')
      ;(row ?? heading)?.focus()
    } else if (frames > 0) keepFocus({ id }, frames - 1)
  })
}

interface Options {
  /** The account list that drafts belong to, in the singular. */
  listed: string
  /** For lists that can add accounts: the dialog's title, and the roles a super admin can give, the default first. */
  addLabel?: string
  newRoles?: readonly Role[]
  onCreated?: () => void
}

/** What can be done with accounts, with dialogs, toasts and undo; the same on the list and on an account's page. */
export function useAccountDialogs({ listed, addLabel = '', newRoles = [], onCreated }: Options) {
  const [open, setOpen] = useState<Open>()
  const [failure, setFailure] = useState<string>()
  const create = useCreateAccount()
  const edit = useEditAccount()
  const action = useAccountAction()
  const alert = useRef<HTMLDivElement>(null)
  const me = useSession(({ user }) => user)
  const viewer: Viewer = { id: me?.id, role: viewRole(me?.role) }
  const close = () => setOpen(undefined)

  useEffect(() => {
    if (failure !== undefined) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [failure])

  function act(next: AccountAction) {
    setFailure(undefined)
    action.mutate(next, {
      onSuccess: ({ message, user }) => {
        const back = oppositeOf(next, user)
        if (back) showUndo({ message, undo: async () => (await action.mutateAsync(back)).message })
        else showToast({ tone: 'success', message })
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

  async function onEdit(account: AdminUser, body: EditBody) {
    const { message = 'User updated successfully' } = await edit.mutateAsync({ account, body })
    close()
    showToast({ tone: 'success', message })
    keepFocus(account)
  }

  const alerts: ReactNode = (
    <div ref={alert} className={styles.failure}>
      {failure !== undefined && (
        <Alert tone="danger" onDismiss={() => setFailure(undefined)}>
          {failure}
        </Alert>
      )}
    </div>
  )
  const dialogs: ReactNode = (
    <>
      <Suspense
        fallback={
          open && (
            <DialogLoading
              title={open.kind === 'add' ? addLabel : (dialogTitles[open.kind] ?? '')}
              size={open.kind === 'add' ? 'lg' : undefined}
              onClose={close}
            />
          )
        }
      >
        {open?.kind === 'add' && (
          <AccountDialog
            kind="add"
            listed={listed}
            title={addLabel}
            roles={viewer.role === 'super_admin' ? newRoles : []}
            onSave={onCreate}
            onClose={close}
          />
        )}
        {open?.kind === 'edit' && (
          <AccountDialog
            kind="edit"
            listed={listed}
            account={open.account}
            withRole={offersFor(viewer, open.account).role}
            onPersonalData={
              viewer.role === 'super_admin'
                ? () => setOpen({ kind: 'data', account: open.account })
                : undefined
            }
            onSave={onEdit}
            onClose={close}
          />
        )}
        {open?.kind === 'reset-app' && (
          <AccountDialog
            kind="reset-app"
            account={open.account}
            onDone={message => {
              close()
              showToast({ tone: 'success', message })
              keepFocus(open.account)
            }}
            onClose={close}
          />
        )}
        {open?.kind === 'data' && <AccountDialog kind="data" account={open.account} onClose={close} />}
      </Suspense>
      {open?.kind === 'toggle' && (
        <ConfirmToggle
          account={open.account}
          busy={action.isPending}
          onConfirm={() => act({ kind: 'toggle', account: open.account })}
          onCancel={close}
        />
      )}
      {open?.kind === 'role' && (
        <ConfirmRole
          account={open.account}
          role={open.role}
          busy={action.isPending}
          onConfirm={() => act({ kind: 'role', account: open.account, role: open.role })}
          onCancel={close}
        />
      )}
    </>
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
      busy: action.isPending ? action.variables : undefined,
      onEdit: (account: AdminUser) => setOpen({ kind: 'edit', account }),
      onToggle: (account: AdminUser) => setOpen({ kind: 'toggle', account }),
      onResetApp: (account: AdminUser) => setOpen({ kind: 'reset-app', account }),
      onRole: (account: AdminUser, role: Role) => setOpen({ kind: 'role', account, role }),
      onAct: act,
    },
  }
}
