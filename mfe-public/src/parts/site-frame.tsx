import { SkipLink } from '@portal/ui/skip-link'
import type { ReactNode } from 'react'
import { SiteFooter } from './site-footer.tsx'
import styles from './site-frame.module.css'
import { SiteHeader } from './site-header.tsx'

interface Props {
  /** Called when a user seems about to open a dialog, so that it can be prefetched. */
  onIntent?: () => void
  children: ReactNode
}

/** The header, main part and footer of every public page. */
export function SiteFrame({ onIntent, children }: Props) {
  return (
    <div className={styles.frame}>
      <SkipLink />
      <SiteHeader onIntent={onIntent} />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <SiteFooter />
    </div>
  )
}
