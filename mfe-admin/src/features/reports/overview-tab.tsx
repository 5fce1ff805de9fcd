import { Results } from '@portal/account-ui/list-screen'
import { LoadFailure } from '@portal/account-ui/load-failure'
import type { Report } from '@portal/contract/admin-reports'
import { formatMoney } from '@portal/format/money'
import { formatCount, formatPercent } from '@portal/format/numbers'
import { statusDisplay, successRateDisplay } from '@portal/format/status'
import { Link } from '@portal/router'
import { Status } from '@portal/ui/badge'
import { DateRange } from '@portal/ui/date-range'
import { FilterBar } from '@portal/ui/filter-bar'
import { Stat, StatGroup } from '@portal/ui/stat'
import { type Column, Table } from '@portal/ui/table'
import lists from '../../parts/list.module.css'
import { ReconcilePanel } from './reconcile-panel.tsx'
import { Reconciliations } from './reconciliations.tsx'
import styles from './reports.module.css'
import type { TabProps } from './tab-props.ts'
import { useSummary } from './use-reports.ts'

/** The totals of the period, and whether they agree with the gateway. */
export function OverviewTab({ params, show }: TabProps) {
  const summary = useSummary(params)
  const report = summary.data?.report
  return (
    <div className={lists.stack}>
      <FilterBar label="Report period">
        <DateRange utc from={params.from} to={params.to} onChange={show} />
      </FilterBar>
      <p className={styles.hint}>
        Both days are included. By default, the period is today and the 30 days before.
      </p>
      {summary.isError && <LoadFailure title="The report could not be loaded" query={summary} />}
      {!(summary.isError && !report) && (
        <Results waiting={summary.isPlaceholderData}>
          <div className={lists.stack}>
            <Figures report={report} />
            <Payments report={report} />
            <RevenueNote report={report} />
          </div>
        </Results>
      )}
      <div data-print="hidden">
        <ReconcilePanel show={show} />
      </div>
      <Reconciliations show={show} />
    </div>
  )
}

function Figures({ report }: { report: Report | undefined }) {
  const loading = report === undefined
  const count = (value = 0) => formatCount(value)
  const money = (value = 0) => formatMoney(value, report?.currency)
  const refundsDue = report?.refunds_due
  return (
    <StatGroup label="Figures for the period">
      <Stat
        label="Verifications"
        value={count(report?.verifications)}
        note={`${count(report?.successful)} found, ${count(report?.not_found)} not found`}
        loading={loading}
      />
      <Stat
        label="Success rate"
        value={formatPercent(report?.success_rate ?? 0)}
        note={
          report && report.verifications > 0 ? (
            <Status status={successRateDisplay(report.success_rate)} variant="plain" />
          ) : (
            'No verifications'
          )
        }
        loading={loading}
      />
      <Stat label="Revenue" value={money(report?.revenue)} note="net of reversals" loading={loading} />
      <Stat
        label="Refunds due"
        value={money(refundsDue?.amount)}
        note={
          refundsDue && refundsDue.count > 0 ? (
            <Link to="?tab=refunds">
              {refundsDue.count === 1 ? '1 refund' : `${count(refundsDue.count)} refunds`} due
            </Link>
          ) : (
            'No refunds due'
          )
        }
        loading={loading}
      />
    </StatGroup>
  )
}

/** Explains what the revenue includes. Its space is reserved while it loads, so that the layout does not shift. */
function RevenueNote({ report }: { report: Report | undefined }) {
  const money = (value: number) => formatMoney(value, report?.currency)
  return (
    <p className={styles.revenueNote}>
      {report?.tax !== undefined && `Revenue includes ${money(report.tax)} of tax. `}
      {report?.gateway_fees !== undefined &&
        `Gateway fees of ${money(report.gateway_fees)} are not deducted.`}
    </p>
  )
}

type Row = Report['payments'][number]

const buildColumns = (currency: string | undefined): Column<Row>[] => [
  {
    key: 'status',
    header: 'Status',
    rowHeader: true,
    cell: row => <Status status={statusDisplay(row.status)} variant="plain" />,
  },
  { key: 'count', header: 'Payments', align: 'end', cell: row => formatCount(row.count) },
  {
    key: 'due',
    header: 'Amount due',
    align: 'end',
    nowrap: true,
    cell: row => formatMoney(row.amount_due, currency),
  },
  {
    key: 'paid',
    header: 'Received',
    align: 'end',
    nowrap: true,
    cell: row => (row.status === 'paid' ? formatMoney(row.amount_paid, currency) : '–'),
  },
]

function Payments({ report }: { report: Report | undefined }) {
  return (
    <Table
      caption="Payments started in the period"
      columns={buildColumns(report?.currency)}
      rows={report?.payments}
      rowKey={row => row.status}
      loading={report === undefined}
      skeletonRows={3}
    />
  )
}
