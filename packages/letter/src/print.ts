/** Marks the one letter that printing the page prints. `page.module.css` hides everything else on paper. */
export const PRINT_ATTRIBUTE = 'data-letter-print'

/** Longest wait for images and fonts; a letter without its logo is better than none. */
const READY_LIMIT_MS = 5000

async function ready(page: Document): Promise<void> {
  const images = page.querySelectorAll<HTMLImageElement>(`[${PRINT_ATTRIBUTE}] img`)
  // A broken image is replaced by the page itself; here it only must not hold up printing.
  const decoded = Array.from(images, image => image.decode().catch(() => undefined))
  await Promise.all([page.fonts.ready, ...decoded])
}

/** Prints the letter on the page, and nothing else, once its images and fonts have arrived. */
export async function printLetter(win: Window = window): Promise<void> {
  const limit = new Promise(resolve => {
    win.setTimeout(resolve, READY_LIMIT_MS)
  })
  await Promise.race([ready(win.document), limit])
  win.print()
}
