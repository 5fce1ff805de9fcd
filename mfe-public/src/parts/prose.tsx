import type { ReactNode } from 'react'
import { useArrivalFocus, useDescription } from './page-head.ts'
import styles from './prose.module.css'
import { SiteFrame } from './site-frame.tsx'

interface Props {
  title: string
  /** The page's description for search engines. */
  description: string
  /** The first paragraph, in larger type. */
  lead: string
  children: ReactNode
}

/** A page of text: one column, a heading, an introduction and the text. */
export function Prose({ title, description, lead, children }: Props) {
  useDescription(description)
  const heading = useArrivalFocus<HTMLHeadingElement>()
  return (
    <SiteFrame>
      <article className={styles.page}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </article>
    </SiteFrame>
  )
}
