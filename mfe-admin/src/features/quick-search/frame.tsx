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

// Results need a request anyway, so their code loads with the first use; a load failure shows then.
const prefetch = () => void loadResults().catch(() => undefined)

/** Adds the quick search to every staff screen, by its button or Ctrl K (Cmd K). */
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

/** Wraps a screen in the frame. */
export function framed(page: Part): Part {
  const Page = asComponent(page)
  return () => (
    <Frame>
      <Page />
    </Frame>
  )
}
