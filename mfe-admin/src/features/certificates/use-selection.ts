import { useState } from 'react'

/** The selected certificates: individual ones by ID, or all that match the list's filters. */
export interface Selection {
  ids: ReadonlySet<string>
  /** True once 'Select all {n} matching' was clicked. */
  all: boolean
}

const emptySelection: Selection = { ids: new Set(), all: false }

/** Keeps the selection while the page changes; changing the filters clears it. @param filters identifies the list's filters */
export function useSelection(filters: string) {
  const [state, setState] = useState({ filters, selection: emptySelection })
  const selection = state.filters === filters ? state.selection : emptySelection
  const set = (next: Selection) => setState({ filters, selection: next })
  return {
    selection,
    toggle(ids: readonly string[], selected: boolean) {
      const next = new Set(selection.ids)
      for (const id of ids) selected ? next.add(id) : next.delete(id)
      set({ ids: next, all: false })
    },
    selectAll: () => set({ ...selection, all: true }),
    clear: () => set(emptySelection),
  }
}
