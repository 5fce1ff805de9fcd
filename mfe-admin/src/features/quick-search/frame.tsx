import type { Part } from '@portal/contract/remote'
import { asComponent } from '@portal/router/component'
import { Icon } from '@portal/ui/icon'
import { Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { SecondFactorNotice } from '../../parts/second-factor-notice.tsx'
import styles from './frame.module.css'

const load = () => import('./dialog.tsx')
// What one looks for is asked of the server anyway: the dialog comes with the first use.
const QuickSearchDialog = lazy(load)

const isMac = () => /mac|iphone|ipad/i.test(navigator.platform)

/** What stands around every screen of staff: the quick search, by its button or Ctrl K (Cmd K). */
function Frame({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const chord = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if (!chord || event.key.toLowerCase() !== 'k' || event.defaultPrevented) return
      // The browser's own meaning of the keys is another search.
      event.preventDefault()
      if (!document.querySelector('dialog:modal')) setOpen(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <div className={styles.bar} data-print="hidden">
        <button
          type="button"
          className={styles.button}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
          onPointerEnter={() => void load()}
          onFocus={() => void load()}
          onClick={() => setOpen(true)}
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
      {open && (
        <Suspense>
          <QuickSearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
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
