import type { ReactNode, Ref } from 'react'
import { SiteFrame } from './site-frame.tsx'
import styles from './slip.module.css'

interface Props {
  title: string
  headingRef: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** A page with one thing to do or to read: a single sheet of paper, its heading first. */
export function Slip({ title, headingRef, children }: Props) {
  return (
    <SiteFrame>
      <div className={styles.page}>
        <div className={styles.sheet}>
          <h1 ref={headingRef} tabIndex={-1} className={styles.title}>
            {title}
          </h1>
          {children}
        </div>
      </div>
    </SiteFrame>
  )
}
