const KEY = 'portal-sidebar'
/** Width in pixels from which an open sidebar leaves enough space for tables. */
const ROOMY = 1100

/** Whether the sidebar starts open: as last chosen on this device, otherwise depending on the width. */
export function readSidebarOpen(): boolean {
  try {
    const chosen = localStorage.getItem(KEY)
    if (chosen) return chosen === 'open'
  } catch {
    // Storage can be unavailable.
  }
  return window.innerWidth >= ROOMY
}

/** Stores the choice on this device, or until the page is closed if storage is unavailable. */
export function persistSidebarOpen(open: boolean): void {
  try {
    localStorage.setItem(KEY, open ? 'open' : 'closed')
  } catch {
    // As above.
  }
}
