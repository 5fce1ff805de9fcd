import { PLACE_VERSION } from '@portal/contract/static-page'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { asError, IncompatibleRemote } from './federation/checks.ts'
import { early } from './federation/early.ts'
import { loadedRelease } from './federation/load.ts'
import { waitForPage } from './federation/page-shown.ts'
import { describeFailure } from './federation/remote-boundary.tsx'
import { type RemoteState, reload, reportRemoteError, stateOf, subscribe } from './federation/remotes.ts'
import { recordInput } from './record-input.ts'

const NAME = 'mfe-public'

const pathOf = ({ pathname }: Location) => pathname.replace(/(?<=.)\/$/, '')

/** Resolves to the state of the remote once it has loaded or failed. */
function waitForRemote(): Promise<Exclude<RemoteState, { status: 'loading' }>> {
  return new Promise(resolve => {
    const check = () => {
      const state = stateOf(NAME)
      if (!state || state.status === 'loading') return
      unsubscribe()
      resolve(state)
    }
    const unsubscribe = subscribe(check)
    check()
  })
}

/** Repeats the click that was made before the page became live. */
function repeatPress(): void {
  const { press } = early
  if (press instanceof HTMLInputElement) {
    press.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    press.form?.querySelector<HTMLButtonElement>('[type=submit]')?.click()
  } else press?.click()
}

/** Returns the reason why the page at this address cannot be drawn, once everything it needs has loaded. */
async function findLoadFailure(): Promise<Error | undefined> {
  const remote = await waitForRemote()
  if (remote.status === 'failed') return remote.error
  const page = remote.pages.find(({ path }) => `/${path}` === pathOf(location))
  const { error } = (await page?.Component.begin()) ?? {}
  if (error) reportRemoteError(NAME, error)
  return error
}

/** Waits until the *Try again* button is pressed. Until then, the static page stays readable. */
async function waitForRetry(error: Error): Promise<void> {
  const reason = error instanceof IncompatibleRemote ? describeFailure(NAME, error) : undefined
  await new Promise<void>(resolve => early.notice?.(resolve, reason))
  reload(NAME)
}

/** Hydrates the static page. If its code throws, restores it, and returns the error. */
async function hydrate(root: HTMLElement, app: ReactNode): Promise<Error | undefined> {
  const staticCopy = root.cloneNode(true)
  const pageIsShown = waitForPage()
  const replayInput = recordInput(root)
  const reactRoot = hydrateRoot(root, app, {
    // After such an error, React draws the page itself.
    onRecoverableError: cause => reportRemoteError(NAME, asError(cause)),
  })
  const error = await pageIsShown
  if (error) {
    reactRoot.unmount()
    root.replaceWith(staticCopy)
    return error
  }
  replayInput()
  // From now on, the page handles clicks itself.
  delete root.dataset.release
  repeatPress()
  return undefined
}

/**
 * Makes a static page live once everything for its first rendering has loaded: the page is kept, or replaced in one step if the
 * first rendering would differ. Until then, and if something is missing or throws, the static page remains readable.
 */
export async function activateStaticPage(app: ReactNode): Promise<void> {
  const isHidden = 'held' in document.documentElement.dataset
  for (;;) {
    let error = await findLoadFailure()
    const root = document.querySelector<HTMLElement>('#root[data-release]')
    if (!root) return
    const { release, place } = root.dataset
    // In the meantime, the user may have gone back to an address with an ID, which has no static page.
    const hasNoStaticPage = location.search.includes('id=')
    if (
      !error &&
      (isHidden || hasNoStaticPage || release !== loadedRelease(NAME) || Number(place) !== PLACE_VERSION)
    ) {
      // Makes the page visible and replaces it in one step, because hidden elements cannot take the focus.
      delete root.dataset.release
      flushSync(() => createRoot(root).render(app))
      return
    }
    error ??= await hydrate(root, app)
    if (!error) return
    await waitForRetry(error)
  }
}
