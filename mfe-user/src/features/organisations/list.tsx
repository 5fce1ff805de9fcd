import { ListScreen } from '@portal/account-ui/list-screen'
import { LoadFailure } from '@portal/account-ui/load-failure'
import { q } from '@portal/api/query'
import type { OwnOrganisation } from '@portal/contract/organisation-shapes'
import { formatMoney } from '@portal/format/money'
import { memberRoleLabel, organisationDisplay, vettedDisplay } from '@portal/format/organisations'
import { Link } from '@portal/router'
import { Badge, Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { type Column, Table } from '@portal/ui/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Building2, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { areas, organisations } from '../../parts/organisation-endpoints.ts'
import { organisationPath } from '../../parts/organisation-paths.ts'
import { Invitations } from './invitations.tsx'
import styles from './organisations.module.css'
import { usePage } from './use-page.ts'

const CreateOrganisation = lazy(() => import('../../parts/create-organisation.tsx'))

const columns: readonly Column<OwnOrganisation>[] = [
  {
    key: 'name',
    header: 'Organisation',
    rowHeader: true,
    lines: 2,
    cell: ({ id, name, address }) => (
      <>
        <Link to={organisationPath(id)} className={styles.text}>
          {name}
        </Link>
        <span className={styles.second}>{[address.city, address.country].join(', ')}</span>
      </>
    ),
  },
  { key: 'role', header: 'Your role', cell: ({ role }) => <Badge>{memberRoleLabel(role)}</Badge> },
  {
    key: 'state',
    header: 'Status',
    nowrap: true,
    cell: ({ state, vetted_at }) => (
      <Status
        status={state === 'active' && vetted_at ? vettedDisplay(vetted_at) : organisationDisplay(state)}
        variant="plain"
      />
    ),
  },
  {
    key: 'available',
    header: 'Available',
    align: 'end',
    nowrap: true,
    cell: ({ available, currency }) => formatMoney(available, currency),
  },
]

/** Page with the account's organisations and its pending invitations. */
export default function OrganisationsPage() {
  const [creating, setCreating] = useState(false)
  const { page, onPage } = usePage()
  const areasQuery = useQuery(q(areas.read))
  const list = useQuery({
    ...q(organisations.list, { query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
  })
  const canCreate = areasQuery.data?.offers.organisations ?? false
  const createButton = (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      Create an Organisation
    </Button>
  )
  const isEmpty = list.data?.organisations.length === 0
  return (
    <>
      <PageHeader
        title="Organisations"
        description="Verify as a team, with a shared history and a prepaid balance."
        action={canCreate && !isEmpty && createButton}
      />
      <div className={styles.page}>
        {areasQuery.isError && (
          <LoadFailure title="Your invitations could not be loaded" query={areasQuery} />
        )}
        {areasQuery.data && <Invitations invitations={areasQuery.data.invitations} />}
        <ListScreen
          query={list}
          failure="Your organisations could not be loaded"
          page={page}
          onPage={onPage}
          noun="organisation"
        >
          {loading => (
            <Table
              caption="Your organisations"
              captionHidden
              columns={columns}
              rows={list.data?.organisations}
              rowKey={({ id }) => id}
              loading={loading}
              skeletonRows={3}
              empty={
                <EmptyState
                  title="You are not a member of an organisation yet."
                  icon={Building2}
                  action={canCreate && createButton}
                >
                  {canCreate
                    ? 'Create one for your company, embassy or school, or ask a colleague to invite you.'
                    : 'Ask a colleague to invite you.'}
                </EmptyState>
              }
            />
          )}
        </ListScreen>
      </div>
      {creating && (
        <Suspense
          fallback={<DialogLoading title="Create an Organisation" onClose={() => setCreating(false)} />}
        >
          <CreateOrganisation onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  )
}
