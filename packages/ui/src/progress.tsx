import styles from './progress.module.css'

export interface ProgressProps {
  label: string
  /** 0 to `max`; left out, the length of the work is not known. Capped at `max`. */
  value?: number | undefined
  max?: number | undefined
  /** In words beside the label: '412 of 1,000 rows, 8s left'. */
  text?: string | undefined
}

/** How far something is, as a bar and in words. */
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
