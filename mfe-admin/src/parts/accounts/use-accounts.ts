import { call } from '@portal/api/call'
import { q, queryKey } from '@portal/api/query'
import type { AdminUser } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { mergeUser, session } from '@portal/session/store'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ownProfile } from '../screen-endpoints.ts'
import type { CreateBody, EditBody } from './account-forms.ts'
import { accounts } from './endpoints.ts'
import type { ListParams } from './list-params.ts'

/** Page size of account lists (specification, section 9). */
const PER_PAGE = 20

/**
 * Fetches one page of accounts, keeping the previous one while the next loads.
 * @param roles the roles that the list is limited to
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

/** An account action without a form. */
export type AccountAction =
  | { kind: 'toggle' | 'verify' | 'resend'; account: AdminUser }
  | { kind: 'role'; account: AdminUser; role: Role }

/** Returns the opposite action, or `undefined` if an email has been sent. */
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

/** Result of an action, in case the response leaves it out. */
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
  // The specification fixes the server's message for all but a resent email (sections 7 and 8).
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

/**
 * Runs an action and returns the server's message once the list is up to date. An error may mean that the list was
 * stale.
 */
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
      // The header shows the user's own name too. Older APIs answer with a message only.
      if (user?.id === session.get().user?.id) {
        mergeUser(user)
        client.invalidateQueries({ queryKey: queryKey(ownProfile) })
      }
      return refresh()
    },
  })
}
