import { TextInput } from './text-input.tsx'

interface Props {
  /** ISO dates; empty for an open end. */
  from: string
  to: string
  /** Called with the end that changed. */
  onChange: (change: { from?: string; to?: string }) => void
  labels?: readonly [from: string, to: string]
  /** The last day that can be chosen. */
  last?: string
}

/** Two date fields that limit each other, next to other filters. */
export function DateRange({ from, to, onChange, labels = ['From', 'To'], last }: Props) {
  return (
    <div data-pair>
      <TextInput
        type="date"
        label={labels[0]}
        max={to || last}
        value={from}
        onChange={event => onChange({ from: event.target.value })}
      />
      <TextInput
        type="date"
        label={labels[1]}
        min={from || undefined}
        max={last}
        value={to}
        onChange={event => onChange({ to: event.target.value })}
      />
    </div>
  )
}
