import { ListScreen } from '@portal/account-ui/list-screen'
import {
  lateDisplay,
  type QueueName,
  queueLabel,
  queueNames,
  waitInWords,
} from '@portal/format/background-work'
import { formatCount } from '@portal/format/numbers'
import { useSearchParams } from '@portal/router'
import { readPage, toSearchParams } from '@portal/router/params'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { FilterBar } from '@portal/ui/filter-bar'
import { PageHeader } from '@portal/ui/page-header'
import { Select } from '@portal/ui/select'
import { Stat, StatGroup } from '@portal/ui/stat'
import { CircleCheck, RefreshCw } from 'lucide-react'
import styles from './background-work.module.css'
import { useDelayedWork } from './use-delayed-work.ts'
import { WorkTable } from './work-table.tsx'

/**
 * How long due work may wait for an attempt before the page warns, in milliseconds; the API's alert has the same
 * threshold.
 */
const MAX_UNTRIED_MS = 15 * 60_000

type Queue = NonNullable<ReturnType<typeof useDelayedWork>['data']>['queues'][number]

function Figures({ queues, loading }: { queues: readonly Queue[]; loading: boolean }) {
  const sum = (getCount: (queue: Queue) => number) =>
    queues.reduce((total, queue) => total + getCount(queue), 0)
  const oldestTimes = queues.flatMap(({ oldest_at }) => (oldest_at ? [Date.parse(oldest_at)] : []))
  return (
    <StatGroup label="Delayed work">
      <Stat label="Delayed" value={formatCount(sum(({ delayed }) => delayed))} loading={loading} />
      <Stat label={lateDisplay(true).label} value={formatCount(sum(({ late }) => late))} loading={loading} />
      <Stat
        label="Longest delay"
        value={
          oldestTimes.length > 0
            ? waitInWords(Date.now() - Math.min(...oldestTimes)).replace('under', 'Under')
            : 'None'
        }
        loading={loading}
      />
    </StatGroup>
  )
}

/** Warns about queues whose overdue work no run has attempted, which points to a problem with the scheduler. */
function UntriedWarning({ queues }: { queues: readonly Queue[] }) {
  const overdue = queues.flatMap(({ queue, untried_since }) => {
    const age = untried_since ? Date.now() - Date.parse(untried_since) : 0
    return age > MAX_UNTRIED_MS ? [{ queue, age }] : []
  })
  if (overdue.length === 0) return null
  return (
    <Alert tone="warning" title="Some queues are not keeping up" silent>
      <ul className={styles.behind}>
        {overdue.map(({ queue, age }) => (
          <li key={queue}>
            {queueLabel(queue)}: the oldest item has been waiting {waitInWords(age)} for an attempt.
          </li>
        ))}
      </ul>
    </Alert>
  )
}

/** Lists background jobs that are failing, with the reason, since when, and the next retry. */
export default function BackgroundWorkPage() {
  const [searchParams, setSearchParams] = useSearchParams()
  const queue = queueNames.find(name => name === searchParams.get('queue'))
  const page = readPage(searchParams)
  const list = useDelayedWork({ queue, page })
  // A response without its lists must not crash the page.
  const work = list.data?.work ?? []
  const queues = list.data?.queues ?? []

  function show(change: { queue?: string | undefined; page?: number }, replace = false) {
    setSearchParams(toSearchParams({ queue, page: 1, ...change }), { replace })
  }

  const options = queueNames.map((name: QueueName) => {
    const delayed = queues.find(item => item.queue === name)?.delayed ?? 0
    return {
      value: name,
      label: delayed > 0 ? `${queueLabel(name)} (${formatCount(delayed)})` : queueLabel(name),
    }
  })

  return (
    <div className={styles.page}>
      <PageHeader
        title="Background Work"
        description="Jobs that are delayed, and why. Each is retried automatically and does not hold up the others."
        action={
          <Button icon={RefreshCw} busy={list.isRefetching} onClick={() => void list.refetch()}>
            Refresh
          </Button>
        }
      />
      {!(list.isError && !list.data) && (
        <>
          <UntriedWarning queues={queues} />
          <Figures queues={queues} loading={list.isPending} />
          <FilterBar label="Filter background work">
            <Select
              label="Queue"
              placeholder="All queues"
              options={options}
              value={queue ?? ''}
              onChange={event => show({ queue: event.target.value })}
            />
          </FilterBar>
        </>
      )}
      <ListScreen
        query={list}
        name="background work"
        page={page}
        onPage={(next, replace) => show({ page: next }, replace)}
        noun="delayed item"
      >
        {loading => (
          <WorkTable
            work={work}
            loading={loading}
            empty={
              <EmptyState
                title={queue ? 'Nothing is delayed in this queue' : 'Nothing is delayed'}
                icon={CircleCheck}
                action={queue && <Button onClick={() => show({ queue: undefined })}>Show all queues</Button>}
              >
                Emails, payments, refunds, uploads and other jobs appear here when they are delayed.
              </EmptyState>
            }
          />
        )}
      </ListScreen>
    </div>
  )
}
