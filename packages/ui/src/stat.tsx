import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'
import styles from './stat.module.css'

export interface StatProps {
  label: string
  /** Formatted value. */
  value: ReactNode
  /**
   * The meaning of the figure, or its change. Its space is reserved while loading, so pass text of about the final
   * length.
   */
  note?: ReactNode
  loading?: boolean | undefined
}

/** A figure with its label, inside a StatGroup. */
export function Stat({ label, value, note, loading }: StatProps) {
  return (
    <div className={styles.stat}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{loading ? <Skeleton width="short" size="figure" /> : value}</dd>
      {note && loading && (
        <dd className={classNames(styles.note, styles.noteLoading)} aria-hidden="true">
          <span>{note}</span>
        </dd>
      )}
      {note && !loading && <dd className={styles.note}>{note}</dd>}
    </div>
  )
}

/** Figures on one sheet, separated by hairlines. */
export function StatGroup({
  label,
  children,
  className,
}: {
  label: string
  children: ReactNode
  className?: string | undefined
}) {
  return (
    <div className={styles.frame}>
      <dl aria-label={label} className={classNames(styles.group, className)}>
        {children}
      </dl>
    </div>
  )
}
