import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'
import styles from './stat.module.css'

export interface StatProps {
  label: string
  /** Already formatted. */
  value: ReactNode
  /** What the figure means or how it moved. */
  note?: ReactNode
  loading?: boolean | undefined
}

/** One figure with its label; stands in a StatGroup. */
export function Stat({ label, value, note, loading }: StatProps) {
  return (
    <div className={styles.stat}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{loading ? <Skeleton width="short" size="figure" /> : value}</dd>
      {note && !loading && <dd className={styles.note}>{note}</dd>}
    </div>
  )
}

/** Figures on one sheet, parted by hairlines rather than put in boxes. */
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
