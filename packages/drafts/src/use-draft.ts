import { useSession } from '@portal/session/store'
import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { type FieldValues, get, type Path, type PathValue, type UseFormReturn } from 'react-hook-form'
import { type FieldElement, isSavableField } from './savable-field.ts'
import { type Draft, type DraftValues, dropDraft, onDraftsChanged, readDraft, writeDraft } from './store.ts'

export interface DraftOptions {
  /** The form's name, which must stay the same across releases. */
  form: string
  /** Version of the form. Increment it when fields are renamed or change their meaning. */
  version: number
  /** ID of the record being edited; omit it for a new record. */
  recordId?: string | undefined
  /** Label of the draft in a list of drafts. */
  label?: string | undefined
  /** Search text with which the record can be found in its list. */
  searchText?: string | undefined
}

export interface DraftState {
  /** When the draft was saved; undefined if there is none. */
  at: number | undefined
  /** True if the draft has been put into the form; false for a newer draft that another tab has saved. */
  restored: boolean
  /** Labels of restored fields whose stored value someone else has changed since the draft was saved. */
  changed: readonly string[]
  restore: () => void
  /** Removes the draft and resets the form to the stored values. */
  discard: () => void
  /** Removes the draft, because the form has been sent or closed. */
  remove: () => void
}

/** Returns the label of a form field, or its name in words if it has no label. */
const labelOf = (field: string, element: FieldElement | undefined) =>
  element?.labels?.[0]?.firstChild?.textContent ?? field.replaceAll('_', ' ')

const emptyResult = { at: undefined, restored: false, changed: [] }

/**
 * Saves a form's input for this account until it is sent or discarded, and restores the edited fields when the form is opened
 * again. Never saves passwords, codes or fields marked with `data-secret`.
 */
export function useDraft<Values extends FieldValues, Out>(
  form: UseFormReturn<Values, unknown, Out>,
  { form: name, version, recordId = '', label = '', searchText = '' }: DraftOptions,
): DraftState {
  // Read only once: the session may end before the form unmounts, and the draft must not be removed then.
  const [account] = useState(() => useSession.getState().user?.id)
  const [note, setNote] = useState<Pick<DraftState, 'at' | 'restored' | 'changed'>>(emptyResult)
  const key = account === undefined ? undefined : { account, form: name, recordId }

  const storedValue = (field: string): unknown => form.control._defaultValues[field]
  const elementOf = (field: string) =>
    (get(form.control._fields, field) as { _f?: { ref?: FieldElement } } | undefined)?._f?.ref
  const isSavable = (field: string) => isSavableField(field, elementOf(field))

  /** Returns the values that differ from the stored ones, and the stored values of the same fields. */
  function readEdits(): { values: DraftValues; before: DraftValues } {
    const values: DraftValues = {}
    const before: DraftValues = {}
    for (const [field, value] of Object.entries(form.getValues())) {
      const stored = storedValue(field) ?? (typeof value === 'boolean' ? false : '')
      if ((typeof value !== 'string' && typeof value !== 'boolean') || value === stored || !isSavable(field))
        continue
      values[field] = value
      if (typeof stored === 'string' || typeof stored === 'boolean') before[field] = stored
    }
    return { values, before }
  }

  const save = useEffectEvent(() => {
    if (!key || useSession.getState().user?.id !== account) return
    const { values, before } = readEdits()
    if (Object.keys(values).length > 0) writeDraft(key, { version, values, before, label, searchText })
    else {
      setNote(emptyResult)
      dropDraft(key)
    }
  })

  function apply({ at, values, before }: Draft) {
    const changed: string[] = []
    for (const [field, value] of Object.entries(values)) {
      const stored = storedValue(field)
      // Skip fields that this version of the form does not have, or whose type has changed.
      if (!isSavable(field) || (stored != null && typeof stored !== typeof value)) continue
      if (before[field] !== (stored ?? before[field])) changed.push(labelOf(field, elementOf(field)))
      form.setValue(field as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true })
    }
    setNote({ at, restored: true, changed })
  }

  const onOpen = useEffectEvent(() => {
    const draft = key && readDraft(key, version)
    if (draft) apply(draft)
  })
  const onChange = useEffectEvent(() => {
    const draft = key && readDraft(key, version)
    if (!draft) setNote(emptyResult)
    else if (Object.keys(readEdits().values).length === 0)
      setNote({ at: draft.at, restored: false, changed: [] })
  })
  const { subscribe } = form
  useLayoutEffect(() => {
    onOpen()
    const unsubscribes = [
      subscribe({ formState: { values: true }, callback: () => save() }),
      onDraftsChanged(() => onChange()),
    ]
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
    }
  }, [subscribe])

  return {
    ...note,
    restore: () => {
      const draft = key && readDraft(key, version)
      if (draft) apply(draft)
    },
    discard: () => {
      if (key) dropDraft(key)
      setNote(emptyResult)
      form.reset()
    },
    remove: () => {
      if (key) dropDraft(key)
      setNote(emptyResult)
    },
  }
}
