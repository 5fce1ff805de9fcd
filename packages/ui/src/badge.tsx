import type { StatusDisplay, Tone } from '@portal/format/status'
import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'
import { StatusGlyph } from './status-glyph.tsx'

/** A short word set apart: a role, a count. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone | undefined; children: ReactNode }) {
  return <span className={classNames(styles.badge, styles.filled, styles[tone])}>{children}</span>
}

export interface StatusProps {
  /** From `@portal/format/status`, the one place of labels, tones and icons. */
  status: StatusDisplay
  /** Plain stands in tables, filled alone. */
  variant?: 'plain' | 'filled' | undefined
}

/** A status: its word, its icon and its colour together. */
export function Status({ status, variant = 'filled' }: StatusProps) {
  return (
    <span className={classNames(styles.badge, styles[variant], styles[status.tone])}>
      <StatusGlyph icon={status.icon} size={15} />
      {status.label}
    </span>
  )
}
