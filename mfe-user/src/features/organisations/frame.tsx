import { LoadFailure } from '@portal/account-ui/load-failure'
import { isApiError } from '@portal/api/error'
import { q } from '@portal/api/query'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import type { organisations as routes } from '@portal/contract/organisations'
import type { Reply } from '@portal/contract/route'
import { formatMoney } from '@portal/format/money'
import { memberRoleLabel } from '@portal/format/organisations'
import { Link, useParams } from '@portal/router'
import { may, type Permission } from '@portal/rules/organisations'
import { Alert } from '@portal/ui/alert'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { Table } from '@portal/ui/table'
import { TabLinks } from '@portal/ui/tabs'
import { useQuery } from '@tanstack/react-query'
import { Building2, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { organisations } from '../../parts/organisation-endpoints.ts'
import { organisationPath, organisationsPath } from '../../parts/organisation-paths.ts'
import styles from './organisations.module.css'

type Section = '' | 'history' | 'batches' | 'members' | 'billing' | 'developers' | 'settings'
type Statistics = Reply<typeof routes.read>['statistics']

interface Props {
  /** The section that the navigation marks as current. */
  section: Section
  title: string
  description?: ReactNode
  /** The permission that the page requires; members without it see the reason why they cannot open the page. */
  requires?: Permission
  action?: (organisation: OwnOrganisation) => ReactNode
  /** A skeleton with the shape of the content, shown until the organisation has loaded; a list by default. */
  loading?: ReactNode
  children: (organisation: OwnOrganisation, statistics: Statistics) => ReactNode
}

const sections: readonly { path: Section; label: string; requires: Permission }[] = [
  { path: '', label: 'Home', requires: 'read' },
  { path: 'history', label: 'History', requires: 'verify' },
  { path: 'batches', label: 'Batches', requires: 'verify' },
  { path: 'members', label: 'Members', requires: 'read' },
  { path: 'billing', label: 'Billing', requires: 'billing' },
  { path: 'developers', label: 'Developers', requires: 'manage' },
  { path: 'settings', label: 'Settings', requires: 'billing' },
]

/** Explanations for members who lack the permission that a page requires. */
const deniedReasons: Partial<Record<Permission, string>> = {
  verify: 'Finance members see the balance and statements, but no certificates, names or grades.',
  billing: 'Top-ups, invoices and statements are for owners, managers and finance members.',
  manage: 'Only owners and managers can see this.',
}

/** The frame of an organisation's pages: its name, the sections for the member's role, and the organisation's state. */
export function OrganisationFrame(props: Props) {
  const {
    section,
    title,
    description,
    requires = 'read',
    action,
    loading = <ListLoading />,
    children,
  } = props
  const { id = '' } = useParams()
  const query = useQuery(q(organisations.read, { params: { id } }))
  if (isApiError(query.error) && query.error.status === 404) return <NotFound />
  if (!query.data)
    return (
      <>
        <BackLink />
        <PageHeader title={title} description={!query.isError && <Skeleton width="short" />} />
        {query.isError ? (
          <LoadFailure title="The organisation could not be loaded" query={query} />
        ) : (
          <>
            <Skeleton size="tabs" />
            <div className={styles.page}>{loading}</div>
          </>
        )}
      </>
    )
  const { organisation, statistics } = query.data
  const { role } = organisation
  const allowed = may(role, requires)
  return (
    <>
      <BackLink />
      <PageHeader
        title={section === '' ? organisation.name : title}
        description={
          description ?? (section === '' ? `Your role: ${memberRoleLabel(role)}` : organisation.name)
        }
        action={allowed && action?.(organisation)}
      />
      <TabLinks label={organisation.name}>
        {sections
          .filter(item => may(role, item.requires))
          .map(({ path, label }) => (
            <Link
              key={label}
              to={organisationPath(id, ...(path ? [path] : []))}
              aria-current={path === section ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
      </TabLinks>
      <div className={styles.page}>
        <StateNotes organisation={organisation} />
        {allowed ? (
          children(organisation, statistics)
        ) : (
          <EmptyState title="Not available to your role" icon={Lock}>
            {deniedReasons[requires]}
          </EmptyState>
        )}
      </div>
    </>
  )
}

const skeletonColumns = ['name', 'status', 'date'].map(key => ({
  key,
  header: '',
  lines: 2,
  cell: () => null,
}))

const ListLoading = () => (
  <Table
    caption="Records"
    captionHidden
    columns={skeletonColumns}
    rows={[]}
    rowKey={() => 0}
    loading
    skeletonRows={8}
  />
)

/** A skeleton shown until the details of one record have loaded. */
export const panelLoading = (
  <Panel>
    <Skeleton size="facts" lines={6} />
  </Panel>
)

function StateNotes({ organisation }: { organisation: OwnOrganisation }) {
  const { state, state_reason, debt, currency, role } = organisation
  return (
    <>
      {state === 'suspended' && (
        <Alert tone="warning" silent title="This organisation is suspended. Please contact support.">
          {state_reason ? `Reason: ${state_reason}` : 'Until it is active again, you can only read.'}
        </Alert>
      )}
      {state === 'closed' && (
        <Alert tone="info" silent title="This organisation is closed.">
          Its records can still be read. Only the institution can reopen it.
        </Alert>
      )}
      {debt > 0 && may(role, 'billing') && (
        <Alert tone="danger" silent title={`${formatMoney(debt, currency)} is owed after a chargeback.`}>
          The next top-up pays it off first. Until then, nothing can be verified.
        </Alert>
      )}
    </>
  )
}

/** Returns why an organisation cannot be changed, to be shown at disabled buttons; undefined if it can be. */
export const inactiveReason = ({ state }: Pick<OwnOrganisation, 'state'>): string | undefined =>
  state === 'active'
    ? undefined
    : state === 'suspended'
      ? 'This organisation is suspended. Please contact support.'
      : 'This organisation is closed.'

const BackLink = () => (
  <p className={styles.back}>
    <Link to={organisationsPath}>All organisations</Link>
  </p>
)

function NotFound() {
  return (
    <>
      <PageHeader title="Organisation" />
      <EmptyState
        title="Organisation not found."
        icon={Building2}
        action={<Link to={organisationsPath}>Your organisations</Link>}
      >
        You may no longer be a member, or the link may be incomplete.
      </EmptyState>
    </>
  )
}
