import type { ReactNode } from 'react'
import styles from './layout.module.css'

/* Layouts for the stories of a component. */

export const Row = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>

export const Stack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>

export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
)

/** A container that is as wide as a typical form. */
export const Narrow = ({ children }: { children: ReactNode }) => <div className={styles.form}>{children}</div>
