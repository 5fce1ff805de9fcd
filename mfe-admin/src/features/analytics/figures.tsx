import type { PeriodAnalytics } from '@portal/contract/admin-analytics'
import { formatMoney } from '@portal/format/money'
import { formatCount, formatPercent } from '@portal/format/numbers'
import { successRateDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Icon } from '@portal/ui/icon'
import { Stat, StatGroup } from '@portal/ui/stat'
import { TrendingDown, TrendingUp } from 'lucide-react'
import styles from './analytics.module.css'
import { growthInWords } from './labels.ts'

/** Growth compared with the previous period. */
function Growth({ growth, points = false }: { growth: number | null; points?: boolean }) {
  const words = growthInWords(growth)
  if (words === undefined || growth === null) return <span>No earlier data</span>
  return (
    <span className={styles.growth} data-way={growth > 0 ? 'up' : growth < 0 ? 'down' : 'level'}>
      {growth !== 0 && <Icon icon={growth > 0 ? TrendingUp : TrendingDown} size={15} />}
      {points ? words.replace('%', growth === 1 || growth === -1 ? ' point' : ' points') : words}
    </span>
  )
}

/** Totals of the period, each with its growth. */
export function Figures({ analytics }: { analytics: PeriodAnalytics | undefined }) {
  const { figures, before, growth, currency } = analytics ?? {}
  const count = (value: number | undefined) => formatCount(value ?? 0)
  const rate = figures?.success_rate ?? null
  const stats = [
    { key: 'revenue', label: 'Revenue', value: formatMoney(figures?.revenue ?? 0, currency) },
    { key: 'verifications', label: 'Verifications', value: count(figures?.verifications) },
    { key: 'users', label: 'New users', value: count(figures?.users) },
    { key: 'certificates', label: 'New certificates', value: count(figures?.certificates) },
  ] as const
  return (
    <StatGroup label="Figures for the period" className={styles.figures}>
      {stats.map(({ key, label, value }) => (
        <Stat
          key={key}
          label={label}
          value={value}
          note={analytics ? before && growth && <Growth growth={growth[key]} /> : <Growth growth={1} />}
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
                {growth && growth.success_rate !== null && <Growth growth={growth.success_rate} points />}
              </span>
            )
          )
        }
        loading={!analytics}
      />
    </StatGroup>
  )
}
