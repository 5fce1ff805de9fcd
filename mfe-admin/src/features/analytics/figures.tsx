import type { PeriodAnalytics } from '@portal/contract/admin-analytics'
import { formatMoney } from '@portal/format/money'
import { formatCount, formatPercent } from '@portal/format/numbers'
import { successRateDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Icon } from '@portal/ui/icon'
import { Stat, StatGroup } from '@portal/ui/stat'
import { TrendingDown, TrendingUp } from 'lucide-react'
import styles from './analytics.module.css'
import { formatGrowth } from './labels.ts'

/** Growth since the previous period, or that period's value (`before`) if no percentage can be calculated. */
function Growth({
  growth,
  before,
  inPoints = false,
}: {
  growth: number | null
  before?: string
  inPoints?: boolean
}) {
  const text = formatGrowth(growth)
  if (text === undefined || growth === null) return <span>Previous period: {before}</span>
  return (
    <span className={styles.growth} data-direction={growth > 0 ? 'up' : growth < 0 ? 'down' : 'level'}>
      {growth !== 0 && <Icon icon={growth > 0 ? TrendingUp : TrendingDown} size={15} />}
      {inPoints ? text.replace('%', ' points') : text}
    </span>
  )
}

/** Totals of the period, each with its growth. While loading, invisible placeholders keep the height of the notes. */
export function Figures({ analytics }: { analytics: PeriodAnalytics | undefined }) {
  const { figures, before, growth, currency } = analytics ?? {}
  const count = (value: number | undefined) => formatCount(value ?? 0)
  const money = (value: number | undefined) => formatMoney(value ?? 0, currency)
  const rate = figures?.success_rate ?? null
  const stats = [
    { key: 'revenue', label: 'Revenue', format: money },
    { key: 'verifications', label: 'Verifications', format: count },
    { key: 'users', label: 'New users', format: count },
    { key: 'certificates', label: 'New certificates', format: count },
  ] as const
  return (
    <StatGroup label="Figures for the period" className={styles.figures}>
      {stats.map(({ key, label, format }) => (
        <Stat
          key={key}
          label={label}
          value={format(figures?.[key])}
          note={
            !analytics ? (
              <Growth growth={1} />
            ) : before && growth ? (
              <Growth growth={growth[key]} before={format(before[key])} />
            ) : (
              'No earlier data'
            )
          }
          loading={!analytics}
        />
      ))}
      <Stat
        label="Success rate"
        value={rate === null ? '–' : formatPercent(rate)}
        note={
          !analytics ? (
            <span className={styles.rate}>
              <Status status={successRateDisplay(0)} variant="plain" />
              <Growth growth={1} />
            </span>
          ) : (
            rate !== null && (
              <span className={styles.rate}>
                <Status status={successRateDisplay(rate)} variant="plain" />
                {growth && growth.success_rate !== null && <Growth growth={growth.success_rate} inPoints />}
              </span>
            )
          )
        }
        loading={!analytics}
      />
    </StatGroup>
  )
}
