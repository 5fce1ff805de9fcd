import type { StatusDisplay, Tone } from '@portal/format/status'
import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'
import { StatusGlyph } from './status-glyph.tsx'

/** A short label, such as a role or a count. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone | undefined; children: ReactNode }) {
  return <span className={classNames(styles.badge, styles.filled, styles[tone])}>{children}</span>
}

export interface StatusProps {
  /** The status, whose label, tone and icon come from `@portal/format`. */
  status: StatusDisplay
  /** `plain` is for tables, `filled` for everywhere else. */
  variant?: 'plain' | 'filled' | undefined
}

/** A status with its label, icon and colour. */
export function Status({ status, variant = 'filled' }: StatusProps) {
  return (
    <span className={classNames(styles.badge, styles[variant], styles[status.tone])}>
      <StatusGlyph icon={status.icon} size={15} />
      {status.label}
    </span>
  )
}
