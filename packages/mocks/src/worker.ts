const RELOADED = 'portal-mocks-reloaded'
/** How long a newly installed worker may take to control the page, in milliseconds. */
const TAKES_OVER_MS = 2000

/**
 * Resolves when the worker intercepts this page's calls. A page that bypassed it (a reload with Shift) is never
 * controlled, so it is reloaded once.
 */
export async function untilControlled(): Promise<void> {
  const { serviceWorker } = navigator
  if (!serviceWorker.controller) {
    await new Promise(taken => {
      serviceWorker.addEventListener('controllerchange', taken, { once: true })
      setTimeout(taken, TAKES_OVER_MS)
    })
  }
  if (serviceWorker.controller) return sessionStorage.removeItem(RELOADED)
  if (sessionStorage.getItem(RELOADED))
    throw new Error("The mocks' service worker did not take control of this page.")
  sessionStorage.setItem(RELOADED, 'yes')
  location.reload()
  await new Promise(() => undefined)
}
