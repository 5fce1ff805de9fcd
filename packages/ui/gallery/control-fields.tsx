import { Button } from '@portal/ui/button'
import { Checkbox } from '@portal/ui/checkbox'
import { Select } from '@portal/ui/select'
import { TextInput } from '@portal/ui/text-input'
import { useId } from 'react'
import { type Control, type Controls, initialValues } from './story.ts'
import styles from './workshop.module.css'

interface FieldProps {
  name: string
  control: Control
  value: unknown
  onChange: (value: unknown) => void
}

function ControlField({ name, control, value, onChange }: FieldProps) {
  if (typeof control === 'boolean')
    return (
      <Checkbox label={name} checked={value === true} onChange={event => onChange(event.target.checked)} />
    )
  if (typeof control === 'string' || typeof control === 'number')
    return (
      <TextInput
        label={name}
        type={typeof control === 'number' ? 'number' : 'text'}
        value={String(value)}
        onChange={({ target }) =>
          onChange(typeof control === 'number' ? target.valueAsNumber || 0 : target.value)
        }
      />
    )
  return (
    <Select
      label={name}
      options={control.map(item => ({ value: item, label: item }))}
      value={String(value)}
      onChange={event => onChange(event.target.value)}
    />
  )
}

interface Props {
  controls: Controls
  values: Readonly<Record<string, unknown>>
  onChange: (values: Record<string, unknown>) => void
}

/** Fields for setting the props of a playground. */
export function ControlFields({ controls, values, onChange }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.controls}>
      <div className={styles.heading}>
        <h3 id={id} className={styles.legend}>
          Props
        </h3>
        <Button size="sm" variant="quiet" onClick={() => onChange(initialValues(controls))}>
          Reset
        </Button>
      </div>
      <div className={styles.fields}>
        {Object.entries(controls)
          // Checkboxes come last, next to each other.
          .sort(([, a], [, b]) => Number(typeof a === 'boolean') - Number(typeof b === 'boolean'))
          .map(([name, control]) => (
            <ControlField
              key={name}
              {...{ name, control }}
              value={values[name]}
              onChange={value => onChange({ ...values, [name]: value })}
            />
          ))}
      </div>
    </section>
  )
}
