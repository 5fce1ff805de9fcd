import type { ReactNode } from 'react'
import styles from './form-layout.module.css'

/** Stacks the fields of a form. It goes inside the `<form noValidate>`. */
export function FormLayout({ children }: { children: ReactNode }) {
  return <div className={styles.layout}>{children}</div>
}

/** Places related fields next to each other where they fit. */
export function FormRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}

/** A row with the buttons of a form or a result. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
