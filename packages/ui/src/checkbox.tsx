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
  const made = useId()
  const own = id ?? made
  const described = classNames(error && `${own}-error`, help ? `${own}-help` : false)
  return (
    <div className={classNames(styles.choice, className)}>
      <input
        {...input}
        id={own}
        type="checkbox"
        className={styles.box}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      />
      <label className={styles.label} htmlFor={own}>
        {label}
      </label>
      {error && (
        <p className={styles.error} id={`${own}-error`}>
          {error}
        </p>
      )}
      {help && (
        <p className={styles.help} id={`${own}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}
