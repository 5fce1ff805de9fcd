import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './panel.module.css'

export interface PanelProps {
  title?: string | undefined
  /** Level of the heading. */
  level?: 2 | 3 | 4 | undefined
  description?: ReactNode
  /** Action at the end of the heading's line. */
  action?: ReactNode
  /** `sheet` has a border, `plain` has only a heading and a hairline, and `sunken` has a recessed background. */
  variant?: 'sheet' | 'plain' | 'sunken' | undefined
  children?: ReactNode
  className?: string | undefined
}

/** A titled section of a page. */
export function Panel(props: PanelProps) {
  const { title, level = 2, description, action, variant = 'sheet', children, className } = props
  const id = useId()
  const Heading = `h${level}` as const
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={classNames(styles.panel, styles[variant], className)}
    >
      {(title || action) && (
        <header className={styles.header}>
          <div className={styles.words}>
            {title && (
              <Heading id={id} className={styles.title}>
                {title}
              </Heading>
            )}
            {description && <p className={styles.description}>{description}</p>}
          </div>
          {action && <div className={styles.action}>{action}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
