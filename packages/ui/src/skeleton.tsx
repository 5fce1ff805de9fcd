import { classNames } from './class-names.ts'
import styles from './skeleton.module.css'

export interface SkeletonProps {
  width?: 'short' | 'medium' | 'full' | undefined
  /** What it looks like: `field` is a labelled field, `facts` a definition list, and `tabs` the row of tabs above a page. */
  size?: 'text' | 'figure' | 'block' | 'field' | 'facts' | 'tabs' | undefined
  lines?: number | undefined
}

/**
 * Placeholder for content that is loading. Screen readers ignore it: announce 'Loading' once with a Spinner or a busy region.
 */
export function Skeleton({ width = 'full', size = 'text', lines = 1 }: SkeletonProps) {
  return (
    <span aria-hidden="true" className={styles.stack}>
      {Array.from({ length: lines }, (_, line) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: identical, static lines
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
