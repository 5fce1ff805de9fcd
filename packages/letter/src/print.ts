/** Attribute that marks the letter to print; `page.module.css` hides everything else in print. */
export const PRINT_ATTRIBUTE = 'data-letter-print'

/** How long to wait for images and fonts before printing without them, in milliseconds. */
const READY_LIMIT_MS = 5000

async function ready(page: Document): Promise<void> {
  const images = page.querySelectorAll<HTMLImageElement>(`[${PRINT_ATTRIBUTE}] img`)
  // A broken image is replaced elsewhere, and must not delay printing.
  const decoded = Array.from(images, image => image.decode().catch(() => undefined))
  await Promise.all([page.fonts.ready, ...decoded])
}

/** Prints only the letter, once its images and fonts have loaded. */
export async function printLetter(win: Window = window): Promise<void> {
  const limit = new Promise(resolve => {
    win.setTimeout(resolve, READY_LIMIT_MS)
  })
  await Promise.race([ready(win.document), limit])
  win.print()
}
