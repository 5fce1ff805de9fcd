import type { PeriodAnalytics } from '@portal/contract/admin-analytics'
import { formatMoney } from '@portal/format/money'
import { formatCount, formatPercent } from '@portal/format/numbers'
import { EmptyState } from '@portal/ui/empty-state'
import { type Column, Table } from '@portal/ui/table'
import { Building2, GraduationCap } from 'lucide-react'
import styles from './analytics.module.css'

type Course = PeriodAnalytics['courses'][number]
type Organisation = PeriodAnalytics['organisations'][number]

/** A name with the length of its share under it: the ranking is seen before it is read. */
function Named({ name, share, none }: { name: string; share: number; none: string }) {
  return (
    <span className={styles.named}>
      {name === '' ? <span className={styles.none}>{none}</span> : name}
      <svg className={styles.share} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={Math.min(100, share)} height="1" />
      </svg>
    </span>
  )
}

const counted: Column<Course> = {
  key: 'verifications',
  header: 'Verifications',
  align: 'end',
  cell: row => formatCount(row.verifications),
}
const shared: Column<Course> = {
  key: 'share',
  header: 'Share',
  align: 'end',
  cell: row => formatPercent(row.share),
}

const courseColumns: readonly Column<Course>[] = [
  {
    key: 'name',
    header: 'Course',
    rowHeader: true,
    cell: row => <Named {...row} none="No course stated" />,
  },
  counted,
  shared,
]

const organisationColumns = (currency: string): readonly Column<Organisation>[] => [
  {
    key: 'name',
    header: 'Organisation',
    rowHeader: true,
    cell: row => <Named {...row} none="No organisation stated" />,
  },
  counted,
  shared,
  {
    key: 'revenue',
    header: 'Revenue',
    align: 'end',
    nowrap: true,
    cell: row => formatMoney(row.revenue, currency),
  },
]

/** The courses that were verified most, and the organisations that verified most. */
export function Rankings({ analytics }: { analytics: PeriodAnalytics }) {
  return (
    <div className={styles.rankings}>
      <Table
        caption="Top courses"
        columns={courseColumns}
        rows={analytics.courses}
        rowKey={row => row.name}
        empty={<EmptyState title="No course was verified in this period" icon={GraduationCap} />}
      />
      <Table
        caption="Top organisations"
        columns={organisationColumns(analytics.currency)}
        rows={analytics.organisations}
        rowKey={row => row.name}
        empty={<EmptyState title="No organisation verified in this period" icon={Building2} />}
      />
    </div>
  )
}
