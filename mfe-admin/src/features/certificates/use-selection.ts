import { useState } from 'react'

/** The selected certificates: individual ones by ID, or all that match the list's filters. */
export interface Selection {
  ids: ReadonlySet<string>
  /** True once 'Select all {n} matching' was clicked. */
  isAll: boolean
}

const emptySelection: Selection = { ids: new Set(), isAll: false }

/**
 * Returns the selection and functions that change it. It is kept when the page changes, and cleared when the filters change.
 * @param filterKey the list's filters as text
 */
export function useSelection(filterKey: string) {
  const [state, setState] = useState({ filterKey, selection: emptySelection })
  const selection = state.filterKey === filterKey ? state.selection : emptySelection
  const update = (next: Selection) => setState({ filterKey, selection: next })
  return {
    selection,
    setSelected(ids: readonly string[], isSelected: boolean) {
      const next = new Set(selection.ids)
      for (const id of ids) isSelected ? next.add(id) : next.delete(id)
      update({ ids: next, isAll: false })
    },
    selectAll: () => update({ ...selection, isAll: true }),
    clear: () => update(emptySelection),
  }
}
