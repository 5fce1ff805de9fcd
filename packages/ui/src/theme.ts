export type Theme = 'system' | 'light' | 'dark'

const key = 'portal-theme'
const changed = 'portal:theme'

/** The chosen theme; `system` where nothing was chosen or storage is blocked. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Puts the theme on the page. Call once with `readTheme()` before the first render. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Chooses, keeps and applies a theme, and tells every switch on the page. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {
    // Storage may be blocked; the choice then lasts as long as the page.
  }
  applyTheme(theme)
  window.dispatchEvent(new Event(changed))
}

/** Hears a change made here or in another tab; returns the way to stop. */
export function onThemeChange(hear: () => void): () => void {
  const stored = () => {
    applyTheme(readTheme())
    hear()
  }
  window.addEventListener(changed, hear)
  window.addEventListener('storage', stored)
  return () => {
    window.removeEventListener(changed, hear)
    window.removeEventListener('storage', stored)
  }
}
