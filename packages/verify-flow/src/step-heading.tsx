import { type ReactNode, useEffect, useRef } from 'react'
import styles from './verify-widget.module.css'

interface StepHeadingProps {
  level: 2 | 3
  /** False for the step shown when the page opens: only a step to which the user has moved takes the focus. */
  focus?: boolean
  children: ReactNode
}

/**
 * Heading of a step; takes the focus when the step appears, so that it is announced and the keyboard continues there.
 */
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
