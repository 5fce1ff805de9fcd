const KEY = 'portal-sidebar'

/** Whether the sidebar stands open on this device; it does until somebody collapses it. */
export function readSidebarOpen(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'closed'
  } catch {
    return true
  }
}

/** Keeps how it stands. Storage may be refused; it then lasts as long as the page. */
export function keepSidebarOpen(open: boolean): void {
  try {
    if (open) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'closed')
  } catch {
    // As above.
  }
}
