import styles from './progress.module.css'

export interface ProgressProps {
  label: string
  /** 0 to `max`, capped; omit it if the length is unknown. */
  value?: number | undefined
  max?: number | undefined
  /** Text after the label, e.g. '412 of 1,000 rows, 8s left'. */
  text?: string | undefined
}

/** Progress as a bar and text. */
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
