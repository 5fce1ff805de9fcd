import { LoadFailure } from '@portal/account-ui/load-failure'
import { isApiError } from '@portal/api/error'
import { q } from '@portal/api/query'
import { fullName } from '@portal/format/text'
import { Link, useParams, useSearchParams } from '@portal/router'
import { readPage, toSearchParams } from '@portal/router/params'
import { paths } from '@portal/router/paths'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { Tabs } from '@portal/ui/tabs'
import { useQuery } from '@tanstack/react-query'
import { UserSearch } from 'lucide-react'
import { listAccountActions } from '../../parts/accounts/account-actions.tsx'
import { accounts } from '../../parts/accounts/endpoints.ts'
import { useAccountDialogs } from '../../parts/accounts/use-account-dialogs.tsx'
import { Email } from '../../parts/email.tsx'
import lists from '../../parts/list.module.css'
import { VerificationList } from '../../parts/verification-list.tsx'
import { Profile } from './profile.tsx'
import { AccountActivity, AccountHistory, Organisations } from './tabs.tsx'

const tabs = [
  { id: 'verifications', label: 'Verifications' },
  { id: 'organisations', label: 'Organisations' },
  { id: 'history', label: 'History' },
  { id: 'activity', label: 'Activity' },
] as const

/** One account with its profile, actions and activity; the tab and its page are in the URL. */
export default function AccountPage() {
  const { id = '' } = useParams()
  const [search, setSearch] = useSearchParams()
  const accountQuery = useQuery(q(accounts.read, { params: { id } }))
  const { alerts, dialogs, controls } = useAccountDialogs({ draftList: 'user' })
  const tab = tabs.find(item => item.id === search.get('tab'))?.id ?? 'verifications'

  function show(nextTab: string, page = 1, replace = false) {
    setSearch(toSearchParams({ tab: nextTab, page }, { tab: 'verifications' }), { replace })
  }
  const pagedTabProps = {
    id,
    page: readPage(search),
    onPage: (next: number, replace?: boolean) => show(tab, next, replace),
  }

  if (isApiError(accountQuery.error) && accountQuery.error.status === 404) return <NotFound />
  if (!accountQuery.data) {
    return (
      <>
        <BackLink />
        <PageHeader title="Account" />
        {accountQuery.isError ? (
          <LoadFailure title="The account could not be loaded" query={accountQuery} />
        ) : (
          <Panel>
            <Skeleton size="facts" lines={8} />
          </Panel>
        )}
      </>
    )
  }
  const account = accountQuery.data.user
  const isSuperAdmin = controls.viewer.role === 'super_admin'
  const mayViewActivity = account.role === 'user' || isSuperAdmin
  return (
    <>
      <BackLink />
      <PageHeader
        title={fullName(account)}
        note={account.id === controls.viewer.id ? '(you)' : undefined}
        description={<Email address={account.email} />}
        action={listAccountActions({ ...controls, account })
          .toReversed()
          .map(({ key, label, icon, onClick }) => (
            <Button
              key={key}
              icon={icon}
              variant={label === 'Edit' ? 'primary' : undefined}
              onClick={onClick}
            >
              {label}
            </Button>
          ))}
      />
      <div className={lists.stack}>
        {alerts}
        <Profile {...accountQuery.data} controls={controls} />
        <Tabs label="Account" tabs={tabs} value={tab} onChange={next => show(next, 1, true)}>
          {tab === 'verifications' && <VerificationList filter={{ user_id: id }} {...pagedTabProps} />}
          {tab === 'organisations' && <Organisations organisations={accountQuery.data.organisations} />}
          {tab === 'history' &&
            (mayViewActivity ? <AccountHistory {...pagedTabProps} /> : <SuperAdminsOnly />)}
          {tab === 'activity' &&
            (mayViewActivity ? <AccountActivity {...pagedTabProps} /> : <SuperAdminsOnly />)}
        </Tabs>
      </div>
      {dialogs}
    </>
  )
}

function BackLink() {
  return (
    <p className={lists.back}>
      <Link to={paths.dashboard('users')}>All users</Link>
    </p>
  )
}

function NotFound() {
  return (
    <>
      <PageHeader title="Account" />
      <EmptyState
        title="User not found."
        icon={UserSearch}
        action={<Link to={paths.dashboard('users')}>All users</Link>}
      >
        The account may have been erased, or the link may be incomplete.
      </EmptyState>
    </>
  )
}

function SuperAdminsOnly() {
  return (
    <EmptyState title="For super admins only" icon={UserSearch}>
      History and activity of staff accounts are visible to super admins.
    </EmptyState>
  )
}
