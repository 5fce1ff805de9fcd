import { isAdmin } from '@portal/session/roles'
import { session } from '@portal/session/store'
import { create } from 'zustand'

interface QuickSearch {
  open: boolean
  text: string
  /** Enter was pressed: the first result of exactly this text opens once it is there. */
  entered: boolean
}

/** Longest text that is searched for. */
export const LONGEST = 200

const closed: QuickSearch = { open: false, text: '', entered: false }

/** The quick search outside of any screen: it outlives a change of screens, and what was typed with it. */
export const useQuickSearch = create<QuickSearch>()(() => closed)

export const openQuickSearch = () => useQuickSearch.setState({ ...closed, open: true })
export const closeQuickSearch = () => useQuickSearch.setState(closed)

/** Other text: an Enter for the text before does not count any more. */
export const typeText = (text: string) =>
  useQuickSearch.setState({ text: text.slice(0, LONGEST), entered: false })

/** Fields that take the keys of the open quick search; none while the next screen is on its way. */
const fields = new Set<HTMLElement>()

/** For the `ref` of the field. */
export function takesKeys(field: HTMLElement | null) {
  if (field) fields.add(field)
  return () => {
    if (field) fields.delete(field)
  }
}

const takesKeysItself = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, input, select, textarea, dialog') !== null

/** One key, for a field that is not there yet. True where it is one that the field would take. */
function take({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const { text } = useQuickSearch.getState()
  if (ctrlKey || metaKey || takesKeysItself(target)) return false
  if (key === 'Enter') useQuickSearch.setState({ entered: true })
  else if (key === 'Escape') closeQuickSearch()
  else if (key === 'Backspace') typeText(text.slice(0, -1))
  else if (key.length === 1) typeText(text + key)
  else return false
  return true
}

/**
 * Opens the quick search by Ctrl K (Cmd K) on these addresses, also before their screen is there: what is typed until
 * then is in its field when that comes.
 */
export function listenForQuickSearch(addresses: readonly string[]): void {
  function onKeyDown(event: KeyboardEvent) {
    const { open } = useQuickSearch.getState()
    const chord = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    if (chord && event.key.toLowerCase() === 'k' && !event.defaultPrevented) {
      if (!addresses.includes(location.pathname) || !isAdmin(session.get().user?.role)) return
      // The browser's own meaning of the keys is another search.
      event.preventDefault()
      if (open || document.querySelector('dialog:modal')) return
      openQuickSearch()
      // What follows is meant for the field, not for the link that led to this screen.
      if (fields.size === 0 && document.activeElement instanceof HTMLElement) document.activeElement.blur()
    } else if (open && fields.size === 0 && take(event)) event.preventDefault()
  }
  globalThis.document?.addEventListener('keydown', onKeyDown)
  globalThis.document?.addEventListener('pointerdown', () => {
    if (fields.size === 0) closeQuickSearch()
  })
}

session.subscribe(({ token }) => {
  if (token === undefined) closeQuickSearch()
})
