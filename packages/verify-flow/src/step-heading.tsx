import { type ReactNode, useEffect, useRef } from 'react'
import styles from './verify-widget.module.css'

interface StepHeadingProps {
  level: 2 | 3
  /** False for the first step that a page shows, because that must not take the focus. */
  focus?: boolean
  children: ReactNode
}

/** Heading of a step. It takes the focus when the step appears, so that the step is announced and Tab continues from there. */
export function StepHeading({ level, focus = true, children }: StepHeadingProps) {
  const Heading = `h${level}` as const
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (focus) ref.current?.focus()
  }, [focus])
  return (
    <Heading ref={ref} tabIndex={-1} className={styles.heading}>
      {children}
    </Heading>
  )
}
