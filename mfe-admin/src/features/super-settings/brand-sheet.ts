const SHEET = '/api/brand.css'

/**
 * Takes up a new colour without a reload: the browser's kept copy of the style sheet is renewed for the next page, and
 * this page gets the new one before it loses the old.
 */
export async function refreshBrand(): Promise<void> {
  await fetch(SHEET, { cache: 'reload' }).catch(() => undefined)
  const former = document.querySelectorAll(`link[href^="${SHEET}"]`)
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = `${SHEET}?${Date.now()}`
  link.onload = () => {
    for (const old of former) old.remove()
  }
  document.head.append(link)
}
