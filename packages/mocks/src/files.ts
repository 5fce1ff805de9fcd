/*
 * Links to files of the API, as to a letter's PDF. A worker is asked for a page's calls, and not for what a click on such
 * a link loads: so the page asks for the file itself and hands it to the browser.
 */

const nameIn = (disposition: string | null) => /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? ''

async function save(address: string): Promise<void> {
  const answer = await fetch(address)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  if (answer.ok) link.download = nameIn(answer.headers.get('content-disposition'))
  // A refusal is shown, as a browser would, but not in the place of this page.
  else link.target = '_blank'
  link.click()
  // Some browsers read it only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** From now on a click on a link to a file below `/api/` saves what the mocks answer. */
export function saveFilesOfLinks(): void {
  document.addEventListener('click', event => {
    const link = event.composedPath().find(each => each instanceof HTMLAnchorElement)
    if (!link || event.defaultPrevented) return
    const { origin, pathname } = new URL(link.href)
    if (origin !== location.origin || !pathname.includes('/api/')) return
    event.preventDefault()
    void save(link.href)
  })
}
