const RELOADED_KEY = 'portal-mocks-reloaded'
/** How long a newly installed worker may take to control the page, in milliseconds. */
const MAX_TAKEOVER_MS = 2000

/**
 * Resolves once the worker intercepts this page's calls. The worker never controls a page that was reloaded with Shift,
 * so such a page is reloaded once.
 */
export async function untilControlled(): Promise<void> {
  const { serviceWorker } = navigator
  if (!serviceWorker.controller) {
    await new Promise(taken => {
      serviceWorker.addEventListener('controllerchange', taken, { once: true })
      setTimeout(taken, MAX_TAKEOVER_MS)
    })
  }
  if (serviceWorker.controller) return sessionStorage.removeItem(RELOADED_KEY)
  if (sessionStorage.getItem(RELOADED_KEY))
    throw new Error("The mocks' service worker did not take control of this page.")
  sessionStorage.setItem(RELOADED_KEY, 'yes')
  location.reload()
  await new Promise(() => undefined)
}
