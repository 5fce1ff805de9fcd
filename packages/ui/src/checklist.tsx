import { Check, Circle } from 'lucide-react'
import styles from './checklist.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface ChecklistProps {
  /** ID for the `aria-describedby` of the field to which the requirements apply. */
  id?: string | undefined
  label: string
  items: readonly { readonly label: string; readonly done: boolean }[]
}

/** Requirements that are ticked off while the user types, such as those of a password. */
export function Checklist({ id, label, items }: ChecklistProps) {
  return (
    <ul id={id} aria-label={label} className={styles.list}>
      {items.map(item => (
        <li key={item.label} className={classNames(styles.item, item.done && styles.done)}>
          <Icon icon={item.done ? Check : Circle} size={14} />
          <span>
            {item.label}
            <VisuallyHidden>{item.done ? ', met' : ', not met yet'}</VisuallyHidden>
          </span>
        </li>
      ))}
    </ul>
  )
}
