import { classNames } from './class-names.ts'
import styles from './spinner.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

interface SpinnerProps {
  /** What is loading, such as 'Loading dashboard...'. */
  label: string
  labelHidden?: boolean | undefined
  size?: 'sm' | 'md' | undefined
}

/** Progress of unknown length, with a label that is announced once. */
export function Spinner({ label, labelHidden = false, size = 'md' }: SpinnerProps) {
  return (
    <span role="status" className={classNames(styles.spinner, styles[size])}>
      <span aria-hidden="true" className={styles.ring} />
      {labelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : <span>{label}</span>}
    </span>
  )
}
