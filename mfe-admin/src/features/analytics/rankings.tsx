import type { PeriodAnalytics } from '@portal/contract/admin-analytics'
import { formatMoney } from '@portal/format/money'
import { formatCount, formatFixedPercent } from '@portal/format/numbers'
import { EmptyState } from '@portal/ui/empty-state'
import { Panel } from '@portal/ui/panel'
import { Building2, GraduationCap, type LucideIcon } from 'lucide-react'
import styles from './analytics.module.css'

interface RankedRow {
  name: string
  verifications: number
  /** Percentage of all verifications. */
  share: number
}

interface Props<Row extends RankedRow> {
  title: string
  nameHeader: string
  unnamedLabel: string
  rows: readonly Row[]
  emptyTitle: string
  icon: LucideIcon
  lastColumn?: { header: string; cell: (row: Row) => string }
}

/** A ranked list with a bar for each row's share of the total. */
function Ranking<Row extends RankedRow>({
  title,
  nameHeader,
  unnamedLabel,
  rows,
  emptyTitle,
  icon,
  lastColumn,
}: Props<Row>) {
  return (
    <Panel title={title}>
      {rows.length === 0 ? (
        <EmptyState title={emptyTitle} icon={icon} />
      ) : (
        <table className={styles.small}>
          <caption className={styles.hidden}>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{nameHeader}</th>
              <th scope="col">Verifications</th>
              {lastColumn && <th scope="col">{lastColumn.header}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.name}>
                <th scope="row">
                  <span className={styles.named}>
                    {row.name || <span className={styles.none}>{unnamedLabel}</span>}
                    <span className={styles.share}>
                      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                        <rect width={Math.min(100, row.share)} height="1" />
                      </svg>
                      <span>{formatFixedPercent(row.share)}</span>
                    </span>
                  </span>
                </th>
                <td>{formatCount(row.verifications)}</td>
                {lastColumn && <td>{lastColumn.cell(row)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

/** The courses and organisations with the most verifications. */
export function Rankings({ analytics }: { analytics: PeriodAnalytics }) {
  const { courses, organisations, currency } = analytics
  return (
    <div className={styles.rankings}>
      <Ranking
        title="Top courses"
        nameHeader="Course"
        unnamedLabel="No course"
        rows={courses}
        emptyTitle="No courses in this period"
        icon={GraduationCap}
      />
      <Ranking
        title="Top organisations"
        nameHeader="Organisation"
        unnamedLabel="No organisation"
        rows={organisations}
        emptyTitle="No organisations in this period"
        icon={Building2}
        lastColumn={{ header: 'Revenue', cell: row => formatMoney(row.revenue, currency) }}
      />
    </div>
  )
}
