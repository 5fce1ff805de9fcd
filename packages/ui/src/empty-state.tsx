import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { Icon } from './icon.tsx'

export interface EmptyStateProps {
  title: string
  /** One sentence that says what to do next. */
  children?: ReactNode
  icon?: LucideIcon | undefined
  action?: ReactNode
}

/** Shown in place of an empty list: a title, and a hint about what to do. */
export function EmptyState({ title, children, icon, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {icon && (
        <span className={styles.icon}>
          <Icon icon={icon} size={28} />
        </span>
      )}
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
