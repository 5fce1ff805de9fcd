import { ListScreen } from '@portal/account-ui/list-screen'
import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import type { AdminUser } from '@portal/contract/admin-users'
import { MOST_ACCOUNTS_COUNTED } from '@portal/contract/list-limits'
import type { Role } from '@portal/contract/shapes'
import type { ListedDraft } from '@portal/drafts/store'
import { UnsentDrafts } from '@portal/drafts/unsent-drafts'
import { useSearchParams } from '@portal/router'
import { viewRole } from '@portal/session/roles'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { showToast } from '@portal/ui/toast-store'
import { UserPlus, UserSearch } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { accountDrafts } from '../draft-forms.ts'
import { showUndo } from '../undo.tsx'
import { AccountFilters } from './account-filters.tsx'
import type { CreateBody, EditBody } from './account-forms.ts'
import { AccountTable } from './account-table.tsx'
import styles from './accounts.module.css'
import { ConfirmRole, ConfirmToggle } from './confirm-change.tsx'
import { accounts } from './endpoints.ts'
import { everything, isFiltered, type ListParams, readListParams, writeListParams } from './list-params.ts'
import { offersFor } from './offers.ts'
import {
  type AccountAction,
  oppositeOf,
  useAccountAction,
  useAccounts,
  useCreateAccount,
  useEditAccount,
} from './use-accounts.ts'

// Forms are lazy because they bring their validation; the list does not wait for them.
const AccountDialog = lazy(() => import('./account-dialog.tsx'))

type Open =
  | { kind: 'add' }
  | { kind: 'edit' | 'toggle' | 'reset-app' | 'data'; account: AdminUser }
  | { kind: 'role'; account: AdminUser; role: Role }

export interface AccountScreenProps {
  title: string
  description: string
  /** Label of the add button, dialog title and submit button, e.g. 'Add User'. */
  addLabel: string
  /** Singular and plural of the listed accounts. */
  noun: readonly [one: string, several: string]
  /** Limits the list to these roles. */
  roles: readonly Role[]
  /** Roles a super admin can give a new account, the default first. */
  newRoles: readonly Role[]
}

/** Dialog titles, shown while the forms load. */
const dialogTitles: Partial<Record<Open['kind'], string>> = {
  edit: 'Edit User',
  'reset-app': 'Reset the authenticator app?',
  data: 'Personal data',
}

/** Frames to wait for the refetched list to render, also on a slow machine. */
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

/** List of accounts: search and filters in the URL; add, edit, enable, disable, verify, change roles. */
export function AccountScreen(props: AccountScreenProps) {
  const { title, description, addLabel, noun, roles, newRoles } = props
  const [address, setAddress] = useSearchParams()
  const params = readListParams(address, roles)
  const [open, setOpen] = useState<Open>()
  const [failure, setFailure] = useState<string>()
  const list = useAccounts(params, roles)
  const create = useCreateAccount()
  const edit = useEditAccount()
  const action = useAccountAction()
  const alert = useRef<HTMLDivElement>(null)
  const me = useSession(({ user }) => user)
  const viewer = { id: me?.id, role: viewRole(me?.role) }
  const { users = [], pagination } = list.data ?? {}
  const show = (next: Partial<ListParams>, replace = false) =>
    setAddress(writeListParams({ ...params, ...next }), { replace })

  useEffect(() => {
    if (failure !== undefined) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [failure])

  function act(next: AccountAction) {
    setFailure(undefined)
    action.mutate(next, {
      onSuccess: ({ message }) => {
        const back = oppositeOf(next)
        if (back) showUndo({ message, undo: async () => (await action.mutateAsync(back)).message })
        else showToast({ tone: 'success', message })
      },
      onError: error => setFailure(messageOf(error)),
      onSettled: () => {
        setOpen(undefined)
        keepFocus(next.account)
      },
    })
  }

  async function continueDraft({ about, find }: ListedDraft) {
    if (about === '') return setOpen({ kind: 'add' })
    const reply = await call(accounts.list, { query: { search: find, role: roles.join(',') } })
    const account = reply.users.find(({ id }) => id === about)
    if (!account) throw new Error('This account is no longer in the list, or its email address has changed.')
    setOpen({ kind: 'edit', account })
  }

  async function onCreate(body: CreateBody) {
    const { message = 'User created successfully.' } = await create.mutateAsync(body)
    setOpen(undefined)
    showToast({ tone: 'success', message })
    // A new account is first in the list.
    show(everything)
  }

  async function onEdit(account: AdminUser, body: EditBody) {
    const { message = 'User updated successfully' } = await edit.mutateAsync({ id: account.id, body })
    setOpen(undefined)
    showToast({ tone: 'success', message })
    keepFocus(account)
  }

  return (
    <>
      <PageHeader
        title={title}
        description={description}
        action={
          <Button variant="primary" icon={UserPlus} onClick={() => setOpen({ kind: 'add' })}>
            {addLabel}
          </Button>
        }
      />
      {open === undefined && <UnsentDrafts apart {...accountDrafts(noun[0])} onContinue={continueDraft} />}
      <AccountFilters
        label={`Find ${noun[1]}`}
        params={params}
        roles={roles}
        onChange={filters => show({ ...filters, page: 1 }, true)}
      />
      <div ref={alert} className={styles.failure}>
        {failure !== undefined && (
          <Alert tone="danger" onDismiss={() => setFailure(undefined)}>
            {failure}
          </Alert>
        )}
      </div>
      <ListScreen
        query={list}
        failure="Failed to load users"
        pagination={pagination}
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        label={`Pages of ${noun[1]}`}
        noun={noun}
        filtered={isFiltered(params)}
        countedTo={params.search === '' ? undefined : MOST_ACCOUNTS_COUNTED}
        keepsToPages
        className={styles.results}
      >
        {loading => (
          <AccountTable
            caption={title}
            accounts={users}
            viewer={viewer}
            loading={loading}
            busy={action.isPending ? action.variables : undefined}
            onEdit={account => setOpen({ kind: 'edit', account })}
            onToggle={account => setOpen({ kind: 'toggle', account })}
            onResetApp={account => setOpen({ kind: 'reset-app', account })}
            onRole={(account, role) => setOpen({ kind: 'role', account, role })}
            onAct={act}
            empty={
              <EmptyState
                title="No Users Found"
                icon={UserSearch}
                action={isFiltered(params) && <Button onClick={() => show(everything)}>Clear filters</Button>}
              >
                {isFiltered(params)
                  ? 'No accounts match the search and filters above.'
                  : 'Use the button above to add the first one.'}
              </EmptyState>
            }
          />
        )}
      </ListScreen>
      <Suspense
        fallback={
          open && (
            <DialogLoading
              title={open.kind === 'add' ? addLabel : (dialogTitles[open.kind] ?? '')}
              size={open.kind === 'add' ? 'lg' : undefined}
              onClose={() => setOpen(undefined)}
            />
          )
        }
      >
        {open?.kind === 'add' && (
          <AccountDialog
            kind="add"
            listed={noun[0]}
            title={addLabel}
            roles={viewer.role === 'super_admin' ? newRoles : []}
            onSave={onCreate}
            onClose={() => setOpen(undefined)}
          />
        )}
        {open?.kind === 'edit' && (
          <AccountDialog
            kind="edit"
            listed={noun[0]}
            account={open.account}
            withRole={offersFor(viewer, open.account).role}
            onPersonalData={
              viewer.role === 'super_admin'
                ? () => setOpen({ kind: 'data', account: open.account })
                : undefined
            }
            onSave={body => onEdit(open.account, body)}
            onClose={() => setOpen(undefined)}
          />
        )}
        {open?.kind === 'reset-app' && (
          <AccountDialog
            kind="reset-app"
            account={open.account}
            onDone={message => {
              setOpen(undefined)
              showToast({ tone: 'success', message })
              keepFocus(open.account)
            }}
            onClose={() => setOpen(undefined)}
          />
        )}
        {open?.kind === 'data' && (
          <AccountDialog kind="data" account={open.account} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
      {open?.kind === 'toggle' && (
        <ConfirmToggle
          account={open.account}
          busy={action.isPending}
          onConfirm={() => act({ kind: 'toggle', account: open.account })}
          onCancel={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'role' && (
        <ConfirmRole
          account={open.account}
          role={open.role}
          busy={action.isPending}
          onConfirm={() => act({ kind: 'role', account: open.account, role: open.role })}
          onCancel={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
