import type { RemoteComponent } from '@portal/contract/remote'
import { asComponent } from '@portal/router/component'
import { Icon } from '@portal/ui/icon'
import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { SecondFactorNotice } from '../../parts/second-factor-notice.tsx'
import { loadResultPanel, QuickSearchDialog } from './dialog.tsx'
import styles from './frame.module.css'
import { openQuickSearch, useQuickSearch } from './search-state.ts'

const isMac = () => /mac|iphone|ipad/i.test(navigator.platform)

// Loads the code of the results before it is needed. If this fails, the search shows the failure when it opens.
const prefetchResultPanel = () => void loadResultPanel().catch(() => undefined)

/** Returns the element in the dashboard's header that holds the button; null if this area runs standalone. */
function useHeaderTools() {
  const [tools, setTools] = useState<HTMLElement | null>(null)
  useEffect(() => setTools(document.getElementById('header-tools')), [])
  return tools
}

/** A staff screen with the quick search, which a button in the header and Ctrl K (Cmd K) open. */
function Frame({ children }: { children: ReactNode }) {
  const isOpen = useQuickSearch(search => search.isOpen)
  const tools = useHeaderTools()
  return (
    <>
      {tools &&
        createPortal(
          <button
            type="button"
            className={styles.button}
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K Meta+K"
            onPointerEnter={prefetchResultPanel}
            onFocus={prefetchResultPanel}
            onClick={openQuickSearch}
          >
            <Icon icon={Search} size={16} />
            <span className={styles.words}>Quick search</span>
            <span className={styles.keys} aria-hidden="true">
              {isMac() ? '⌘ K' : 'Ctrl K'}
            </span>
          </button>,
          tools,
        )}
      <SecondFactorNotice />
      {children}
      {isOpen && <QuickSearchDialog />}
    </>
  )
}

/** Returns a component that shows the page with the quick search. */
export function withQuickSearch(page: RemoteComponent): RemoteComponent {
  const Page = asComponent(page)
  return () => (
    <Frame>
      <Page />
    </Frame>
  )
}
