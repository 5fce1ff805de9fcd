import type { PeriodAnalytics } from '@portal/contract/admin-analytics'
import { formatMoney } from '@portal/format/money'
import { formatCount, formatPercent } from '@portal/format/numbers'
import { EmptyState } from '@portal/ui/empty-state'
import { Panel } from '@portal/ui/panel'
import { Building2, GraduationCap, type LucideIcon } from 'lucide-react'
import styles from './analytics.module.css'

interface Ranked {
  name: string
  verifications: number
  share: number
}

interface Props<Row extends Ranked> {
  title: string
  /** The column heading for the names. */
  kind: string
  unnamed: string
  rows: readonly Row[]
  empty: string
  icon: LucideIcon
  /** A last column, if the ranking has one. */
  last?: { header: string; cell: (row: Row) => string }
}

/** A ranked list with a bar for each row's share of the total. */
function Ranking<Row extends Ranked>({ title, kind, unnamed, rows, empty, icon, last }: Props<Row>) {
  return (
    <Panel title={title}>
      {rows.length === 0 ? (
        <EmptyState title={empty} icon={icon} />
      ) : (
        <table className={styles.small}>
          <caption className={styles.hidden}>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{kind}</th>
              <th scope="col">Verifications</th>
              {last && <th scope="col">{last.header}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.name}>
                <th scope="row">
                  <span className={styles.named}>
                    {row.name || <span className={styles.none}>{unnamed}</span>}
                    <span className={styles.share}>
                      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                        <rect width={Math.min(100, row.share)} height="1" />
                      </svg>
                      <span>{formatPercent(row.share)}</span>
                    </span>
                  </span>
                </th>
                <td>{formatCount(row.verifications)}</td>
                {last && <td>{last.cell(row)}</td>}
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
        kind="Course"
        unnamed="No course"
        rows={courses}
        empty="No courses in this period"
        icon={GraduationCap}
      />
      <Ranking
        title="Top organisations"
        kind="Organisation"
        unnamed="No organisation"
        rows={organisations}
        empty="No organisations in this period"
        icon={Building2}
        last={{ header: 'Revenue', cell: row => formatMoney(row.revenue, currency) }}
      />
    </div>
  )
}
