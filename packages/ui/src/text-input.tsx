import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

export interface TextInputProps extends FieldProps, Omit<ComponentProps<'input'>, 'size' | 'prefix'> {
  /** True for a monospaced font, for numbers and IDs. */
  mono?: boolean | undefined
  /** True to display the text in uppercase. The value itself must be changed in `onChange`. */
  upper?: boolean | undefined
  /** True for a short field with tabular figures, for amounts. */
  numeric?: boolean | undefined
  large?: boolean | undefined
  icon?: LucideIcon | undefined
  /** A small control at the end of the field, such as an IconButton. */
  trailing?: ReactNode
}

/** A labelled text field. Works with `register()` of react-hook-form. */
export function TextInput(props: TextInputProps) {
  const { label, labelHidden, help, error, optional, mono, upper, numeric, large, icon, trailing, ...rest } =
    props
  const { className, id, 'aria-describedby': describedBy, ...input } = rest
  return (
    <Field {...{ label, labelHidden, help, error, optional, id, describedBy }}>
      {control => (
        <span className={styles.wrap}>
          <input
            type="text"
            {...input}
            {...control}
            className={classNames(
              styles.control,
              mono && styles.mono,
              upper && styles.upper,
              numeric && styles.numeric,
              large && styles.large,
              icon && styles.hasLead,
              trailing !== undefined && styles.hasTrail,
              className,
            )}
          />
          {icon && (
            <span className={styles.lead}>
              <Icon icon={icon} />
            </span>
          )}
          {trailing !== undefined && <span className={styles.trail}>{trailing}</span>}
        </span>
      )}
    </Field>
  )
}
