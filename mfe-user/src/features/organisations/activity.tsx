import { ListScreen } from '@portal/account-ui/list-screen'
import { saveFile } from '@portal/account-ui/save-file'
import { download } from '@portal/api/call'
import { alertText } from '@portal/api/error'
import { q } from '@portal/api/query'
import { formatDateTime } from '@portal/format/dates'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Panel } from '@portal/ui/panel'
import { Table } from '@portal/ui/table'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { organisations } from '../../parts/organisation-endpoints.ts'
import styles from './organisations.module.css'
import { usePage } from './use-page.ts'

/** Activity of members and staff in the organisation. */
export function Activity({ organisationId }: { organisationId: string }) {
  const { page, onPage } = usePage()
  const params = { id: organisationId }
  const list = useQuery({
    ...q(organisations.activity, { params, query: { page, per_page: 20 } }),
    placeholderData: keepPreviousData,
  })
  const file = useMutation({
    mutationFn: () => download(organisations.activity, { params, headers: { accept: 'text/csv' } }),
    onSuccess: ({ blob, filename }) => saveFile(blob, filename ?? 'activity.csv'),
    onError: error => window.alert(alertText(error)),
  })
  return (
    <Panel
      title="Activity"
      variant="plain"
      action={
        <Button
          size="sm"
          icon={Download}
          busy={file.isPending}
          busyLabel="Exporting…"
          onClick={() =>
            list.data?.pagination.total === 0 ? window.alert('No data to export') : file.mutate()
          }
        >
          Export CSV
        </Button>
      }
    >
      <ListScreen
        query={list}
        failure="The activity could not be loaded"
        pagination={list.data?.pagination}
        page={page}
        onPage={onPage}
        label="Pages of activity"
        noun={['entry', 'entries']}
        keepsToPages
      >
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
