import type { ReactNode } from 'react'
import styles from './filter-bar.module.css'

/** Filters above a table, and what is done with its rows (export, refresh) at the end of the same line. */
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
