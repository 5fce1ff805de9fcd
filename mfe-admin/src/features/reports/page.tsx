import { useSearchParams } from '@portal/router'
import { PageHeader } from '@portal/ui/page-header'
import { Tabs } from '@portal/ui/tabs'
import { AuthenticationsTab } from './authentications-tab.tsx'
import { LedgerTab } from './ledger-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { RefundsTab } from './refunds-tab.tsx'
import { initialParamsOf, readReportParams, updateReportParams, writeReportParams } from './report-params.ts'
import type { TabProps } from './tab-props.ts'
import { TransactionDrawer } from './transaction-drawer.tsx'
import { TransactionsTab } from './transactions-tab.tsx'

const tabs = [
  { id: 'overview', label: 'Overview' },
  { id: 'authentications', label: 'Authentications' },
  { id: 'transactions', label: 'Transactions' },
  { id: 'refunds', label: 'Refunds' },
  { id: 'ledger', label: 'Ledger' },
] as const

const panels = {
  overview: OverviewTab,
  authentications: AuthenticationsTab,
  transactions: TransactionsTab,
  refunds: RefundsTab,
  ledger: LedgerTab,
}

/** Verification reports: verifications, payments, refunds and the ledger. */
export default function ReportsPage() {
  const [searchParams, setSearchParams] = useSearchParams()
  const params = readReportParams(searchParams)
  const Panel = panels[params.tab]

  const show: TabProps['show'] = (change, replace = false) => {
    // `params` may be stale: another filter may have changed since the last render.
    const current = new URLSearchParams(window.location.search)
    setSearchParams(writeReportParams(updateReportParams(current, change)), { replace })
  }

  return (
    <>
      <PageHeader
        title="Verification Reports"
        description="Verifications, payments, refunds and the ledger."
      />
      <Tabs
        label="Reports"
        tabs={tabs}
        value={params.tab}
        onChange={tab => setSearchParams(writeReportParams(initialParamsOf(tab)))}
      >
        <Panel
          key={params.tab}
          params={params}
          show={show}
          clear={() => setSearchParams(writeReportParams(initialParamsOf(params.tab)))}
        />
      </Tabs>
      <TransactionDrawer
        id={params.transaction}
        onClose={() => show({ transaction: '', page: params.page })}
      />
    </>
  )
}
