import { call } from '@portal/api/call'
import { q, queryKey } from '@portal/api/query'
import type { AdminUser } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { mergeUser, session } from '@portal/session/store'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ownProfile } from '../endpoints.ts'
import type { CreateBody, EditBody } from './account-forms.ts'
import { accounts } from './endpoints.ts'
import type { ListParams } from './list-params.ts'

/** Accounts on a page (specification, section 9). */
const PER_PAGE = 20

/**
 * One page of accounts; the former one stays while the next is on its way.
 * @param roles those that the list is limited to
 */
export function useAccounts({ search, role, status, page }: ListParams, roles: readonly Role[]) {
  const query = {
    search: search.trim(),
    role: role || roles.join(','),
    status,
    page,
    per_page: PER_PAGE,
  }
  return useQuery({ ...q(accounts.list, { query }), placeholderData: keepPreviousData })
}

/** Something done to an account without a form. */
export type AccountAction =
  | { kind: 'toggle' | 'verify' | 'resend'; account: AdminUser }
  | { kind: 'role'; account: AdminUser; role: Role }

/** What takes an action back; nothing does where a mail has gone. */
export function oppositeOf(action: AccountAction): AccountAction | undefined {
  switch (action.kind) {
    case 'toggle':
      return { ...action, account: { ...action.account, is_enabled: !action.account.is_enabled } }
    case 'role':
      return { ...action, role: action.account.role }
    default:
      return undefined
  }
}

/** What an action comes to, where the answer does not say it. */
function doneText(action: AccountAction): string {
  switch (action.kind) {
    case 'toggle':
      return action.account.is_enabled ? 'User disabled successfully.' : 'User enabled successfully.'
    case 'verify':
      return 'User email verified successfully.'
    case 'resend':
      return 'Verification email resent.'
    case 'role':
      return 'User role updated successfully.'
  }
}

async function act(action: AccountAction): Promise<{ message: string }> {
  const { message } = await send(action)
  // The specification has the server's words for all but a mail sent again (sections 7 and 8).
  return { message: (action.kind !== 'resend' && message) || doneText(action) }
}

function send(action: AccountAction): Promise<{ message?: string }> {
  const params = { id: action.account.id }
  switch (action.kind) {
    case 'toggle':
      return call(accounts.toggleStatus, { params })
    case 'verify':
      return call(accounts.verifyEmail, { params })
    case 'resend':
      return call(accounts.resendVerification, { params })
    case 'role':
      return call(accounts.changeRole, { params, body: { role: action.role } })
  }
}

function useRefresh() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: queryKey(accounts.list) })
}

/** Gives the server's message once the list shows what came of it. A refusal may mean that the list is old. */
export function useAccountAction() {
  const refresh = useRefresh()
  return useMutation({ mutationFn: act, onSettled: refresh })
}

export function useCreateAccount() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: CreateBody) => call(accounts.create, { body }),
    onSuccess: refresh,
  })
}

export function useEditAccount() {
  const client = useQueryClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: EditBody }) =>
      call(accounts.update, { params: { id }, body }),
    onSuccess: ({ user }) => {
      // One's own name stands in the header too. An older API answers with a message alone.
      if (user?.id === session.get().user?.id) {
        mergeUser(user)
        client.invalidateQueries({ queryKey: queryKey(ownProfile) })
      }
      return refresh()
    },
  })
}
