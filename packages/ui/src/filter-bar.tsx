import type { ReactNode } from 'react'
import styles from './filter-bar.module.css'

/** Filters above a table, with actions such as export and refresh at the end of the line. */
export function FilterBar({
  label,
  children,
  actions,
}: {
  label: string
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <search aria-label={label} className={styles.bar}>
      <div className={styles.filters}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </search>
  )
}
