import { formatShortDate } from '@portal/format/dates'
import { useId } from 'react'
import styles from './day-chart.module.css'
import { axisTop } from './scale.ts'

export interface Series {
  readonly key: string
  readonly label: string
  /** `first` in the institution's colour, `second` in a neutral one. */
  readonly look: 'first' | 'second'
}

export interface Day {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** By the series' key; not negative in the chart, as it is in the table. */
  readonly values: Readonly<Record<string, number>>
}

export interface DayChartProps {
  title: string
  /** One sentence for those who do not see the picture. */
  summary: string
  series: readonly Series[]
  days: readonly Day[]
  /** In full, for the table. */
  format: (value: number) => string
  /** Short, for the axis. */
  formatShort?: (value: number) => string
}

const WIDTH = 10
const BAR = 7
const HEIGHT = 100

const amountOf = (day: Day, series: Series) => day.values[series.key] ?? 0
const drawn = (day: Day, series: Series) => Math.max(0, amountOf(day, series))

/** Bars day by day, the series of a day one upon the other, with their table below. */
export function DayChart({ title, summary, series, days, format, formatShort = format }: DayChartProps) {
  const id = useId()
  const heights = days.map(day => series.reduce((sum, each) => sum + drawn(day, each), 0))
  const top = axisTop(Math.max(0, ...heights))
  const middle = days[Math.floor(days.length / 2)]
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption className={styles.caption}>
        <h3 id={id} className={styles.title}>
          {title}
        </h3>
        {series.length > 1 && (
          <ul className={styles.legend} aria-hidden="true">
            {series.map(each => (
              <li key={each.key} data-look={each.look}>
                {each.label}
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
          viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summary}
        >
          {[0, HEIGHT / 2, HEIGHT].map(y => (
            <line key={y} className={styles.rule} x1="0" x2={days.length * WIDTH} y1={y} y2={y} />
          ))}
          {days.map((day, index) => (
            <Bars
              key={day.date}
              day={day}
              x={index * WIDTH + (WIDTH - BAR) / 2}
              {...{ series, top, format }}
            />
          ))}
        </svg>
        <div className={styles.dates} aria-hidden="true">
          {[days[0], middle, days.at(-1)].map(
            day => day && <span key={day.date}>{formatShortDate(day.date).replace(/, \d{4}$/, '')}</span>,
          )}
        </div>
      </div>
      <details className={styles.details}>
        <summary>Show as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard */}
        <section className={styles.scroll} aria-label={title} tabIndex={0}>
          <DayTable {...{ title, series, days, format }} />
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
  let reached = 0
  const pieces = series.map(each => {
    const height = (drawn(day, each) / top) * HEIGHT
    reached += height
    return { ...each, height, y: HEIGHT - reached }
  })
  const told = series.map(each => `${each.label}: ${format(amountOf(day, each))}`).join(', ')
  return (
    <g>
      <title>{`${formatShortDate(day.date)}. ${told}`}</title>
      {/* The whole column answers the pointer, however low its bar. */}
      <rect className={styles.column} x={x - (WIDTH - BAR) / 2} y="0" width={WIDTH} height={HEIGHT} />
      {pieces.map(piece => (
        <rect
          key={piece.key}
          className={styles.bar}
          data-look={piece.look}
          x={x}
          y={piece.y}
          width={BAR}
          height={piece.height}
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
}: Pick<DayChartProps, 'title' | 'series' | 'days' | 'format'>) {
  return (
    <table className={styles.table}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {series.map(each => (
            <th key={each.key} scope="col">
              {each.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...days].reverse().map(day => (
          <tr key={day.date}>
            <th scope="row">{formatShortDate(day.date)}</th>
            {series.map(each => (
              <td key={each.key}>{format(amountOf(day, each))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
