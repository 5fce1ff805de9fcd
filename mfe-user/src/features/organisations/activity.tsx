import { ExportButton } from '@portal/account-ui/export-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { download } from '@portal/api/call'
import { q } from '@portal/api/query'
import { formatDateTime } from '@portal/format/dates'
import { EmptyState } from '@portal/ui/empty-state'
import { Panel } from '@portal/ui/panel'
import { Table } from '@portal/ui/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { organisations } from '../../parts/organisation-endpoints.ts'
import styles from './organisations.module.css'
import { usePage } from './use-page.ts'

/** The log of what members and staff did in the organisation. */
export function Activity({ organisationId }: { organisationId: string }) {
  const { page, onPage } = usePage()
  const params = { id: organisationId }
  const list = useQuery({
    ...q(organisations.activity, { params, query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel
      title="Activity"
      variant="plain"
      action={
        <ExportButton
          size="sm"
          fetch={() => download(organisations.activity, { params, headers: { accept: 'text/csv' } })}
          name="activity"
          total={list.data?.pagination?.total}
        />
      }
    >
      <ListScreen query={list} name="activity" page={page} onPage={onPage} noun="entry">
        {loading => (
          <Table
            caption="Activity entries"
            captionHidden
            columns={[
              {
                key: 'activity',
                header: 'Activity',
                rowHeader: true,
                lines: 2,
                cell: ({ activity, details }) => (
                  <>
                    {activity}
                    {details && <span className={styles.second}>{details}</span>}
                  </>
                ),
              },
              { key: 'actor', header: 'By', cell: ({ actor }) => <bdi>{actor}</bdi> },
              {
                key: 'at',
                header: 'Date',
                nowrap: true,
                cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
              },
            ]}
            rows={list.data?.activity}
            rowKey={({ id }) => id}
            loading={loading}
            skeletonRows={8}
            empty={<EmptyState title="No activity yet" icon={ScrollText} />}
          />
        )}
      </ListScreen>
    </Panel>
  )
}
