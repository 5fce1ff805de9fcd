import { startMocks } from '../src/browser.ts'
import { showBanner } from './banner.ts'

/*
 * Starts the demonstration: first the mocks, then the portal's own files, as they are released, in the page that
 * scripts/demo.mjs made of the shell's.
 */

const AT = 'portal-demo-at'

interface File {
  address: string
  integrity: string
}

const isFile = (value: unknown): value is File =>
  typeof value === 'object' && value !== null && 'address' in value && 'integrity' in value

/** What the shell's page would have loaded at once. */
function filesOfShell(): File[] {
  const listed: unknown = JSON.parse(document.querySelector('#portal-files')?.textContent ?? '[]')
  return Array.isArray(listed) ? listed.filter(isFile) : []
}

const absolute = (address: string) => new URL(address, import.meta.url).href

function load({ address, integrity }: File) {
  const pinned = { integrity, crossOrigin: 'anonymous' }
  const made = address.endsWith('.css')
    ? Object.assign(document.createElement('link'), { ...pinned, rel: 'stylesheet', href: absolute(address) })
    : // In the order in which they stand.
      Object.assign(document.createElement('script'), { ...pinned, async: false, src: absolute(address) })
  document.head.append(made)
}

/** Says in the place of the portal why there is none. */
function sayInstead(words: string) {
  const said = document.createElement('p')
  said.textContent = words
  document.querySelector('#root')?.replaceChildren(said)
}

async function start() {
  const base = new URL('.', import.meta.url).pathname
  document.documentElement.dataset.base = base
  const at = sessionStorage.getItem(AT)
  sessionStorage.removeItem(AT)
  if (at !== null) history.replaceState(null, '', base + at)
  if (!('serviceWorker' in navigator)) {
    sayInstead('The demonstration answers its own calls, which browsers allow on https and localhost only.')
    return
  }
  showBanner(await startMocks({ base, worker: 'demo-worker.js' }))
  // Addresses beside the first page, which the portal's other pages are not.
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[href^="."]'))
    link.href = absolute(link.getAttribute('href') ?? '')
  for (const file of filesOfShell()) load(file)
}

await start()
