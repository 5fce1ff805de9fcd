import { lazy, Suspense } from 'react'
import { useDialogState } from '../../parts/dialog-state.ts'
import { useDescription } from '../../parts/page-head.ts'
import { SiteFrame } from '../../parts/site-frame.tsx'
import { Hero } from './hero.tsx'
import { Sections } from './sections.tsx'

const loadDialogs = () => import('./dialogs/dialogs.tsx')
const Dialogs = lazy(loadDialogs)
// Loaded lazily, because few visitors see it and it contains half of the page's icons.
const Notice = lazy(() => import('./notice.tsx'))

// If a chunk cannot be prefetched, it is requested again when it is needed, and a failure is shown then.
const prefetchDialogs = () => void loadDialogs().catch(() => undefined)

/** The landing page: the verification form at the top, all information below, and the account dialogs above both. */
export default function LandingPage() {
  useDescription(
    'Check a university degree certificate against the register, pay the fee, and receive an official verification letter to print.',
  )
  const { dialog, state, show, close } = useDialogState()
  return (
    <>
      <SiteFrame onIntent={prefetchDialogs}>
        {(state.notice || state.login || state.missing) && !dialog && (
          <Suspense fallback={null}>
            <Notice {...state} close={close} show={show} />
          </Suspense>
        )}
        <Hero
          onNeedLogin={number => show('login', { certificateNumber: number })}
          isDialogOpen={dialog !== undefined}
        />
        <Sections />
      </SiteFrame>
      {dialog && (
        <Suspense fallback={null}>
          <Dialogs />
        </Suspense>
      )}
    </>
  )
}
