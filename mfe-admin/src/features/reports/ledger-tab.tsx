import { ListScreen } from '@portal/account-ui/list-screen'
import type { adminReconciliation, LedgerEntry } from '@portal/contract/admin-reconciliation'
import type { Reply } from '@portal/contract/route'
import { formatDateTime } from '@portal/format/dates'
import { formatMoney } from '@portal/format/money'
import { ledgerAccountLabel, ledgerReason } from '@portal/format/reports'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { Icon } from '@portal/ui/icon'
import { type Column, Table } from '@portal/ui/table'
import { BookOpen, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import lists from '../../parts/list.module.css'
import { isFiltered, ledgerAccounts } from './report-params.ts'
import styles from './reports.module.css'
import { type Notice, TabFilters } from './tab-filters.tsx'
import type { TabProps } from './tab-props.ts'
import { TransactionButton } from './transaction-button.tsx'
import { useLedger } from './use-reports.ts'

const ACCOUNT_FILTER = {
  name: 'account',
  label: 'Account',
  placeholder: 'All accounts',
  options: ledgerAccounts.map(value => ({ value, label: ledgerAccountLabel(value) })),
} as const

/** Returns the texts of a signed amount for the Debit and Credit columns, of which one is empty. */
const toDebitAndCredit = (amount: number, currency: string) => ({
  debit: amount > 0 ? formatMoney(amount, currency) : '',
  credit: amount < 0 ? formatMoney(-amount, currency) : '',
})

const buildColumns = (onOpen: (id: string) => void): Column<LedgerEntry>[] => [
  {
    key: 'booked',
    header: 'Entry',
    rowHeader: true,
    cell: entry => (
      <>
        {ledgerReason(entry.reason)}
        <time className={styles.time} dateTime={entry.at}>
          {formatDateTime(entry.at)}
        </time>
      </>
    ),
  },
  { key: 'account', header: 'Account', cell: entry => ledgerAccountLabel(entry.account) },
  {
    key: 'transaction',
    header: 'Transaction',
    cell: entry => <TransactionButton id={entry.transaction_id} onOpen={onOpen} />,
  },
  {
    key: 'debit',
    header: 'Debit',
    align: 'end',
    nowrap: true,
    cell: entry => toDebitAndCredit(entry.amount, entry.currency).debit,
  },
  {
    key: 'credit',
    header: 'Credit',
    align: 'end',
    nowrap: true,
    cell: entry => toDebitAndCredit(entry.amount, entry.currency).credit,
  },
]

type Balance = Reply<typeof adminReconciliation.ledger>['balances'][number]

const balanceColumns: readonly Column<Balance>[] = [
  { key: 'account', header: 'Account', rowHeader: true, cell: row => ledgerAccountLabel(row.account) },
  {
    key: 'debit',
    header: 'Debit',
    align: 'end',
    nowrap: true,
    cell: row =>
      toDebitAndCredit(row.balance, row.currency).debit ||
      (row.balance === 0 && formatMoney(0, row.currency)),
  },
  {
    key: 'credit',
    header: 'Credit',
    align: 'end',
    nowrap: true,
    cell: row => toDebitAndCredit(row.balance, row.currency).credit,
  },
]

/** Adds up the balances of each currency in integer minor units, because floats would not be exact. */
function sumByCurrency(balances: readonly Balance[]): { currency: string; minor: number }[] {
  const sums = new Map<string, number>()
  for (const { currency, balance } of balances)
    sums.set(currency, (sums.get(currency) ?? 0) + Math.round(balance * 100))
  return [...sums].map(([currency, minor]) => ({ currency, minor }))
}

/** Shows whether debits and credits balance across all accounts. A single account need not balance. */
function BalanceCheck({ balances, account }: { balances: readonly Balance[]; account: string }) {
  if (account !== '') return <p className={styles.hint}>Balances add up to zero only across all accounts.</p>
  const unbalanced = sumByCurrency(balances).filter(({ minor }) => minor !== 0)
  if (unbalanced.length > 0) {
    const difference = unbalanced
      .map(({ currency, minor }) => formatMoney(minor / 100, currency))
      .join(' and ')
    return (
      <Alert tone="danger" title="The books do not balance">
        Debits and credits differ by {difference}. Please contact the portal’s operator.
      </Alert>
    )
  }
  return (
    <p className={styles.proof}>
      <Icon icon={CircleCheck} size={16} />
      Debits and credits balance.
    </p>
  )
}

/** The double-entry ledger: account balances and entries. */
export function LedgerTab({ params, show, clear }: TabProps) {
  const list = useLedger(params)
  const { entries, balances, pagination } = list.data ?? {}
  const [notice, setNotice] = useState<Notice>()
  const isEmpty = pagination?.total === 0
  return (
    <div className={lists.stack}>
      <TabFilters
        params={params}
        show={show}
        label="Filter ledger"
        filter={ACCOUNT_FILTER}
        total={pagination?.total}
        notice={notice}
        onNotice={setNotice}
      />
      <ListScreen
        query={list}
        name="the ledger"
        page={params.page}
        onPage={(page, replace) => show({ page }, replace)}
        noun="entry"
      >
        {loading => (
          <div className={`${lists.stack} ${styles.books}`}>
            {!isEmpty && (
              <div className={styles.balances}>
                <Table
                  caption={isFiltered(params) ? 'Balances for these filters' : 'Balances'}
                  columns={balanceColumns}
                  rows={balances}
                  rowKey={row => `${row.account} ${row.currency}`}
                  loading={loading}
                  skeletonRows={6}
                />
                {loading && <p className={styles.proof}>&nbsp;</p>}
                {balances && <BalanceCheck balances={balances} account={params.account} />}
              </div>
            )}
            <Table
              caption="Entries"
              columns={buildColumns(transaction => show({ transaction, page: params.page }))}
              rows={entries}
              rowKey={entry => entry.id}
              loading={loading}
              skeletonRows={8}
              empty={
                <EmptyState
                  title={isFiltered(params) ? 'No matching entries' : 'No entries yet'}
                  icon={BookOpen}
                  action={isFiltered(params) && <Button onClick={clear}>Clear filters</Button>}
                >
                  {isFiltered(params)
                    ? 'No entries match these filters.'
                    : 'Every payment received is booked here as a debit and a credit.'}
                </EmptyState>
              }
            />
          </div>
        )}
      </ListScreen>
    </div>
  )
}
