const BRAND_STYLESHEET = '/api/brand.css'

/**
 * Applies a new colour without a reload: refreshes the cached style sheet, and adds it to the page before the old one is
 * removed.
 */
export async function refreshBrand(): Promise<void> {
  await fetch(BRAND_STYLESHEET, { cache: 'reload' }).catch(() => undefined)
  const oldSheets = document.querySelectorAll(`link[href^="${BRAND_STYLESHEET}"]`)
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = `${BRAND_STYLESHEET}?${Date.now()}`
  link.onload = () => {
    for (const sheet of oldSheets) sheet.remove()
  }
  document.head.append(link)
}
