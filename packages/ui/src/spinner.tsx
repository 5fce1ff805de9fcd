import { classNames } from './class-names.ts'
import styles from './spinner.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

interface SpinnerProps {
  /** The thing being loaded, e.g. 'Loading dashboard...'. */
  label: string
  labelHidden?: boolean | undefined
  size?: 'sm' | 'md' | undefined
}

/** Indeterminate progress with a label, announced once. */
export function Spinner({ label, labelHidden = false, size = 'md' }: SpinnerProps) {
  return (
    <span role="status" className={classNames(styles.spinner, styles[size])}>
      <span aria-hidden="true" className={styles.ring} />
      {labelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : <span>{label}</span>}
    </span>
  )
}
