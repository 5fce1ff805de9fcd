import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Icon } from './icon.tsx'

/** What every field takes. `error` stands at the field in the specification's words. */
export interface FieldProps {
  label: string
  labelHidden?: boolean | undefined
  /** Stays below the field. */
  help?: ReactNode
  error?: string | undefined
  /** Marked in words, since most fields are required. */
  optional?: boolean | undefined
}

/** To be spread on the control. */
export interface ControlProps {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

interface Props extends FieldProps {
  id?: string | undefined
  /** Extra ids that describe the control, e.g. a checklist below it. */
  describedBy?: string | undefined
  children: (control: ControlProps) => ReactNode
}

/** Label above, control, error and help below, tied together for assistive technology. */
export function Field({ label, labelHidden, help, error, optional, id, describedBy, children }: Props) {
  const made = useId()
  const controlId = id ?? made
  const helpId = `${controlId}-help`
  const errorId = `${controlId}-error`
  const described = classNames(error && errorId, help ? helpId : false, describedBy)
  return (
    <div className={styles.field}>
      <label className={classNames(styles.label, labelHidden && styles.hidden)} htmlFor={controlId}>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </label>
      {children({
        id: controlId,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {error && (
        <p className={styles.error} id={errorId}>
          <Icon icon={CircleAlert} size={16} />
          <span>{error}</span>
        </p>
      )}
      {help && (
        <div className={styles.help} id={helpId}>
          {help}
        </div>
      )}
    </div>
  )
}
