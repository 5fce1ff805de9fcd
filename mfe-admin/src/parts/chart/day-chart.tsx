import { formatShortDate } from '@portal/format/dates'
import { Icon } from '@portal/ui/icon'
import { ChartNoAxesColumn } from 'lucide-react'
import { useId } from 'react'
import styles from './day-chart.module.css'
import { axisTop } from './scale.ts'

export interface Series {
  readonly key: string
  readonly label: string
  /** The colour of the series: `first` is the institution's, `second` a neutral one. */
  readonly tone: 'first' | 'second'
}

export interface Day {
  /** `YYYY-MM-DD`: the day, or the first day of a longer interval. */
  readonly date: string
  /** The label for the table and the tooltip; by default the date. */
  readonly label?: string
  /** The label for the axis; by default the date without the year. */
  readonly axisLabel?: string
  /** Values by series key; null if unknown. Negative values are drawn as 0, but the table shows them. */
  readonly values: Readonly<Record<string, number | null>>
}

/** A reference line, and the name of the band that begins at the line. */
export interface Mark {
  readonly value: number
  readonly label: string
}

export interface DayChartProps {
  title: string
  /** A sentence that describes the chart to screen readers. */
  summary: string
  series: readonly Series[]
  days: readonly Day[]
  /** Formats a value in full, for the table. */
  format: (value: number) => string
  /** Formats a value in short, for the axis. */
  formatShort?: (value: number) => string
  /** The maximum of the axis, if known; zeros then count as data. */
  top?: number
  /** The text shown instead of the chart if there is no data. */
  empty: string
  marks?: readonly Mark[]
  /** Heading of the table's first column. */
  unit?: string
  /** The heading level of the title. */
  level?: 2 | 3
}

const WIDTH = 10
const BAR_WIDTH = 7
const CHART_HEIGHT = 100

/** Returns true if there is anything to draw. */
const hasData = ({ days, series, top }: Pick<DayChartProps, 'days' | 'series' | 'top'>) =>
  days.some(({ values }) =>
    series.some(({ key }) => (top === undefined ? (values[key] ?? 0) !== 0 : (values[key] ?? null) !== null)),
  )

const getBarValue = (day: Day, series: Series) => Math.max(0, day.values[series.key] ?? 0)
const getDayLabel = ({ date, label }: Day) => label ?? formatShortDate(date)
const getAxisLabel = ({ date, axisLabel }: Day) => axisLabel ?? formatShortDate(date).replace(/, \d{4}$/, '')

function formatValue(day: Day, series: Series, format: (value: number) => string): string {
  const value = day.values[series.key]
  return value === null ? '–' : format(value ?? 0)
}

/** A stacked bar chart with a bar for each day or longer interval, and a data table below. */
export function DayChart(props: DayChartProps) {
  const {
    title,
    summary,
    series,
    days,
    format,
    formatShort = format,
    empty,
    marks = [],
    unit = 'Day',
    level = 3,
  } = props
  const id = useId()
  const Heading = `h${level}` as const
  const heading = (
    <Heading id={id} className={styles.title}>
      {title}
    </Heading>
  )
  const totals = days.map(day => series.reduce((sum, item) => sum + getBarValue(day, item), 0))
  if (!hasData(props))
    return (
      <figure className={styles.figure} aria-labelledby={id}>
        <figcaption className={styles.caption}>{heading}</figcaption>
        <div className={styles.empty}>
          <Icon icon={ChartNoAxesColumn} size={20} />
          <p>{empty}</p>
        </div>
      </figure>
    )
  const top = props.top ?? axisTop(Math.max(0, ...totals))
  const middleDay = days[Math.floor(days.length / 2)]
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption className={styles.caption}>
        {heading}
        {series.length > 1 && (
          <ul className={styles.legend} aria-hidden="true">
            {series.map(item => (
              <li key={item.key} data-tone={item.tone}>
                {item.label}
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      <div className={styles.plot}>
        <div className={styles.axis} aria-hidden="true">
          {[top, top / 2, 0].map(value => (
            <span key={value}>{formatShort(value)}</span>
          ))}
        </div>
        <svg
          className={styles.bars}
          viewBox={`0 0 ${days.length * WIDTH} ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summary}
        >
          {[0, CHART_HEIGHT / 2, CHART_HEIGHT].map(y => (
            <line key={y} className={styles.rule} x1="0" x2={days.length * WIDTH} y1={y} y2={y} />
          ))}
          {days.map((day, index) => (
            <Bars
              key={day.date}
              day={day}
              x={index * WIDTH + (WIDTH - BAR_WIDTH) / 2}
              {...{ series, top, format }}
            />
          ))}
          {marks.map(({ value }) => (
            <line
              key={value}
              className={styles.mark}
              x1="0"
              x2={days.length * WIDTH}
              y1={CHART_HEIGHT - (value / top) * CHART_HEIGHT}
              y2={CHART_HEIGHT - (value / top) * CHART_HEIGHT}
            />
          ))}
        </svg>
        <div className={styles.dates} aria-hidden="true">
          {[days[0], middleDay, days.at(-1)].map(
            (day, index, shownDays) =>
              day && shownDays.indexOf(day) === index && <span key={day.date}>{getAxisLabel(day)}</span>,
          )}
        </div>
      </div>
      {marks.length > 0 && (
        <p className={styles.marks}>
          Reference lines:{' '}
          {marks.map(({ value, label }) => `${label.toLowerCase()} from ${formatShort(value)}`).join(', ')}.
        </p>
      )}
      <details className={styles.details}>
        <summary>Show as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
        <section className={styles.scroll} aria-label={title} tabIndex={0}>
          <DayTable {...{ title, series, days, format, unit }} />
        </section>
      </details>
    </figure>
  )
}

interface BarsProps extends Pick<DayChartProps, 'series' | 'format'> {
  day: Day
  x: number
  top: number
}

function Bars({ day, x, series, top, format }: BarsProps) {
  let stackedHeight = 0
  const segments = series.map(item => {
    const height = (getBarValue(day, item) / top) * CHART_HEIGHT
    stackedHeight += height
    return { ...item, height, y: CHART_HEIGHT - stackedHeight }
  })
  const amounts = series.map(item => `${item.label}: ${formatValue(day, item, format)}`).join(', ')
  return (
    <g>
      <title>{`${getDayLabel(day)}. ${amounts}`}</title>
      {/* The whole column reacts to the pointer, even if its bar is short. */}
      <rect
        className={styles.column}
        x={x - (WIDTH - BAR_WIDTH) / 2}
        y="0"
        width={WIDTH}
        height={CHART_HEIGHT}
      />
      {segments.map(segment => (
        <rect
          key={segment.key}
          className={styles.bar}
          data-tone={segment.tone}
          x={x}
          y={segment.y}
          width={BAR_WIDTH}
          height={segment.height}
        />
      ))}
    </g>
  )
}

function DayTable({
  title,
  series,
  days,
  format,
  unit,
}: Pick<DayChartProps, 'title' | 'series' | 'days' | 'format' | 'unit'>) {
  return (
    <table className={styles.table}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{unit}</th>
          {series.map(item => (
            <th key={item.key} scope="col">
              {item.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...days].reverse().map(day => (
          <tr key={day.date}>
            <th scope="row">{getDayLabel(day)}</th>
            {series.map(item => (
              <td key={item.key}>{formatValue(day, item, format)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
