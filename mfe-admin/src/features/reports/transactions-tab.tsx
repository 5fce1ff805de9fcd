import { ListScreen } from '@portal/account-ui/list-screen'
import { messageOf } from '@portal/api/error'
import type { TransactionRecord } from '@portal/contract/transactions'
import { formatMoney, formatMoneyOrNone } from '@portal/format/money'
import { statusDisplay } from '@portal/format/status'
import { fullName } from '@portal/format/text'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { OneLine } from '@portal/ui/one-line'
import { type Column, Table } from '@portal/ui/table'
import { RefreshCw, SearchX } from 'lucide-react'
import { useState } from 'react'
import lists from '../../parts/list.module.css'
import { ListedEmail } from '../../parts/listed-email.tsx'
import { ListedNumber, Moment } from '../../parts/optional-values.tsx'
import { currencyOf } from './payment-events.ts'
import { PaymentState } from './payment-state.tsx'
import { isFiltered, transactionStatuses } from './report-params.ts'
import styles from './reports.module.css'
import { type Notice, TabFilters } from './tab-filters.tsx'
import type { TabProps } from './tab-props.ts'
import { TransactionButton } from './transaction-button.tsx'
import { reconciledText, useReconcilePayment, useTransactions } from './use-reports.ts'

const STATUS_FILTER = {
  name: 'status',
  label: 'Status',
  placeholder: 'All statuses',
  options: transactionStatuses.map(value => ({ value, label: statusDisplay(value).label })),
} as const

/** The amount paid, and the amount due if they differ. */
function Amount({ row }: { row: TransactionRecord }) {
  const { amount_due: due, amount_paid: paid } = row
  const currency = currencyOf(row)
  return (
    <>
      {formatMoneyOrNone(paid ?? due, currency)}
      {paid === null && <span className={styles.time}>due</span>}
      {typeof paid === 'number' && typeof due === 'number' && paid !== due && (
        <span className={styles.time}>of {formatMoney(due, currency)} due</span>
      )}
    </>
  )
}

interface Actions {
  onOpen: (id: string) => void
  onReconcile: (id: string) => void
  reconcilingId: string | undefined
}

const buildColumns = ({ onOpen, onReconcile, reconcilingId }: Actions): Column<TransactionRecord>[] => [
  {
    key: 'transaction',
    header: 'Transaction',
    rowHeader: true,
    cell: row => (
      <>
        <TransactionButton id={row.transid} onOpen={onOpen} />
        <Moment className={`${lists.secondText} ${styles.moment}`} at={row.created_at} />
      </>
    ),
  },
  {
    key: 'payer',
    header: 'Payer',
    cell: row => (
      <div className={styles.person}>
        <OneLine text={fullName({ firstname: row.fname, lastname: row.sname })} />
        <span className={lists.secondText}>
          <ListedEmail address={row.email} />
        </span>
      </div>
    ),
  },
  {
    key: 'certificate',
    header: 'Certificate',
    cell: row => (
      <div>
        <ListedNumber number={row.regnum} />
        {row.items > 1 && <span className={lists.secondText}>and {row.items - 1} more</span>}
      </div>
    ),
  },
  { key: 'status', header: 'Status', cell: row => <PaymentState row={row} /> },
  { key: 'amount', header: 'Amount', align: 'end', nowrap: true, cell: row => <Amount row={row} /> },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    // Narrow tables omit this column, because the drawer with the details has the same button.
    secondary: true,
    cell: row => (
      <Button
        size="sm"
        variant="quiet"
        icon={RefreshCw}
        busy={reconcilingId === row.transid}
        aria-label={`Reconcile transaction ${row.transid}`}
        onClick={() => onReconcile(row.transid)}
      >
        Reconcile
      </Button>
    ),
  },
]

/** Tab with all payments and their gateway status. They can be filtered, exported, and reconciled one by one. */
export function TransactionsTab({ params, show, clear }: TabProps) {
  const list = useTransactions(params)
  const { transactions = [], pagination } = list.data ?? {}
  const reconciliation = useReconcilePayment()
  const [notice, setNotice] = useState<Notice>()

  function reconcile(id: string) {
    setNotice(undefined)
    reconciliation.mutate(id, {
      onSuccess: () => setNotice({ tone: 'success', text: reconciledText(id) }),
      onError: error => setNotice({ tone: 'danger', text: messageOf(error) }),
    })
  }

  return (
    <div className={lists.stack}>
      <TabFilters
        params={params}
        show={show}
        label="Filter transactions"
        filter={STATUS_FILTER}
        total={pagination?.total}
        notice={notice}
        onNotice={setNotice}
      />
      <ListScreen
        query={list}
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        noun="transaction"
      >
        {loading => (
          <Table
            caption="Transactions"
            captionHidden
            columns={buildColumns({
              onOpen: transaction => show({ transaction, page: params.page }),
              onReconcile: reconcile,
              reconcilingId: reconciliation.isPending ? reconciliation.variables : undefined,
            })}
            rows={transactions}
            rowKey={row => row.transid}
            loading={loading}
            skeletonRows={8}
            empty={
              <EmptyState
                title="No transactions"
                icon={SearchX}
                action={isFiltered(params) && <Button onClick={clear}>Clear filters</Button>}
              >
                {isFiltered(params)
                  ? 'No transactions match these filters.'
                  : 'No payments were started in this period.'}
              </EmptyState>
            }
          />
        )}
      </ListScreen>
    </div>
  )
}
