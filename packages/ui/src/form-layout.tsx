import type { ReactNode } from 'react'
import styles from './form-layout.module.css'

/** Fields one below the other, with room between; put it inside the `<form noValidate>`. */
export function FormLayout({ children }: { children: ReactNode }) {
  return <div className={styles.layout}>{children}</div>
}

/** Fields that belong together side by side, where there is room. */
export function FormRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}

/** The form's buttons. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
