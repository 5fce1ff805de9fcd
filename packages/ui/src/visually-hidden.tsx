import type { ReactNode } from 'react'
import styles from './visually-hidden.module.css'

/** Text that only screen readers present. */
export function VisuallyHidden({ children, id }: { children: ReactNode; id?: string | undefined }) {
  return (
    <span className={styles.hidden} id={id}>
      {children}
    </span>
  )
}
