const KEY = 'portal-sidebar'
/** Pixels from which an open sidebar leaves tables enough room. */
const ROOMY = 1100

/** Whether the sidebar starts open: as last chosen on this device, otherwise where there is room for it. */
export function readSidebarOpen(): boolean {
  try {
    const chosen = localStorage.getItem(KEY)
    if (chosen) return chosen === 'open'
  } catch {
    // Storage can be refused.
  }
  return window.innerWidth >= ROOMY
}

/** Remembers the choice on this device. Where storage is refused, it lasts as long as the page. */
export function keepSidebarOpen(open: boolean): void {
  try {
    localStorage.setItem(KEY, open ? 'open' : 'closed')
  } catch {
    // As above.
  }
}
