import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './choice.module.css'
import { classNames } from './class-names.ts'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode
  help?: ReactNode
  error?: string | undefined
}

/** A checkbox with its label. */
export function Checkbox({ label, help, error, id, className, ...input }: CheckboxProps) {
  const generatedId = useId()
  const inputId = id ?? generatedId
  const descriptionIds = classNames(error && `${inputId}-error`, help ? `${inputId}-help` : false)
  return (
    <div className={classNames(styles.choice, className)}>
      <input
        {...input}
        id={inputId}
        type="checkbox"
        className={styles.box}
        aria-invalid={error ? true : undefined}
        aria-describedby={descriptionIds || undefined}
      />
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
      {error && (
        <p className={styles.error} id={`${inputId}-error`}>
          {error}
        </p>
      )}
      {help && (
        <p className={styles.help} id={`${inputId}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}
