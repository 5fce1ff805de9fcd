import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Icon } from './icon.tsx'

/** Props that all fields have. */
export interface FieldProps {
  label: string
  labelHidden?: boolean | undefined
  /** Help text, which is always visible below the field. */
  help?: ReactNode
  error?: string | undefined
  /** Adds "(optional)" to the label. Required fields are not marked, because most fields are required. */
  optional?: boolean | undefined
}

/** Props that a field passes on to its control. */
export interface ControlProps {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

interface Props extends FieldProps {
  id?: string | undefined
  /** IDs of other elements that describe the control, such as a checklist below it. */
  describedBy?: string | undefined
  children: (control: ControlProps) => ReactNode
}

/** Renders a control with its label, error and help text, linked so that screen readers announce them together. */
export function Field({ label, labelHidden, help, error, optional, id, describedBy, children }: Props) {
  const generatedId = useId()
  const controlId = id ?? generatedId
  const helpId = `${controlId}-help`
  const errorId = `${controlId}-error`
  const descriptionIds = classNames(error && errorId, help ? helpId : false, describedBy)
  return (
    <div className={styles.field}>
      <label className={classNames(styles.label, labelHidden && styles.hidden)} htmlFor={controlId}>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </label>
      {children({
        id: controlId,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': descriptionIds || undefined,
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
