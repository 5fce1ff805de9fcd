/** Attribute of the letter to print; in print, `page.module.css` hides everything else. */
export const PRINT_ATTRIBUTE = 'data-letter-print'

/** Maximum time in milliseconds to wait for images and fonts before printing without them. */
const READY_LIMIT_MS = 5000

async function waitUntilReady(page: Document): Promise<void> {
  const images = page.querySelectorAll<HTMLImageElement>(`[${PRINT_ATTRIBUTE}] img`)
  // A broken image must not prevent printing; the page replaces it.
  const decoded = Array.from(images, image => image.decode().catch(() => undefined))
  await Promise.all([page.fonts.ready, ...decoded])
}

/** Prints only the letter, after its images and fonts have loaded. */
export async function printLetter(win: Window = window): Promise<void> {
  const limit = new Promise(resolve => {
    win.setTimeout(resolve, READY_LIMIT_MS)
  })
  await Promise.race([waitUntilReady(win.document), limit])
  win.print()
}
