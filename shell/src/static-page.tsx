import { PLACE } from '@portal/contract/static-page'
import { pathOfHash } from '@portal/router/paths'
import type { ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { asError } from './federation/checks.ts'
import { earlyPress } from './federation/early.ts'
import { loadedRelease } from './federation/load.ts'
import { RemoteDown } from './federation/remote-boundary.tsx'
import { reload, reportRemoteError, settled } from './federation/remotes.ts'
import { pageShown } from './federation/shown.ts'
import { typedInto } from './typed-early.ts'

const NAME = 'mfe-public'

const pathOf = ({ pathname }: Location) => pathname.replace(/(?<=.)\/$/, '')

/** Why the page at this address cannot be drawn yet, once all that it needs has loaded. */
async function failure(): Promise<Error | undefined> {
  const remote = await settled(NAME)
  if (remote.status === 'failed') return remote.error
  const page = remote.pages.find(({ path }) => `/${path}` === pathOf(location))
  const { error } = (await page?.Component.begin()) ?? {}
  if (error) reportRemoteError(NAME, error)
  return error
}

/** Waits for a press on Try again, below a page that can be read meanwhile. */
async function retried(error: Error): Promise<void> {
  const place = document.createElement('div')
  document.body.append(place)
  const notice = createRoot(place)
  await new Promise<void>(resolve =>
    notice.render(<RemoteDown name={NAME} error={error} onRetry={resolve} readable />),
  )
  notice.unmount()
  place.remove()
  reload(NAME)
}

/**
 * True if the first rendering equals the page of the server: the same release in the same place, and nothing in the address
 * or the history that asks for more, such as a dialog.
 */
const isSame = ({ dataset }: HTMLElement): boolean =>
  dataset.release === loadedRelease(NAME) &&
  Number(dataset.place) === PLACE &&
  location.search === '' &&
  pathOfHash(location.hash) === undefined &&
  !history.state?.usr

/**
 * Makes a static page live, when everything for its first rendering has loaded: it is kept, or replaced at once where it
 * would not be the same. Until then, and if something is missing, the page stands and can be read.
 */
export async function takeOver(root: HTMLElement, app: ReactNode): Promise<void> {
  for (let error = await failure(); error; error = await failure()) await retried(error)
  if (isSame(root)) {
    const typed = typedInto(root)
    hydrateRoot(root, app, {
      // React then draws the page itself.
      onRecoverableError: cause => reportRemoteError(NAME, asError(cause)),
    })
    await pageShown
    typed()
  } else {
    createRoot(root).render(app)
    await pageShown
  }
  earlyPress()?.click()
}
