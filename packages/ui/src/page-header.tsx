import type { ReactNode } from 'react'
import styles from './page-header.module.css'

export interface PageHeaderProps {
  title: string
  description?: ReactNode
  /** A note after the title, such as '(Admin View)'. */
  note?: ReactNode
  /** The primary action, of which a page has one. */
  action?: ReactNode
}

/** The `h1` of a page, its description and its primary action. The heading can receive the focus after a navigation. */
export function PageHeader({ title, description, note, action }: PageHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <h1 className={styles.title} tabIndex={-1} data-page-title>
          {title}
          {note && <span className={styles.note}> {note}</span>}
        </h1>
        {description && (
          <p className={styles.description} data-page-description>
            {description}
          </p>
        )}
      </div>
      {action && (
        <div className={styles.action} data-page-action>
          {action}
        </div>
      )}
    </header>
  )
}
