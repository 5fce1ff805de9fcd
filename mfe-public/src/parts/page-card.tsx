import type { Tone } from '@portal/format/status'
import type { ReactNode, Ref } from 'react'
import styles from './page-card.module.css'
import { SiteFrame } from './site-frame.tsx'

interface Props {
  title: string
  headingRef: Ref<HTMLHeadingElement>
  /** An element before the title, such as a seal or an icon. */
  mark?: ReactNode
  /** The tone that colours the upper edge of the sheet. */
  tone?: Tone
  /** True for a page that contains more than a form and so needs a wide sheet. */
  wide?: boolean
  children: ReactNode
}

/** A page with one task or text, laid out as a single sheet of paper. */
export function PageCard({ title, headingRef, mark, tone, wide, children }: Props) {
  return (
    <SiteFrame>
      <div className={styles.page} data-wide={wide || undefined}>
        <div className={styles.sheet} data-tone={tone}>
          <div className={styles.head}>
            {mark}
            <h1 ref={headingRef} tabIndex={-1} className={styles.title}>
              {title}
            </h1>
          </div>
          {children}
        </div>
      </div>
    </SiteFrame>
  )
}
