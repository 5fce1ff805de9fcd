/*
 * Handles links to files of the API, such as letters as PDF. The service worker does not see downloads started by a click, so
 * the page fetches the file and saves it.
 */

const fileNameIn = (disposition: string | null) => /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? ''

async function save(url: string): Promise<void> {
  const response = await fetch(url)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  if (response.ok) link.download = fileNameIn(response.headers.get('content-disposition'))
  // Show the error in a new tab, so that this page stays open.
  else link.target = '_blank'
  link.click()
  // Not immediately, because some browsers read the URL only after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Intercepts clicks on links below `/api/` and saves what the mocks return. */
export function saveFilesOfLinks(): void {
  document.addEventListener('click', event => {
    const link = event.composedPath().find(item => item instanceof HTMLAnchorElement)
    if (!link || event.defaultPrevented) return
    const { origin, pathname } = new URL(link.href)
    if (origin !== location.origin || !pathname.includes('/api/')) return
    event.preventDefault()
    void save(link.href)
  })
}
