import { ExportButton } from '@portal/account-ui/export-button'
import { LoadFailure } from '@portal/account-ui/load-failure'
import { download } from '@portal/api/call'
import { isApiError, messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import type { PeriodAnalytics } from '@portal/contract/admin-analytics'
import { formatCount } from '@portal/format/numbers'
import { useSearchParams } from '@portal/router'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { Skeleton } from '@portal/ui/skeleton'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { analytics } from '../../parts/endpoints.ts'
import { requireData } from '../../parts/require-data.ts'
import styles from './analytics.module.css'
import { Figures } from './figures.tsx'
import { formatSpan } from './labels.ts'
import { PeriodBar } from './period-bar.tsx'
import { PeriodCharts } from './period-charts.tsx'
import { type PeriodParams, readPeriod, toPeriodQuery, writePeriod } from './period-params.ts'
import { Rankings } from './rankings.tsx'

/** Returns the server's validation message for the period, or the failure's own message. */
const describeReason = (error: unknown) =>
  (isApiError(error) && (error.fields.date_to ?? error.fields.date_from)) || messageOf(error)

/** Returns the lists of a response; those that the response omits are empty. */
const listsOf = ({ series, courses, organisations }: Partial<PeriodAnalytics>) => ({
  series: series ?? [],
  courses: courses ?? [],
  organisations: organisations ?? [],
})

/** Revenue, volume and outcomes of a period, compared with the previous one. */
export default function AnalyticsPage() {
  const [searchParams, setSearchParams] = useSearchParams()
  const params = readPeriod(searchParams)
  const query = toPeriodQuery(params)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...q(analytics.period, { query }),
    placeholderData: keepPreviousData,
    select: requireData(reply => reply.analytics?.figures),
  })
  const period = error || !data ? undefined : { ...data.analytics, ...listsOf(data.analytics) }
  const show = (next: PeriodParams) => setSearchParams(writePeriod(next), { replace: true })
  return (
    <div className={styles.page}>
      <PageHeader title="Analytics" description="Revenue, volume and outcomes over time, by UTC day." />
      <PeriodBar
        params={params}
        shown={period}
        onChange={show}
        exportButton={
          <ExportButton
            fetch={() => download(analytics.period, { query, headers: { accept: 'text/csv' } })}
            name="analytics"
            total={undefined}
            onFailure={failure => failure !== undefined && window.alert(describeReason(failure))}
          />
        }
      />
      {error && (
        <LoadFailure
          title="Failed to load analytics"
          query={{ error, isFetching, refetch }}
          reason={describeReason}
        />
      )}
      {!error && (
        <div className={styles.sheets} aria-busy={isPlaceholderData || undefined}>
          <p className={styles.periodSummary} role="status">
            {period && (
              <>
                <strong>{formatSpan(period)}</strong>, {formatCount(period.days)}{' '}
                {period.days === 1 ? 'day' : 'days'}
                {period.before && <>; growth compared with {formatSpan(period.before)}</>}.
              </>
            )}
          </p>
          <Figures analytics={period} />
          {period ? (
            <>
              <PeriodCharts analytics={period} />
              <Rankings analytics={period} />
            </>
          ) : (
            <ChartsLoading />
          )}
        </div>
      )}
    </div>
  )
}

/** Skeletons that match the number and height of the charts. */
function ChartsLoading() {
  return (
    <div className={styles.charts}>
      {['volume', 'revenue', 'rate', 'outcomes'].map(chart => (
        <Panel key={chart}>
          <div className={styles.chartSkeleton}>
            <Skeleton />
            <Skeleton size="block" />
          </div>
        </Panel>
      ))}
    </div>
  )
}
