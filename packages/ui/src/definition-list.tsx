import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './definition-list.module.css'

export interface Definition {
  readonly term: string
  readonly value: ReactNode
}

export interface DefinitionListProps {
  items: readonly Definition[]
  /** `ruled` separates rows with hairlines; `compact` is for small cards. */
  variant?: 'ruled' | 'compact' | undefined
}

/** Terms with their values in rows; on narrow screens, each value is below its term. */
export function DefinitionList({ items, variant = 'ruled' }: DefinitionListProps) {
  return (
    <dl className={classNames(styles.list, styles[variant])}>
      {items.map(item => (
        <div className={styles.row} key={item.term}>
          <dt className={styles.term}>{item.term}</dt>
          <dd className={styles.value}>{item.value}</dd>
        </div>
      ))}
    </dl>
  )
}
