import styles from './progress.module.css'

export interface ProgressProps {
  label: string
  /** From 0 to `max`; omit it if it is unknown how long the work takes. */
  value?: number | undefined
  max?: number | undefined
  /** Text after the label, such as '412 of 1,000 rows, 8s left'. */
  text?: string | undefined
}

/** Shows progress as a bar and as text. */
export function Progress({ label, value, max = 100, text }: ProgressProps) {
  return (
    <div className={styles.progress}>
      <p className={styles.words}>
        <span>{label}</span>
        {text && <span className={styles.text}>{text}</span>}
      </p>
      <progress
        aria-label={label}
        aria-valuetext={text}
        className={styles.bar}
        max={max}
        value={value === undefined ? undefined : Math.min(Math.max(value, 0), max)}
      />
    </div>
  )
}
