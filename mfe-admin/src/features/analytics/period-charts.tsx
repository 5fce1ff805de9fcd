import type { PeriodAnalytics } from '@portal/contract/admin-analytics'
import { counted } from '@portal/format/counted'
import { formatMoney } from '@portal/format/money'
import { formatCount, formatFixedPercent, formatPercent, percentOf } from '@portal/format/numbers'
import { successRateDisplay } from '@portal/format/status'
import { Status } from '@portal/ui/badge'
import { Panel } from '@portal/ui/panel'
import { Progress } from '@portal/ui/progress'
import { DayChart } from '../../parts/chart/day-chart.tsx'
import { shortMoney } from '../../parts/chart/short-money.ts'
import styles from './analytics.module.css'
import { formatSpan, intervalLabels, unitTitle } from './labels.ts'

const outcomeSeries = [
  { key: 'successful', label: 'Found', tone: 'first' },
  { key: 'not_found', label: 'Not found', tone: 'second' },
] as const
const revenueSeries = [{ key: 'revenue', label: 'Revenue', tone: 'first' }] as const
const rateSeries = [{ key: 'success_rate', label: 'Success rate', tone: 'first' }] as const
/** Lower bounds of the success-rate bands (specification, section 9). */
const bands = [
  { value: 80, label: 'Excellent' },
  { value: 60, label: 'Good' },
] as const

/** Charts of volume by outcome, of revenue, and of the success rate with its bands. */
export function PeriodCharts({ analytics }: { analytics: PeriodAnalytics }) {
  const { series, unit, currency, figures } = analytics
  const days = series.map(interval => {
    const [label, axisLabel] = intervalLabels[unit](interval)
    const { successful, not_found, revenue: earned, success_rate } = interval
    return {
      date: interval.from,
      label,
      axisLabel,
      values: { successful, not_found, revenue: earned, success_rate },
    }
  })
  const byUnit = `by ${unit}`
  const span = formatSpan(analytics)
  const commonProps = { days, unit: unitTitle[unit], level: 2 } as const
  return (
    <div className={styles.charts}>
      <Panel>
        <DayChart
          {...commonProps}
          title={`Verifications ${byUnit}`}
          summary={`${counted(figures.verifications, 'paid verification')}, ${span}; see the table below for each ${unit}.`}
          empty="No paid verifications in this period."
          series={outcomeSeries}
          format={formatCount}
        />
      </Panel>
      <Panel>
        <DayChart
          {...commonProps}
          title={`Revenue ${byUnit}`}
          summary={`${formatMoney(figures.revenue, currency)}, ${span}; see the table below for each ${unit}.`}
          empty="No revenue in this period."
          series={revenueSeries}
          format={value => formatMoney(value, currency)}
          formatShort={value => shortMoney(value, currency)}
        />
      </Panel>
      <Panel>
        <DayChart
          {...commonProps}
          title={`Success rate ${byUnit}`}
          summary={`${figures.success_rate === null ? 'No verifications' : `${formatPercent(figures.success_rate)} of verifications found a certificate`}, ${span}; see the table below for each ${unit}.`}
          empty="No verifications in this period, so there is no success rate."
          series={rateSeries}
          format={formatPercent}
          top={100}
          marks={bands}
        />
      </Panel>
      <Outcomes figures={figures} />
    </div>
  )
}

/** The number of verifications by outcome in the period, and the band of the success rate. */
function Outcomes({ figures }: Pick<PeriodAnalytics, 'figures'>) {
  const { verifications, successful, not_found, success_rate } = figures
  const percent = (part: number) => formatFixedPercent(percentOf(part, verifications))
  return (
    <Panel title="Outcomes">
      {success_rate === null ? (
        <p className={styles.second}>No verifications in this period.</p>
      ) : (
        <div className={styles.outcomes}>
          <Progress label="Success rate" value={success_rate} text={formatPercent(success_rate)} />
          <Status status={successRateDisplay(success_rate)} />
        </div>
      )}
      <table className={styles.small}>
        <caption className={styles.hidden}>Outcomes of the period</caption>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Verifications</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Found</th>
            <td>{formatCount(successful)}</td>
            <td>{percent(successful)}</td>
          </tr>
          <tr>
            <th scope="row">Not found</th>
            <td>{formatCount(not_found)}</td>
            <td>{percent(not_found)}</td>
          </tr>
        </tbody>
      </table>
      <p className={styles.second}>
        80% and above is excellent, 60% to 79% good; below 60% needs improvement.
      </p>
    </Panel>
  )
}
