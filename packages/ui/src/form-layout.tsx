import type { ReactNode } from 'react'
import styles from './form-layout.module.css'

/** Stacks fields; place it inside the `<form noValidate>`. */
export function FormLayout({ children }: { children: ReactNode }) {
  return <div className={styles.layout}>{children}</div>
}

/** Places related fields side by side where they fit. */
export function FormRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}

/** The buttons of a form or a result. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
