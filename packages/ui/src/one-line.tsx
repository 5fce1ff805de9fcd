import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './one-line.module.css'

interface OneLineProps {
  text: string
  className?: string | undefined
  /** True if the text may be cut within a word, as email addresses are. */
  anywhere?: boolean
  /** The same text with additional markup, such as places to break; `text` by default. */
  children?: ReactNode
}

/** Text that takes only one line in a table column. Its tooltip, cards and printouts show the whole text. */
export function OneLine({ text, className, anywhere, children = text }: OneLineProps) {
  return (
    <span className={className} title={text}>
      <span className={classNames(styles.oneLine, anywhere && styles.anywhere)}>{children}</span>
    </span>
  )
}
