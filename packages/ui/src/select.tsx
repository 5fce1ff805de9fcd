import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

export interface Option {
  readonly value: string
  readonly label: string
}

export interface SelectProps extends FieldProps, Omit<ComponentProps<'select'>, 'multiple' | 'size'> {
  options: readonly Option[]
  /** Text of the option whose value is the empty string, such as 'All roles'. */
  placeholder?: string | undefined
}

/** A labelled native select. */
export function Select(props: SelectProps) {
  const { label, labelHidden, help, error, optional, options, placeholder, ...rest } = props
  const { className, id, 'aria-describedby': describedBy, ...select } = rest
  return (
    <Field {...{ label, labelHidden, help, error, optional, id, describedBy }}>
      {control => (
        <span className={styles.wrap}>
          <select {...select} {...control} className={classNames(styles.control, styles.select, className)}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map(option => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <span className={styles.chevron}>
            <Icon icon={ChevronDown} />
          </span>
        </span>
      )}
    </Field>
  )
}
