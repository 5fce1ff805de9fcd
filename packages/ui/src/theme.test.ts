import { afterEach, expect, it, vi } from 'vitest'
import { applyTheme, chooseTheme, onThemeChange, readTheme } from './theme.ts'

afterEach(() => vi.unstubAllGlobals())

function stubBrowser(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  const dataset: { theme?: string } = {}
  vi.stubGlobal('document', { documentElement: { dataset } })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('localStorage', storage)
  return dataset
}

function createMemoryStorage() {
  const values = new Map<string, string>()
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  }
}

const throwBlocked = () => {
  throw new DOMException('blocked', 'SecurityError')
}
const blockedStorage = { getItem: throwBlocked, setItem: throwBlocked, removeItem: throwBlocked }

it.each([
  ['kept', createMemoryStorage()],
  ['blocked', blockedStorage],
])('lets the user change and reset the theme, with storage %s', (_, storage) => {
  const dataset = stubBrowser(storage)
  const themes: string[] = []
  const stop = onThemeChange(() => themes.push(readTheme()))
  chooseTheme('dark')
  expect([dataset.theme, readTheme()]).toEqual(['dark', 'dark'])
  chooseTheme('system')
  expect([dataset.theme, readTheme()]).toEqual([undefined, 'system'])
  expect(themes).toEqual(['dark', 'system'])
  stop()
})

it('applies a theme that was chosen in another tab', () => {
  const storage = createMemoryStorage()
  const dataset = stubBrowser(storage)
  applyTheme(readTheme())
  const stop = onThemeChange(() => undefined)
  storage.setItem('portal-theme', 'light')
  window.dispatchEvent(new Event('storage'))
  expect(dataset.theme).toBe('light')
  stop()
})
