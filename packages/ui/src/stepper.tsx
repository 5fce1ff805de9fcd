import { Check } from 'lucide-react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import styles from './stepper.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface StepperProps {
  /** Accessible label, e.g. 'Verification steps'. */
  label: string
  steps: readonly { readonly id: string; readonly label: string }[]
  /** The ID of the current step. */
  current: string
  /** Marks all steps as completed, including the current one. */
  complete?: boolean | undefined
  /** ID of a step that was passed without being completed; it has no tick. */
  unfinished?: string | undefined
}

/** Shows the position in a sequence of steps, as text and not by colour alone. */
export function Stepper({ label, steps, current, complete = false, unfinished }: StepperProps) {
  const currentIndex = steps.findIndex(step => step.id === current)
  return (
    <nav aria-label={label} className={styles.stepper}>
      <p className={styles.where}>
        Step {currentIndex + 1} of {steps.length}
      </p>
      <ol className={styles.steps}>
        {steps.map((step, index) => {
          const isUnfinished = index < currentIndex && step.id === unfinished
          const done = !isUnfinished && (index < currentIndex || (complete && index === currentIndex))
          const isCurrent = index === currentIndex
          const words = done
            ? ', completed'
            : isCurrent
              ? ', current'
              : isUnfinished
                ? ', not completed yet'
                : ', to come'
          return (
            <li
              key={step.id}
              aria-current={isCurrent ? 'step' : undefined}
              className={classNames(
                styles.step,
                (done || isUnfinished) && styles.done,
                isCurrent && styles.here,
              )}
            >
              <span className={styles.mark} aria-hidden="true">
                {done ? <Icon icon={Check} size={14} /> : index + 1}
              </span>
              <span className={styles.label}>
                {step.label}
                <VisuallyHidden>{words}</VisuallyHidden>
              </span>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
