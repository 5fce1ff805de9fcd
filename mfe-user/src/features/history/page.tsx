import { LinkButton } from '@portal/account-ui/link-button'
import { ListScreen } from '@portal/account-ui/list-screen'
import { q } from '@portal/api/query'
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
import { FileSearch, ShieldCheck } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { history as historyCall } from '../../parts/endpoints.ts'
import { usePrint } from '../../parts/use-print.ts'
import { historyColumns } from './columns.tsx'
import styles from './page.module.css'
import { countersOf, pageOf, printableOf, restOf, rowsShown } from './row.ts'

const PrintJob = lazy(() => import('../../parts/print-job.tsx'))

/** Rows of a page (specification, section 9). */
const PER_PAGE = 10

const verifyButton = (
  <LinkButton to={paths.dashboard('verify')} variant="primary" icon={ShieldCheck}>
    Verify Certificate
  </LinkButton>
)

export default function HistoryPage() {
  const [search, setSearch] = useSearchParams()
  const page = pageOf(search.get('page'))
  const list = useQuery({
    ...q(historyCall, { query: { page, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  const { data, isPending } = list
  const print = usePrint()
  const reissue = useReissue()
  const resume = useResume()
  const navigate = useNavigate()
  const counters = data && countersOf(data)
  const rest = data && restOf(data)
  const figure = (count: number | undefined) => (count === undefined ? '–' : formatCount(count))

  return (
    <>
      <PageHeader
        title="Verification History"
        description="Your verifications and their letters."
        action={counters?.total === 0 ? undefined : verifyButton}
      />
      <div className={styles.page}>
        {print.error && (
          <Alert tone="danger" onDismiss={print.dismiss}>
            {print.error}
          </Alert>
        )}
        {!(list.isError && !data) && counters?.total !== 0 && (
          <StatGroup label="Your verifications" className={styles.counters}>
            <Stat label="Total" value={figure(counters?.total)} loading={isPending} />
            <Stat label="Successful" value={figure(counters?.successful)} loading={isPending} />
            <Stat label="Not found" value={figure(counters?.not_found)} loading={isPending} />
          </StatGroup>
        )}
        {rest && <p className={styles.rest}>{rest}</p>}
        <ListScreen
          query={list}
          failure="Failed to load verification history"
          pagination={data?.pagination}
          page={page}
          onPage={next => setSearch(next === 1 ? {} : { page: String(next) })}
          label="Pages of the history"
        >
          {loading => (
            <Table
              caption="Verifications"
              captionHidden
              columns={historyColumns({
                printing: print.busyId,
                onPrint: record => print.start(printableOf(record)),
                onResume: resume,
                onPayAgain: record => {
                  persistNumber(record.certificate_number)
                  void navigate(paths.dashboard('verify'))
                },
                reissue,
                page: data?.history ?? [],
              })}
              rows={data?.history ?? []}
              rowKey={record => record.id}
              loading={loading}
              skeletonRows={PER_PAGE}
              empty={<NoRows total={counters?.total ?? 0} onFirst={() => setSearch({})} />}
            />
          )}
        </ListScreen>
        {data && data.pagination.pages > 1 && (
          <p className={styles.onPaper}>
            {rowsShown((page - 1) * PER_PAGE, data.history.length, data.pagination.total)}
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

function NoRows({ total, onFirst }: { total: number; onFirst: () => void }) {
  const navigate = useNavigate()
  if (total > 0) {
    return (
      <EmptyState title="This page is empty" action={<Button onClick={onFirst}>Go to the first page</Button>}>
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

/** Hands an open payment to the screen it was started on, which continues it. */
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
