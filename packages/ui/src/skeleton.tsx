import { classNames } from './class-names.ts'
import styles from './skeleton.module.css'

export interface SkeletonProps {
  width?: 'short' | 'medium' | 'full' | undefined
  size?: 'text' | 'figure' | 'block' | undefined
  lines?: number | undefined
}

/** Holds the place of what is loading, in its size. Silent: say 'Loading' once with a Spinner or a busy region. */
export function Skeleton({ width = 'full', size = 'text', lines = 1 }: SkeletonProps) {
  return (
    <span aria-hidden="true" className={styles.stack}>
      {Array.from({ length: lines }, (_, line) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move
          key={line}
          className={classNames(
            styles.bar,
            styles[size],
            styles[lines > 1 && line === lines - 1 ? 'medium' : width],
          )}
        />
      ))}
    </span>
  )
}
