import { ExportButton } from '@portal/account-ui/export-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { call } from '@portal/api/call'
import type { UserSort } from '@portal/contract/admin-users'
import { MAX_ACCOUNTS_COUNTED } from '@portal/contract/list-limits'
import type { Role } from '@portal/contract/shapes'
import type { ListedDraft } from '@portal/drafts/store'
import { UnsentDrafts } from '@portal/drafts/unsent-drafts'
import { useSearchParams } from '@portal/router'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import type { Sort } from '@portal/ui/table'
import { UserPlus, UserSearch } from 'lucide-react'
import { accountDrafts } from '../draft-forms.ts'
import { AccountFilters } from './account-filters.tsx'
import { AccountTable } from './account-table.tsx'
import styles from './accounts.module.css'
import { accounts } from './endpoints.ts'
import { defaultParams, isFiltered, type ListParams, readListParams, writeListParams } from './list-params.ts'
import { useAccountDialogs } from './use-account-dialogs.tsx'
import { fetchAccountsFile, useAccounts } from './use-accounts.ts'

export interface AccountScreenProps {
  title: string
  description: string
  /** The label of the add button, the dialog title and the submit button, such as 'Add User'. */
  addLabel: string
  /** The singular and plural nouns for the listed accounts. */
  noun: readonly [singular: string, plural: string]
  /** The roles to which the list is limited. */
  roles: readonly Role[]
  /** The roles that a super admin can give to a new account; the first is the default. */
  newRoles: readonly Role[]
}

const sortKeys = { user: 'lastname', joined: 'created_at' } as const
type SortKey = keyof typeof sortKeys

function toTableSort(sort: UserSort): Sort | undefined {
  const key = (Object.keys(sortKeys) as SortKey[]).find(item => sort.endsWith(sortKeys[item]))
  return key && { key, direction: sort.startsWith('-') ? 'desc' : 'asc' }
}

const toUserSort = ({ key, direction }: Sort): UserSort =>
  `${direction === 'desc' ? '-' : ''}${sortKeys[key as SortKey]}`

/**
 * A list of accounts, with search and filters in the URL. Accounts can be added, edited, enabled, disabled and verified, and
 * their roles can be changed.
 */
export function AccountScreen(props: AccountScreenProps) {
  const { title, description, addLabel, noun, roles, newRoles } = props
  const [searchParams, setSearchParams] = useSearchParams()
  const params = readListParams(searchParams, roles)
  const list = useAccounts(params, roles)
  const { users = [] } = list.data ?? {}
  const show = (next: Partial<ListParams>, replace = false) =>
    setSearchParams(writeListParams({ ...params, ...next }), { replace })

  const { alerts, dialogs, ...accountDialogs } = useAccountDialogs({
    draftList: noun[0],
    addLabel,
    newRoles,
    // A new account is first in the unfiltered list, so that list is shown.
    onCreated: () => show(defaultParams),
  })

  async function continueDraft({ recordId, searchText }: ListedDraft) {
    if (recordId === '') return accountDialogs.add()
    const reply = await call(accounts.list, { query: { search: searchText, role: roles.join(',') } })
    const account = reply.users.find(({ id }) => id === recordId)
    if (!account) throw new Error('This account is no longer in the list, or its email address has changed.')
    accountDialogs.controls.onEdit(account)
  }

  return (
    <>
      <PageHeader
        title={title}
        description={description}
        action={
          <>
            <ExportButton
              label="Export"
              fetch={() => fetchAccountsFile(params, roles)}
              name="users"
              total={list.data?.pagination?.total}
            />
            <Button variant="primary" icon={UserPlus} onClick={accountDialogs.add}>
              {addLabel}
            </Button>
          </>
        }
      />
      {!accountDialogs.isOpen && (
        <UnsentDrafts hasMargin {...accountDrafts(noun[0])} onContinue={continueDraft} />
      )}
      <AccountFilters
        label={`Find ${noun[1]}`}
        params={params}
        roles={roles}
        onChange={filters => show({ ...filters, page: 1 }, true)}
      />
      {alerts}
      <ListScreen
        query={list}
        failure="Failed to load users"
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        noun={noun}
        filtered={isFiltered(params)}
        countLimit={params.search === '' ? undefined : MAX_ACCOUNTS_COUNTED}
        className={styles.results}
      >
        {loading => (
          <AccountTable
            caption={title}
            accounts={users}
            loading={loading}
            sort={toTableSort(params.sort)}
            onSort={sort => show({ sort: toUserSort(sort), page: 1 })}
            {...accountDialogs.controls}
            empty={
              <EmptyState
                title="No Users Found"
                icon={UserSearch}
                action={
                  isFiltered(params) && <Button onClick={() => show(defaultParams)}>Clear filters</Button>
                }
              >
                {isFiltered(params)
                  ? 'No accounts match the search and filters above.'
                  : 'Use the button above to add the first one.'}
              </EmptyState>
            }
          />
        )}
      </ListScreen>
      {dialogs}
    </>
  )
}
