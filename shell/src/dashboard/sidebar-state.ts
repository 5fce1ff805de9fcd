const KEY = 'portal-sidebar'
/** From this width, an open sidebar leaves enough space for tables; below, it opens over the page. */
export const roomy = window.matchMedia('(width >= 1100px)')

/** Returns whether the sidebar starts open: on wide screens as last chosen on this device, on narrower ones never. */
export function readSidebarOpen(): boolean {
  if (!roomy.matches) return false
  try {
    return localStorage.getItem(KEY) !== 'closed'
  } catch {
    // Storage can be unavailable.
    return true
  }
}

/** Stores the choice for wide screens on this device; if storage is unavailable, it lasts until the page is closed. */
export function persistSidebarOpen(open: boolean): void {
  if (!roomy.matches) return
  try {
    localStorage.setItem(KEY, open ? 'open' : 'closed')
  } catch {
    // Storage can be unavailable.
  }
}
