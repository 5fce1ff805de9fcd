import { type ReactNode, useId } from 'react'
import styles from './choice.module.css'
import { classNames } from './class-names.ts'

export interface RadioOption {
  readonly value: string
  readonly label: ReactNode
  readonly help?: ReactNode
  readonly disabled?: boolean
}

export interface RadioGroupProps {
  legend: string
  name?: string | undefined
  value: string
  onChange: (value: string) => void
  options: readonly RadioOption[]
  help?: ReactNode
  error?: string | undefined
}

/** A group of radio buttons, whose value is controlled. */
export function RadioGroup({ legend, name, value, onChange, options, help, error }: RadioGroupProps) {
  const id = useId()
  const descriptionIds = classNames(error && `${id}-error`, help ? `${id}-help` : false)
  return (
    <fieldset className={styles.group} aria-describedby={descriptionIds || undefined}>
      <legend className={styles.legend}>{legend}</legend>
      {help && (
        <p className={styles.groupHelp} id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p className={styles.groupError} id={`${id}-error`}>
          {error}
        </p>
      )}
      {options.map(option => (
        <div className={styles.choice} key={option.value}>
          <input
            type="radio"
            id={`${id}-${option.value}`}
            name={name ?? id}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            aria-describedby={option.help ? `${id}-${option.value}-help` : undefined}
            className={styles.dot}
          />
          <label className={styles.label} htmlFor={`${id}-${option.value}`}>
            {option.label}
          </label>
          {option.help && (
            <p className={styles.help} id={`${id}-${option.value}-help`}>
              {option.help}
            </p>
          )}
        </div>
      ))}
    </fieldset>
  )
}
