import { ExportButton } from '@portal/account-ui/export-button'
import { LinkButton } from '@portal/account-ui/link-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { download } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import { MAX_COUNTED } from '@portal/contract/list-limits'
import type { HistoryRecord } from '@portal/contract/verification'
import { formatCount } from '@portal/format/numbers'
import { useNavigate, useSearchParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { PageHeader } from '@portal/ui/page-header'
import { Stat, StatGroup } from '@portal/ui/stat'
import { Table } from '@portal/ui/table'
import { savePayment } from '@portal/verify-flow/pending-payment'
import { clearPersistedNumber, persistNumber } from '@portal/verify-flow/persisted-number'
import { useReissue } from '@portal/verify-flow/use-reissue'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FileSearch, SearchX, ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { history as historyCall } from '../../parts/endpoints.ts'
import { usePrint } from '../../parts/use-print.ts'
import { historyColumns } from './columns.tsx'
import { HistoryFilters } from './filters.tsx'
import styles from './page.module.css'
import {
  defaultParams,
  type HistoryParams,
  isFiltered,
  readParams,
  sortOf,
  toQuery,
  toTableSort,
  writeParams,
} from './params.ts'
import { attemptsNote, figuresOf, formatRowRange, toPrintable } from './row.ts'

const PrintJob = lazy(() => import('../../parts/print-job.tsx'))

/** Number of rows per page (specification, section 9). */
const PER_PAGE = 10

const verifyButton = (
  <LinkButton to={paths.dashboard('verify')} variant="primary" icon={ShieldCheck}>
    Verify Certificate
  </LinkButton>
)

export default function HistoryPage() {
  const [searchParams, setSearchParams] = useSearchParams()
  const params = readParams(searchParams)
  const { page, sort } = params
  const changeParams = (change: Partial<HistoryParams>, replace = false) =>
    setSearchParams(writeParams({ ...params, page: 1, ...change }), { replace })
  const query = toQuery(params)
  const list = useQuery({
    ...q(historyCall, { query: { ...query, page, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  const { data, isPending } = list
  const print = usePrint()
  const [exportFailure, setExportFailure] = useState<string>()
  const reissue = useReissue()
  const resume = useResume()
  const navigate = useNavigate()
  const figures = data && figuresOf(data)
  const hasNoAttempts = figures?.attempts === 0
  const failure = print.error ?? exportFailure

  return (
    <>
      <PageHeader
        title="Verification History"
        description="Your verifications and their letters."
        action={hasNoAttempts ? undefined : verifyButton}
      />
      <div className={styles.page}>
        {failure && (
          <Alert tone="danger" onDismiss={print.error ? print.dismiss : () => setExportFailure(undefined)}>
            {failure}
          </Alert>
        )}
        {!(list.isError && !data) && !hasNoAttempts && <Counters figures={figures} loading={isPending} />}
        <div>
          {!hasNoAttempts && (
            <HistoryFilters
              params={params}
              onChange={changeParams}
              exportButton={
                <ExportButton
                  fetch={() => download(historyCall, { query, headers: { accept: 'text/csv' } })}
                  name="verifications"
                  total={data?.pagination.total}
                  onFailure={error => setExportFailure(error === undefined ? undefined : messageOf(error))}
                />
              }
            />
          )}
          <ListScreen
            query={list}
            failure="Failed to load verification history"
            name="the history"
            page={page}
            onPage={(next, replace) => changeParams({ page: next }, replace)}
            {...(isFiltered(params) && { noun: 'verification', filtered: true, countLimit: MAX_COUNTED })}
          >
            {loading => (
              <Table
                caption="Verifications"
                captionHidden
                columns={historyColumns({
                  printing: print.busyId,
                  onPrint: record => print.start(toPrintable(record)),
                  onResume: resume,
                  onPayAgain: record => {
                    persistNumber(record.certificate_number)
                    void navigate(paths.dashboard('verify'))
                  },
                  reissue,
                })}
                rows={data?.history ?? []}
                rowKey={record => record.id}
                loading={loading}
                skeletonRows={PER_PAGE}
                sort={toTableSort(sort)}
                onSort={next => changeParams({ sort: sortOf(next) })}
                empty={
                  <NoRows
                    attempts={figures?.attempts ?? 0}
                    filtered={isFiltered(params)}
                    onClear={() => changeParams({ ...defaultParams, sort })}
                  />
                }
              />
            )}
          </ListScreen>
        </div>
        {data && data.pagination.pages > 1 && (
          <p className={styles.onPaper}>
            {formatRowRange((page - 1) * PER_PAGE, data.history.length, data.pagination.total)}
          </p>
        )}
      </div>
      {print.job && (
        <Suspense fallback={null}>
          <PrintJob key={print.job.id} {...print.job} onDone={print.done} />
        </Suspense>
      )}
    </>
  )
}

interface CountersProps {
  figures: ReturnType<typeof figuresOf> | undefined
  loading: boolean
}

function Counters({ figures, loading }: CountersProps) {
  const formatFigure = (count: number | undefined) => (count === undefined ? '–' : formatCount(count))
  return (
    <StatGroup label="Your verifications" short>
      <Stat
        label="Total"
        value={formatFigure(figures?.total)}
        note={attemptsNote(figures?.attempts ?? 0)}
        loading={loading}
      />
      <Stat label="Successful" value={formatFigure(figures?.successful)} loading={loading} />
      <Stat label="Not found" value={formatFigure(figures?.notFound)} loading={loading} />
    </StatGroup>
  )
}

function NoRows(props: { attempts: number; filtered: boolean; onClear: () => void }) {
  const { attempts, filtered, onClear } = props
  const navigate = useNavigate()
  if (attempts > 0) {
    return filtered ? (
      <EmptyState
        title="No verification matches"
        icon={SearchX}
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        Names are searched only in certificates that you have verified.
      </EmptyState>
    ) : (
      <EmptyState title="This page is empty" action={<Button onClick={onClear}>Go to the first page</Button>}>
        The list has fewer pages.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No verifications yet"
      icon={FileSearch}
      action={
        <Button variant="primary" icon={ShieldCheck} onClick={() => void navigate(paths.dashboard('verify'))}>
          Verify Certificate
        </Button>
      }
    >
      Once you verify a certificate, its result and its letter are kept here.
    </EmptyState>
  )
}

/** Returns a function that continues a payment on the screen where it was started. */
function useResume() {
  const userId = useSession(session => session.user?.id)
  const navigate = useNavigate()
  return (record: HistoryRecord) => {
    if (!userId) return
    if (record.payment_items > 1) {
      void navigate(paths.bulk(record.bpms_transaction_id))
      return
    }
    clearPersistedNumber()
    savePayment(userId, {
      transactionId: record.bpms_transaction_id,
      certificateNumber: record.certificate_number,
      paymentReference: record.payment_reference,
      amount: record.amount_paid,
      currency: record.currency,
      expiresAt: null,
      certificateKnown: false,
    })
    void navigate(paths.dashboard('verify'))
  }
}
