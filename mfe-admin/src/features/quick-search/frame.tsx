import type { Part } from '@portal/contract/remote'
import { asComponent } from '@portal/router/component'
import { Icon } from '@portal/ui/icon'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { SecondFactorNotice } from '../../parts/second-factor-notice.tsx'
import { loadResults, QuickSearchDialog } from './dialog.tsx'
import styles from './frame.module.css'
import { openQuickSearch, useQuickSearch } from './opening.ts'

const isMac = () => /mac|iphone|ipad/i.test(navigator.platform)

// What one looks for is asked of the server anyway: results come with the first use. A failure shows when they are needed.
const prefetch = () => void loadResults().catch(() => undefined)

/** What stands around every screen of staff: the quick search, by its button or Ctrl K (Cmd K). */
function Frame({ children }: { children: ReactNode }) {
  const open = useQuickSearch(search => search.open)
  return (
    <>
      <div className={styles.bar} data-print="hidden">
        <button
          type="button"
          className={styles.button}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
          onPointerEnter={prefetch}
          onFocus={prefetch}
          onClick={openQuickSearch}
        >
          <Icon icon={Search} size={16} />
          <span className={styles.words}>Quick search</span>
          <span className={styles.keys} aria-hidden="true">
            {isMac() ? '⌘ K' : 'Ctrl K'}
          </span>
        </button>
      </div>
      <SecondFactorNotice />
      {children}
      {open && <QuickSearchDialog />}
    </>
  )
}

/** A screen inside its frame. */
export function framed(page: Part): Part {
  const Page = asComponent(page)
  return () => (
    <Frame>
      <Page />
    </Frame>
  )
}
