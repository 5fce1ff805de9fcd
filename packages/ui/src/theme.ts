export type Theme = 'system' | 'light' | 'dark'

const key = 'portal-theme'
const changed = 'portal:theme'

const themeOf = (word: string | null | undefined): Theme =>
  word === 'light' || word === 'dark' ? word : 'system'

/** The chosen theme; `system` where nothing was chosen. Where storage is blocked, the page itself knows. */
export function readTheme(): Theme {
  try {
    return themeOf(localStorage.getItem(key))
  } catch {
    return themeOf(document.documentElement.dataset.theme)
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
