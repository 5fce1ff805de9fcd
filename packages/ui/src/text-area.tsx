import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'

/** A text field of several lines, which grows with its content. */
export function TextArea(props: FieldProps & ComponentProps<'textarea'>) {
  const {
    label,
    labelHidden,
    help,
    error,
    optional,
    className,
    id,
    'aria-describedby': describedBy,
    ...area
  } = props
  return (
    <Field {...{ label, labelHidden, help, error, optional, id, describedBy }}>
      {control => (
        <textarea
          rows={3}
          {...area}
          {...control}
          className={classNames(styles.control, styles.area, className)}
        />
      )}
    </Field>
  )
}
