import { isoDateDaysBefore } from '@portal/format/dates'
import { DateRange } from '@portal/ui/date-range'
import { FilterBar } from '@portal/ui/filter-bar'
import type { ReactNode } from 'react'
import styles from './analytics.module.css'
import { type PeriodParams, presets } from './period-params.ts'

interface Props {
  params: PeriodParams
  /** The dates that the figures cover. The date fields show them while a preset is selected. */
  shown: { from: string; to: string } | undefined
  onChange: (params: PeriodParams) => void
  exportButton: ReactNode
}

/** Period filter: a preset up to today, or custom dates. */
export function PeriodBar({ params, shown, onChange, exportButton }: Props) {
  const today = isoDateDaysBefore(0)
  const range = params.preset === undefined ? params : { from: shown?.from ?? '', to: shown?.to ?? '' }
  const choose = (change: { from?: string; to?: string }) => {
    const next = { from: range.from, to: range.to, ...change }
    // A cleared date leaves that end open; clearing both selects all time.
    onChange(next.from || next.to ? { preset: undefined, ...next } : { preset: 'all' })
  }
  return (
    <div className={styles.bar}>
      <FilterBar label="Period">
        <fieldset className={styles.presets}>
          <legend className={styles.legend}>Preset period</legend>
          {presets.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              className={styles.preset}
              aria-pressed={params.preset === id}
              onClick={() => onChange({ preset: id })}
            >
              {label}
            </button>
          ))}
        </fieldset>
        <DateRange from={range.from} to={range.to} last={today} onChange={choose} />
        <div className={styles.export}>{exportButton}</div>
      </FilterBar>
    </div>
  )
}
