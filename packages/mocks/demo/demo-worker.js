/*
 * The demonstration's worker: stands before the mocks' own, and is what a server would be. A page of the portal has no file
 * of its own, so each is answered with the first page; and the portal's addresses begin at the root, so that below
 * another address its files are asked for there.
 */
const base = new URL(self.registration.scope).pathname
const FILES = /^\/(?:config|r|js|css|assets)\/|^\/[\w-]+\.(?:svg|png|webmanifest)$/

// The mocks' worker leaves with the last page. This one stays, so that a bookmark of any page opens again.
self.registration.unregister = async () => false

/** The first page, its own addresses beginning where the demonstration does. */
async function page() {
  const answer = await fetch(base, { cache: 'no-cache' })
  const text = await answer.text()
  return new Response(text.replaceAll('="./', `="${base}`), {
    status: answer.status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}

function answerTo(request) {
  const { origin, pathname, search } = new URL(request.url)
  if (origin !== location.origin) return undefined
  const below = pathname.startsWith(base) ? `/${pathname.slice(base.length)}` : pathname
  if (request.mode === 'navigate') return /\.\w+$|^\/api\//.test(below) ? undefined : page()
  if (!FILES.test(below)) return undefined
  return fetch(pathname.startsWith(base) ? request : new Request(base + pathname.slice(1) + search, request))
}

addEventListener('fetch', event => {
  const answer = answerTo(event.request)
  if (!answer) return
  event.stopImmediatePropagation()
  event.respondWith(answer)
})

importScripts('./mockServiceWorker.js')
