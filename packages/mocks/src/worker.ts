const RELOADED = 'portal-mocks-reloaded'
/** Long enough for a worker that has just been installed to take over the page. */
const TAKES_OVER_MS = 2000

/**
 * Resolves when the worker hears this page's calls. A page that was loaded past it (a reload with Shift) is never taken
 * over: that one begins anew, once.
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
    throw new Error('The worker of the mocks does not take this page over.')
  sessionStorage.setItem(RELOADED, 'yes')
  location.reload()
  await new Promise(() => undefined)
}
