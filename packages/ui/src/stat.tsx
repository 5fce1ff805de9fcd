import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'
import styles from './stat.module.css'

export interface StatProps {
  label: string
  /** The value, already formatted. */
  value: ReactNode
  /**
   * What the figure means, or how it has changed. While loading, pass a placeholder of about the final length, which reserves
   * the space.
   */
  note?: ReactNode
  loading?: boolean | undefined
}

/** A figure with its label, for use inside a StatGroup. */
export function Stat({ label, value, note, loading }: StatProps) {
  return (
    <div className={styles.stat}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{loading ? <Skeleton width="short" size="figure" /> : value}</dd>
      {note && <dd className={classNames(styles.note, loading && styles.noteLoading)}>{note}</dd>}
    </div>
  )
}

interface StatGroupProps {
  label: string
  children: ReactNode
  /** True to keep three short counts in one row even on a phone. */
  short?: boolean
  className?: string | undefined
}

/** A group of figures on one sheet, separated by hairlines. */
export function StatGroup({ label, children, short, className }: StatGroupProps) {
  return (
    <div className={styles.frame}>
      <dl aria-label={label} className={classNames(styles.group, className)} data-short={short}>
        {children}
      </dl>
    </div>
  )
}
