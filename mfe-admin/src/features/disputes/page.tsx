import { ExportButton } from '@portal/account-ui/export-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { SearchField } from '@portal/account-ui/search-field'
import type { Dispute, DisputeState } from '@portal/contract/admin-disputes'
import { disputeDisplay, disputeStates, disputeStatus, nextDisputeStep } from '@portal/format/disputes'
import { formatMoney } from '@portal/format/money'
import { formatCount } from '@portal/format/numbers'
import { groupTransactionId } from '@portal/format/transaction-id'
import { useSearchParams } from '@portal/router'
import { Alert } from '@portal/ui/alert'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { DialogLoading } from '@portal/ui/dialog-loading'
import { Drawer } from '@portal/ui/drawer'
import { EmptyState } from '@portal/ui/empty-state'
import { FilterBar } from '@portal/ui/filter-bar'
import { TransactionId } from '@portal/ui/mono'
import { OneLine } from '@portal/ui/one-line'
import { PageHeader } from '@portal/ui/page-header'
import { Select } from '@portal/ui/select'
import { Skeleton } from '@portal/ui/skeleton'
import { Stat, StatGroup } from '@portal/ui/stat'
import { type Column, Table } from '@portal/ui/table'
import { CircleCheck, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import lists from '../../parts/list.module.css'
import { ListedEmail } from '../../parts/listed-email.tsx'
import styles from './disputes.module.css'
import { TimeLeft } from './time-left.tsx'
import {
  type DisputeParams,
  fetchFile,
  readDisputeParams,
  useDisputes,
  useNow,
  writeDisputeParams,
} from './use-disputes.ts'

const DisputeDetail = lazy(() => import(/* webpackChunkName: "dialogs" */ './detail.tsx'))
const AddDisputeDialog = lazy(() => import(/* webpackChunkName: "dialogs" */ './add-dispute-dialog.tsx'))

const stateOptions = disputeStates.map(value => ({ value, label: disputeDisplay(value).label }))

const buildColumns = (now: number, onOpen: (id: string) => void): Column<Dispute>[] => [
  {
    key: 'payment',
    header: 'Payment',
    rowHeader: true,
    cell: dispute => (
      <div className={styles.person}>
        <TransactionId
          id={dispute.transaction_id}
          short
          copy
          wrap={shown => (
            <button
              type="button"
              className={lists.open}
              aria-label={`Dispute of ${groupTransactionId(dispute.transaction_id)}, details`}
              onClick={() => onOpen(dispute.id)}
            >
              {shown}
            </button>
          )}
        />
        <span className={lists.secondText}>
          <ListedEmail address={dispute.email} />
        </span>
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'Disputed',
    align: 'end',
    nowrap: true,
    cell: dispute => formatMoney(dispute.amount, dispute.currency),
  },
  { key: 'due', header: 'Answer by', cell: dispute => <TimeLeft dispute={dispute} now={now} /> },
  {
    key: 'state',
    header: 'Status',
    cell: dispute => (
      <>
        <Status status={disputeStatus(dispute)} variant="plain" />
        {dispute.refunded > 0 && (
          <span className={lists.secondText}>
            {formatMoney(dispute.refunded, dispute.currency)} already refunded
          </span>
        )}
      </>
    ),
  },
  {
    key: 'reason',
    header: 'Reason and next step',
    secondary: true,
    lines: 2,
    cell: dispute => (
      <>
        <OneLine text={dispute.reason || 'No reason given'} />
        <OneLine className={lists.secondText} text={nextDisputeStep(dispute)} />
      </>
    ),
  },
]

/** Summary cards for the main statuses only, so that the list stays visible on a phone; the filter offers every status. */
const figures: { label: string; states: DisputeState[] }[] = [
  { label: 'Needs an answer', states: ['open'] },
  { label: 'Waiting for the bank', states: ['contested'] },
  { label: 'Won', states: ['won'] },
  { label: 'Accepted or lost', states: ['accepted', 'lost', 'expired'] },
]

type Summary = NonNullable<ReturnType<typeof useDisputes>['data']>['summary']

function Figures({ summary, loading }: { summary: Summary | undefined; loading: boolean }) {
  if (!summary && !loading) return null
  return (
    <StatGroup label="Disputes by status">
      {figures.map(({ label, states }) => {
        const groups = states.map(state => summary?.[state])
        const count = groups.reduce((sum, item) => sum + (item?.count ?? 0), 0)
        const amount = groups.reduce((sum, item) => sum + (item?.amount ?? 0), 0)
        return (
          <Stat
            key={label}
            label={label}
            value={formatCount(count)}
            note={formatMoney(amount)}
            loading={loading}
          />
        )
      })}
    </StatGroup>
  )
}

/** The list of all chargebacks with deadlines and outcomes; chargebacks that need an answer come first. */
export default function DisputesPage() {
  const [searchParams, setSearchParams] = useSearchParams()
  const params = readDisputeParams(searchParams)
  const now = useNow()
  const list = useDisputes(params)
  const { disputes, pagination, summary } = list.data ?? {}
  const [isAdding, setIsAdding] = useState(false)
  const [notice, setNotice] = useState<string>()
  const isFiltered = params.state !== '' || params.search !== ''

  function show(change: Partial<DisputeParams>, replace = false) {
    const current = readDisputeParams(new URLSearchParams(window.location.search))
    setSearchParams(writeDisputeParams({ ...current, page: 1, ...change }), { replace })
  }

  return (
    <div className={lists.stack}>
      <PageHeader
        title="Disputes"
        description="Payments that payers have disputed with their bank (chargebacks). Without an answer by the deadline, the money is returned to the payer."
        action={
          <Button icon={Plus} onClick={() => setIsAdding(true)}>
            Add dispute
          </Button>
        }
      />
      <Figures summary={summary} loading={list.isPending} />
      <FilterBar
        label="Filter disputes"
        actions={<ExportButton fetch={() => fetchFile(params)} name="disputes" total={pagination?.total} />}
        search={
          <SearchField
            label="Transaction or reference"
            labelShown
            placeholder="CVF… or CV…"
            maxLength={64}
            search={params.search}
            onSearch={search => show({ search }, true)}
          />
        }
        active={params.state === '' ? 0 : 1}
      >
        <Select
          label="Status"
          placeholder="All statuses"
          options={stateOptions}
          value={params.state}
          onChange={event => show({ state: event.target.value })}
        />
      </FilterBar>
      {notice && (
        <Alert tone="success" onDismiss={() => setNotice(undefined)}>
          {notice}
        </Alert>
      )}
      <ListScreen
        query={list}
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        noun="dispute"
        filtered={isFiltered}
      >
        {loading => (
          <Table
            caption="Disputes"
            captionHidden
            columns={buildColumns(now, id => show({ dispute: id, page: params.page }))}
            rows={disputes}
            rowKey={dispute => dispute.id}
            loading={loading}
            empty={
              <EmptyState
                title={isFiltered ? 'No matching disputes' : 'No disputes'}
                icon={CircleCheck}
                action={
                  isFiltered && <Button onClick={() => show({ state: '', search: '' })}>Clear filters</Button>
                }
              >
                {isFiltered
                  ? 'No disputes match these filters.'
                  : 'Disputed payments appear here as soon as the gateway reports them.'}
              </EmptyState>
            }
          />
        )}
      </ListScreen>
      <Drawer
        open={params.dispute !== ''}
        onClose={() => show({ dispute: '', page: params.page })}
        title="Dispute"
        side="end"
      >
        <Suspense fallback={<Skeleton size="facts" lines={8} />}>
          <DisputeDetail key={params.dispute} id={params.dispute} now={now} />
        </Suspense>
      </Drawer>
      {isAdding && (
        <Suspense fallback={<DialogLoading title="Add a dispute" onClose={() => setIsAdding(false)} />}>
          <AddDisputeDialog
            onDone={message => {
              setIsAdding(false)
              setNotice(message)
            }}
            onClose={() => setIsAdding(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
