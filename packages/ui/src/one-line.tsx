import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './one-line.module.css'

interface OneLineProps {
  text: string
  className?: string | undefined
  /** True if the text may be cut off within a word, as email addresses may. */
  anywhere?: boolean
  /** The same text with additional markup, such as places where it may break; by default, only `text`. */
  children?: ReactNode
}

/** Text in a table column that takes only one line. The tooltip, cards and printouts show all of it. */
export function OneLine({ text, className, anywhere, children = text }: OneLineProps) {
  return (
    <span className={className} title={text}>
      <span className={classNames(styles.oneLine, anywhere && styles.anywhere)}>{children}</span>
    </span>
  )
}
