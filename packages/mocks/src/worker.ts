const RELOADED_KEY = 'portal-mocks-reloaded'
/** Maximum time in milliseconds to wait for a newly installed worker to control the page. */
const MAX_TAKEOVER_MS = 2000

/**
 * Resolves once the service worker intercepts this page's requests. If it does not, the page is reloaded once, because a worker
 * never controls a page that was loaded with Shift held.
 */
export async function waitUntilControlled(): Promise<void> {
  const { serviceWorker } = navigator
  if (!serviceWorker.controller) {
    await new Promise(resolve => {
      serviceWorker.addEventListener('controllerchange', resolve, { once: true })
      setTimeout(resolve, MAX_TAKEOVER_MS)
    })
  }
  if (serviceWorker.controller) return sessionStorage.removeItem(RELOADED_KEY)
  if (sessionStorage.getItem(RELOADED_KEY))
    throw new Error("The mocks' service worker did not take control of this page.")
  sessionStorage.setItem(RELOADED_KEY, 'yes')
  location.reload()
  await new Promise(() => undefined)
}
