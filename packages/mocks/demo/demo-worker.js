/* The demonstration's service worker: wraps the mocks' worker and acts as the server. Portal pages have no files, so
   each is answered with the first page; absolute paths are mapped to the path where the demonstration is hosted. */
const base = new URL(self.registration.scope).pathname
const FILES = /^\/(?:config|r|js|css|assets)\/|^\/[\w-]+\.(?:svg|png|webmanifest)$/

// The mocks' worker unregisters with the last page. This one stays, so that bookmarks keep working.
self.registration.unregister = async () => false

/** Answers with the first page, whose base path is the one where the demonstration is hosted. */
async function page() {
  const response = await fetch(base, { cache: 'no-cache' })
  const text = await response.text()
  return new Response(text.replaceAll('="./', `="${base}`), {
    status: response.status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}

function responseTo(request) {
  const { origin, pathname, search } = new URL(request.url)
  if (origin !== location.origin) return undefined
  const portalPath = pathname.startsWith(base) ? `/${pathname.slice(base.length)}` : pathname
  if (request.mode === 'navigate') return /\.\w+$|^\/api\//.test(portalPath) ? undefined : page()
  if (!FILES.test(portalPath)) return undefined
  return fetch(pathname.startsWith(base) ? request : new Request(base + pathname.slice(1) + search, request))
}

addEventListener('fetch', event => {
  const response = responseTo(event.request)
  if (!response) return
  event.stopImmediatePropagation()
  event.respondWith(response)
})

importScripts('./mockServiceWorker.js')
