export type Theme = 'system' | 'light' | 'dark'

const STORAGE_KEY = 'portal-theme'
const CHANGE_EVENT = 'portal:theme'

const themeOf = (word: string | null | undefined): Theme =>
  word === 'light' || word === 'dark' ? word : 'system'

/** Returns the stored theme, or `system` if there is none. If storage is blocked, it takes the theme from the document. */
export function readTheme(): Theme {
  try {
    return themeOf(localStorage.getItem(STORAGE_KEY))
  } catch {
    return themeOf(document.documentElement.dataset.theme)
  }
}

/** Applies a theme to the page. Call it once with `readTheme()` before the first render. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Saves and applies a theme, and notifies all subscribers on the page. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Storage may be blocked; the choice then lasts as long as the page.
  }
  applyTheme(theme)
  window.dispatchEvent(new Event(CHANGE_EVENT))
}

/** Subscribes to changes of the theme, also in other tabs. Returns the unsubscribe function. */
export function onThemeChange(onChange: () => void): () => void {
  const onStorage = () => {
    applyTheme(readTheme())
    onChange()
  }
  window.addEventListener(CHANGE_EVENT, onChange)
  window.addEventListener('storage', onStorage)
  return () => {
    window.removeEventListener(CHANGE_EVENT, onChange)
    window.removeEventListener('storage', onStorage)
  }
}
