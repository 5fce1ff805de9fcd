import { isAdmin } from '@portal/session/roles'
import { session } from '@portal/session/store'
import { create } from 'zustand'

interface QuickSearch {
  isOpen: boolean
  text: string
  /** True if Enter was pressed for the current text: the first result then opens as soon as it arrives. */
  enterPressed: boolean
}

/** Maximum length of the search text. */
export const MAX_LENGTH = 200

const closedState: QuickSearch = { isOpen: false, text: '', enterPressed: false }

/** The state of the quick search. It is stored outside React, so that it survives a change of screen. */
export const useQuickSearch = create<QuickSearch>()(() => closedState)

export const openQuickSearch = () => useQuickSearch.setState({ ...closedState, isOpen: true })
export const closeQuickSearch = () => useQuickSearch.setState(closedState)

/** Sets the text, which cancels a pending Enter. */
export const setText = (text: string) =>
  useQuickSearch.setState({ text: text.slice(0, MAX_LENGTH), enterPressed: false })

/** The search fields on the page. While there is none because the next screen is loading, this module handles key presses. */
const fields = new Set<HTMLElement>()

/** A `ref` callback that registers the search field to receive key presses, and removes it on unmount. */
export function registerSearchField(field: HTMLElement | null) {
  if (field) fields.add(field)
  return () => {
    if (field) fields.delete(field)
  }
}

/** Returns true for an element that handles key presses itself, such as a button or a field. */
const handlesKeys = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, input, select, textarea, dialog') !== null

/** Handles one key press while there is no search field. Returns true if it had an effect. */
function handleKey({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const { text } = useQuickSearch.getState()
  if (ctrlKey || metaKey || handlesKeys(target)) return false
  if (key === 'Enter') useQuickSearch.setState({ enterPressed: true })
  else if (key === 'Escape') closeQuickSearch()
  else if (key === 'Backspace') setText(text.slice(0, -1))
  else if (key.length === 1) setText(text + key)
  else return false
  return true
}

/**
 * Makes Ctrl K (Cmd K) open the quick search on these paths (`:id` is any segment), even before the screen has loaded. The
 * search field starts with the text typed until then.
 */
export function listenForQuickSearch(screenPaths: readonly string[]): void {
  const screenSegments = screenPaths.map(path => path.split('/'))
  const hasQuickSearch = (path: string) => {
    const pathSegments = path.split('/')
    return screenSegments.some(
      item =>
        item.length === pathSegments.length &&
        item.every((segment, index) => segment.startsWith(':') || segment === pathSegments[index]),
    )
  }
  function onKeyDown(event: KeyboardEvent) {
    const { isOpen } = useQuickSearch.getState()
    const hasCtrlOrCmd = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    if (hasCtrlOrCmd && event.key.toLowerCase() === 'k' && !event.defaultPrevented) {
      if (!hasQuickSearch(location.pathname) || !isAdmin(session.get().user?.role)) return
      // Prevents the browser's own action for this shortcut.
      event.preventDefault()
      if (isOpen || document.querySelector('dialog:modal')) return
      openQuickSearch()
      // Removes the focus from a link, so that the next key presses go to the search field.
      if (fields.size === 0 && document.activeElement instanceof HTMLElement) document.activeElement.blur()
    } else if (isOpen && fields.size === 0 && handleKey(event)) event.preventDefault()
  }
  globalThis.document?.addEventListener('keydown', onKeyDown)
  globalThis.document?.addEventListener('pointerdown', () => {
    if (fields.size === 0) closeQuickSearch()
  })
}

session.subscribe(({ token }) => {
  if (token === undefined) closeQuickSearch()
})
