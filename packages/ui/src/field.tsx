import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Icon } from './icon.tsx'

/** Props of every field. */
export interface FieldProps {
  label: string
  labelHidden?: boolean | undefined
  /** Stays visible below the field. */
  help?: ReactNode
  error?: string | undefined
  /** Labels the field as optional, because most are required. */
  optional?: boolean | undefined
}

/** Props to spread on the control. */
export interface ControlProps {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

interface Props extends FieldProps {
  id?: string | undefined
  /** IDs of other elements that describe the control, e.g. a checklist below it. */
  describedBy?: string | undefined
  children: (control: ControlProps) => ReactNode
}

/** Label, control, error and help, connected for assistive technology. */
export function Field({ label, labelHidden, help, error, optional, id, describedBy, children }: Props) {
  const generatedId = useId()
  const controlId = id ?? generatedId
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
