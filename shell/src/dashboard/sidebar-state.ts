const STORAGE_KEY = 'portal-sidebar'
/** Matches wide screens, where an open sidebar leaves enough space for tables; on narrower ones, it covers the page. */
export const wideScreen = window.matchMedia('(width >= 1100px)')

/** Returns whether the sidebar starts open: on wide screens as last chosen on this device, and on narrower ones never. */
export function readSidebarOpen(): boolean {
  if (!wideScreen.matches) return false
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'closed'
  } catch {
    // Storage may be unavailable.
    return true
  }
}

/** Stores the choice for wide screens on this device; if storage is unavailable, it lasts until the page is closed. */
export function persistSidebarOpen(open: boolean): void {
  if (!wideScreen.matches) return
  try {
    localStorage.setItem(STORAGE_KEY, open ? 'open' : 'closed')
  } catch {
    // Storage may be unavailable.
  }
}
