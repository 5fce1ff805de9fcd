import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import styles from './stage-list.module.css'

export type StageState = 'done' | 'active' | 'waiting' | 'failed'

export interface Stage {
  readonly id: string
  readonly label: string
  readonly state: StageState
  readonly note?: ReactNode
}

const words: Readonly<Record<StageState, string>> = {
  done: 'Done',
  active: 'In progress',
  waiting: 'Waiting',
  failed: 'Failed',
}

/** The stages of a background process, each with its state as text. Changes are announced. */
export function StageList({ label, stages }: { label: string; stages: readonly Stage[] }) {
  return (
    <ol aria-label={label} aria-live="polite" className={styles.list}>
      {stages.map(stage => (
        // Atomic, so that the name of the stage is announced together with its new state.
        <li key={stage.id} aria-atomic="true" className={classNames(styles.stage, styles[stage.state])}>
          <span className={styles.mark} aria-hidden="true">
            {stage.state === 'done' && <Icon icon={Check} size={16} />}
            {stage.state === 'failed' && <Icon icon={X} size={16} />}
          </span>
          <span className={styles.words}>
            <span className={styles.label}>{stage.label}</span>
            <span className={styles.state}>{words[stage.state]}</span>
            {stage.note && <span className={styles.note}>{stage.note}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
