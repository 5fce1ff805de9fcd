import { LoadFailure } from '@portal/account-ui/load-failure'
import type { Reconciliation } from '@portal/contract/admin-reconciliation'
import { formatDateTime, formatLongDate } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { statusDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { Dialog } from '@portal/ui/dialog'
import { EmptyState } from '@portal/ui/empty-state'
import { type Column, Table } from '@portal/ui/table'
import { FileText, Scale } from 'lucide-react'
import { useState } from 'react'
import lists from '../../parts/list.module.css'
import { Mismatches } from './mismatches.tsx'
import type { TabProps } from './tab-props.ts'
import { useRuns } from './use-reports.ts'

const buildColumns = (onShow: (run: Reconciliation) => void): Column<Reconciliation>[] => [
  {
    key: 'day',
    header: 'Day',
    rowHeader: true,
    cell: run => (
      <>
        {formatLongDate(run.date)}
        <span className={lists.secondText}>{run.by_email ?? 'Nightly'}</span>
      </>
    ),
  },
  {
    key: 'finished',
    header: 'Finished',
    cell: run =>
      run.finished_at === null ? (
        <Status status={{ ...statusDisplay('processing'), label: 'In progress' }} variant="plain" />
      ) : (
        <time dateTime={run.finished_at}>{formatDateTime(run.finished_at)}</time>
      ),
  },
  { key: 'processed', header: 'Compared', align: 'end', cell: run => formatCount(run.processed_count) },
  { key: 'updated', header: 'Updated', align: 'end', cell: run => formatCount(run.updated_count) },
  { key: 'mismatches', header: 'Differences', align: 'end', cell: run => formatCount(run.mismatch_count) },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    cell: run =>
      run.mismatches.length > 0 && (
        <Button
          size="sm"
          variant="quiet"
          icon={FileText}
          aria-label={`Show differences on ${formatLongDate(run.date)}, compared ${formatDateTime(run.started_at)}`}
          onClick={() => onShow(run)}
        >
          Show differences
        </Button>
      ),
  },
]

/** Recent reconciliations, both nightly ones and those started by staff. */
export function Reconciliations({ show }: Pick<TabProps, 'show'>) {
  const runs = useRuns()
  const [shownRun, setShown] = useState<Reconciliation>()
  const unlistedCount = shownRun ? shownRun.mismatch_count - shownRun.mismatches.length : 0
  if (runs.isError && !runs.data)
    return <LoadFailure title="Recent reconciliations could not be loaded" query={runs} />
  return (
    <>
      <Table
        caption="Recent reconciliations"
        columns={buildColumns(setShown)}
        rows={runs.data?.reconciliations}
        rowKey={run => run.id}
        loading={runs.isPending}
        skeletonRows={3}
        empty={
          <EmptyState title="No reconciliations yet" icon={Scale}>
            Payments are reconciled with the gateway every night. Choose any other day above.
          </EmptyState>
        }
      />
      <Dialog
        open={shownRun !== undefined}
        onClose={() => setShown(undefined)}
        title={shownRun ? `Differences on ${formatLongDate(shownRun.date)}` : ''}
        description={
          unlistedCount > 0 ? `The first ${formatCount(shownRun?.mismatches.length ?? 0)}.` : undefined
        }
        size="lg"
      >
        <Mismatches
          caption="Differences"
          captionHidden
          mismatches={shownRun?.mismatches ?? []}
          onOpen={transaction => {
            setShown(undefined)
            show({ transaction })
          }}
        />
      </Dialog>
    </>
  )
}
