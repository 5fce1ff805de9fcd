import { startMocks } from '../src/browser.ts'
import { showBanner } from './banner.ts'

/*
 * Starts the demonstration in the page that scripts/demo.mjs created from the shell's page: first the mocks, then the portal's
 * released files.
 */

const REQUESTED_PATH_KEY = 'portal-demo-at'

interface PinnedFile {
  address: string
  integrity: string
}

const isFile = (value: unknown): value is PinnedFile =>
  typeof value === 'object' && value !== null && 'address' in value && 'integrity' in value

/** Returns the files that the shell's page loads first. */
function filesOfShell(): PinnedFile[] {
  const listed: unknown = JSON.parse(document.querySelector('#portal-files')?.textContent ?? '[]')
  return Array.isArray(listed) ? listed.filter(isFile) : []
}

const toAbsolute = (address: string) => new URL(address, import.meta.url).href

function load({ address, integrity }: PinnedFile) {
  const pinned = { integrity, crossOrigin: 'anonymous' }
  const element = address.endsWith('.css')
    ? Object.assign(document.createElement('link'), {
        ...pinned,
        rel: 'stylesheet',
        href: toAbsolute(address),
      })
    : // Loaded in document order.
      Object.assign(document.createElement('script'), { ...pinned, async: false, src: toAbsolute(address) })
  document.head.append(element)
}

/** Shows a message in place of the portal. */
function showMessage(words: string) {
  const message = document.createElement('p')
  message.textContent = words
  document.querySelector('#root')?.replaceChildren(message)
}

async function start() {
  const base = new URL('.', import.meta.url).pathname
  document.documentElement.dataset.base = base
  const requestedPath = sessionStorage.getItem(REQUESTED_PATH_KEY)
  sessionStorage.removeItem(REQUESTED_PATH_KEY)
  if (requestedPath !== null) history.replaceState(null, '', base + requestedPath)
  if (!('serviceWorker' in navigator)) {
    showMessage(
      'The demo simulates its API in the browser, which browsers only allow on https and localhost.',
    )
    return
  }
  showBanner(await startMocks({ base, worker: 'demo-worker.js' }))
  // Make links to files absolute, because the page's address may have changed.
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[href^="."]'))
    link.href = toAbsolute(link.getAttribute('href') ?? '')
  for (const file of filesOfShell()) load(file)
}

await start()
