import { TextInput } from './text-input.tsx'

interface Props {
  /** First and last day as ISO dates; empty for an open end. */
  from: string
  to: string
  /** Called with the day that was changed. */
  onChange: (change: { from?: string; to?: string }) => void
  labels?: readonly [from: string, to: string]
  /** True if the days are UTC days, which the labels then state. */
  utc?: boolean
  /** The last day that can be chosen. */
  last?: string
}

/** Two date fields, each of which limits the other, for use next to other filters. */
export function DateRange({ from, to, onChange, labels = ['From', 'To'], utc, last }: Props) {
  const zone = utc ? ' (UTC)' : ''
  return (
    <div data-pair>
      <TextInput
        type="date"
        label={labels[0] + zone}
        max={to || last}
        value={from}
        onChange={event => onChange({ from: event.target.value })}
      />
      <TextInput
        type="date"
        label={labels[1] + zone}
        min={from || undefined}
        max={last}
        value={to}
        onChange={event => onChange({ to: event.target.value })}
      />
    </div>
  )
}
