import { ifMatch } from '@portal/account-ui/conflict'
import type { Theirs } from '@portal/account-ui/use-conflict'
import { call, download } from '@portal/api/call'
import { q, queryKey } from '@portal/api/query'
import type { AdminUser } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import { mergeUser, session } from '@portal/session/store'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ownProfile } from '../screen-endpoints.ts'
import type { CreateBody, EditBody } from './account-forms.ts'
import { accounts } from './endpoints.ts'
import { type ListParams, toListQuery } from './list-params.ts'

/** Page size of account lists (specification, section 9). */
const PER_PAGE = 20

/**
 * Fetches one page of accounts, keeping the previous one while the next loads.
 * @param roles the roles to which the list is limited
 */
export function useAccounts(params: ListParams, roles: readonly Role[]) {
  const query = { ...toListQuery(params, roles), page: params.page, per_page: PER_PAGE }
  return useQuery({ ...q(accounts.list, { query }), placeholderData: keepPreviousData })
}

/** Fetches all matching accounts as a file. */
export const fetchAccountsFile = (params: ListParams, roles: readonly Role[]) =>
  download(accounts.list, { query: toListQuery(params, roles), headers: { accept: 'text/csv' } })

/** An action on an account that needs no form. */
export type AccountAction =
  | { kind: 'toggle' | 'verify' | 'resend'; account: AdminUser }
  | { kind: 'role'; account: AdminUser; role: Role }

/**
 * Returns the opposite action, or `undefined` if there is none because an email was sent.
 * @param changed the account after the action, if the response has it
 */
export function getOppositeAction(action: AccountAction, changed?: AdminUser): AccountAction | undefined {
  const { account } = action
  // Undo is based on the version that the action created, so that it never reverts a later change.
  const { version } = changed ?? account
  switch (action.kind) {
    case 'toggle':
      return { ...action, account: { ...account, version, is_enabled: !account.is_enabled } }
    case 'role':
      return { ...action, account: { ...account, version, role: action.role }, role: account.role }
    default:
      return undefined
  }
}

/** Returns the message to show if the response to an action has none. */
function getDefaultMessage(action: AccountAction): string {
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

interface Reply {
  message?: string
  user?: AdminUser
}

async function runAction(action: AccountAction) {
  const { message, user } = await sendAction(action)
  // Except for a resent email, the server's message is fixed by the specification (sections 7 and 8).
  return { message: (action.kind !== 'resend' && message) || getDefaultMessage(action), user }
}

function sendAction(action: AccountAction): Promise<Reply> {
  const params = { id: action.account.id }
  const headers = ifMatch(action.account)
  switch (action.kind) {
    case 'toggle':
      return call(accounts.toggleStatus, { params, headers })
    case 'verify':
      return call(accounts.verifyEmail, { params, headers })
    case 'resend':
      return call(accounts.resendVerification, { params })
    case 'role':
      return call(accounts.changeRole, { params, headers, body: { role: action.role } })
  }
}

/** Returns a function that refetches every query about accounts. */
function useRefresh() {
  const client = useQueryClient()
  const routes = [accounts.list, accounts.read, accounts.history, accounts.activity]
  return () => Promise.all(routes.map(route => client.invalidateQueries({ queryKey: queryKey(route) })))
}

/** Fetches the stored state of an account and, if the caller may see it, its newest change, to resolve an edit conflict. */
export async function fetchTheirs(id: string): Promise<Theirs<AdminUser>> {
  const params = { id }
  const { user } = await call(accounts.read, { params })
  const history = await call(accounts.history, { params, query: { per_page: 1 } }).catch(() => undefined)
  return { record: user, change: history?.changes[0] }
}

/**
 * Returns a mutation that runs an action and resolves with the message to show. The list is refetched, also after an error,
 * which may mean that it was stale.
 */
export function useAccountAction() {
  const refresh = useRefresh()
  return useMutation({ mutationFn: runAction, onSettled: refresh })
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
    mutationFn: ({ account, body }: { account: AdminUser; body: EditBody }) =>
      call(accounts.update, { params: { id: account.id }, body, headers: ifMatch(account) }),
    onSuccess: ({ user }) => {
      // The header shows the user's own name too. Older APIs respond with a message only.
      if (user?.id === session.get().user?.id) {
        mergeUser(user)
        client.invalidateQueries({ queryKey: queryKey(ownProfile) })
      }
      return refresh()
    },
  })
}
