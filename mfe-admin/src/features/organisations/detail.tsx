import { LoadFailure } from '@portal/account-ui/load-failure'
import { isApiError } from '@portal/api/error'
import { q } from '@portal/api/query'
import { formatMoney } from '@portal/format/money'
import { formatCount } from '@portal/format/numbers'
import { Link, useParams, useSearchParams } from '@portal/router'
import { readPage, toSearchParams } from '@portal/router/params'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { Stat, StatGroup } from '@portal/ui/stat'
import { Tabs } from '@portal/ui/tabs'
import { useQuery } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { Email } from '../../parts/email.tsx'
import lists from '../../parts/list.module.css'
import { organisations } from '../../parts/organisation-endpoints.ts'
import { Actions } from './actions.tsx'
import styles from './organisations.module.css'
import { Profile } from './profile.tsx'
import { Activity, Invoices, Members, Movements } from './tabs.tsx'

const tabs = [
  { id: 'movements', label: 'Movements' },
  { id: 'members', label: 'Members' },
  { id: 'invoices', label: 'Open invoices' },
  { id: 'activity', label: 'Activity' },
] as const

/** One organisation: profile, balance, members, movements and actions of staff. Tab and page are in the URL. */
export default function OrganisationPage() {
  const { id = '' } = useParams()
  const [search, setSearch] = useSearchParams()
  const isSuperAdmin = useSession(session => session.user?.role === 'super_admin')
  const organisationQuery = useQuery(q(organisations.read, { params: { id } }))
  const tab = tabs.find(item => item.id === search.get('tab'))?.id ?? 'movements'

  function show(nextTab: string, page = 1, replace = false) {
    setSearch(toSearchParams({ tab: nextTab, page }, { tab: 'movements' }), { replace })
  }
  const onPage = (next: number, replace?: boolean) => show(tab, next, replace)

  if (isApiError(organisationQuery.error) && organisationQuery.error.status === 404)
    return (
      <>
        <PageHeader title="Organisation" />
        <EmptyState title="Organisation not found." icon={Building2} action={<AllOrganisationsLink />}>
          The address may be incomplete.
        </EmptyState>
      </>
    )
  if (!organisationQuery.data)
    return (
      <>
        <p className={lists.back}>
          <AllOrganisationsLink />
        </p>
        <PageHeader title="Organisation" />
        {organisationQuery.isError ? (
          <LoadFailure title="The organisation could not be loaded" query={organisationQuery} />
        ) : (
          <Panel>
            <Skeleton size="facts" lines={8} />
          </Panel>
        )}
      </>
    )
  const { organisation, members, counts, invoices } = organisationQuery.data
  const { currency } = organisation
  const pagedTabProps = { organisation, page: readPage(search), onPage }
  return (
    <>
      <p className={lists.back}>
        <AllOrganisationsLink />
      </p>
      <PageHeader
        title={organisation.name}
        description={<Email address={organisation.contact_email} />}
        action={<Actions organisation={organisation} members={members} invoices={invoices} />}
      />
      <div className={styles.page}>
        {organisation.state === 'suspended' && (
          <Alert tone="warning" silent title="This organisation is suspended.">
            {organisation.state_reason && `Reason: ${organisation.state_reason}`}
          </Alert>
        )}
        <StatGroup label="Balance and verifications">
          <Stat
            label="Balance"
            value={formatMoney(organisation.balance, currency)}
            note={`${formatMoney(organisation.held, currency)} held`}
          />
          <Stat label="Debt" value={formatMoney(organisation.debt, currency)} note="After chargebacks" />
          <Stat
            label="Verifications"
            value={formatCount(counts.verifications)}
            note={`${formatCount(counts.not_found)} not found`}
          />
          <Stat
            label="Batches"
            value={formatCount(counts.batches)}
            note={`${formatCount(counts.running_batches)} running`}
          />
        </StatGroup>
        <Profile organisation={organisation} spent={counts.spent} />
        <Tabs label="Organisation" tabs={tabs} value={tab} onChange={next => show(next, 1, true)}>
          {tab === 'movements' && <Movements {...pagedTabProps} isSuperAdmin={isSuperAdmin} />}
          {tab === 'members' && <Members members={members} />}
          {tab === 'invoices' && <Invoices invoices={invoices} />}
          {tab === 'activity' && <Activity {...pagedTabProps} isSuperAdmin={isSuperAdmin} />}
        </Tabs>
      </div>
    </>
  )
}

const AllOrganisationsLink = () => <Link to={paths.dashboard('organisations')}>All organisations</Link>
