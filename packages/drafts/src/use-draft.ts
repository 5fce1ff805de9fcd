import { useSession } from '@portal/session/store'
import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { type FieldValues, get, type Path, type PathValue, type UseFormReturn } from 'react-hook-form'
import { type FieldElement, isPlainField } from './plain-field.ts'
import { type Draft, type DraftValues, dropDraft, onDrafts, readDraft, writeDraft } from './store.ts'

export interface DraftOptions {
  /** The form's name, the same in every release. */
  form: string
  /** Raise it when fields are renamed or mean something else. */
  version: number
  /** Id of the record that the form changes. */
  about?: string | undefined
  /** What the draft is called where it is offered. */
  label?: string | undefined
  /** What finds the record again where it is offered. */
  find?: string | undefined
}

export interface DraftState {
  /** When what is back in the form, or could be, was typed; undefined where there is nothing to say. */
  at: number | undefined
  /** True once it is in the form; false where another tab typed it while this form was open. */
  restored: boolean
  /** Labels of restored fields whose stored value was changed by somebody else since. */
  changed: readonly string[]
  restore: () => void
  /** Forgets the draft and shows the form as stored. */
  discard: () => void
  /** Forgets the draft: it was sent. */
  sent: () => void
}

/** A field as the form calls it. */
const labelOf = (field: string, element: FieldElement | undefined) =>
  element?.labels?.[0]?.firstChild?.textContent ?? field.replaceAll('_', ' ')

const nothing = { at: undefined, restored: false, changed: [] }

/**
 * Keeps what is typed in a form for this account until it is sent or discarded, and puts it back when the form is opened
 * again. Passwords, codes and fields marked `data-secret` are never kept. Only fields that were changed are put back.
 */
export function useDraft<Values extends FieldValues, Out>(
  form: UseFormReturn<Values, unknown, Out>,
  { form: name, version, about = '', label = '', find = '' }: DraftOptions,
): DraftState {
  // A session that ends takes the form away, and must not take the draft's key before.
  const [account] = useState(() => useSession.getState().user?.id)
  const [note, setNote] = useState<Pick<DraftState, 'at' | 'restored' | 'changed'>>(nothing)
  const key = account === undefined ? undefined : { account, form: name, about }

  const storedValue = (field: string): unknown => form.control._defaultValues[field]
  const elementOf = (field: string) =>
    (get(form.control._fields, field) as { _f?: { ref?: FieldElement } } | undefined)?._f?.ref
  const isKept = (field: string) => isPlainField(field, elementOf(field))

  /** What differs from what is stored. */
  function typed(): { values: DraftValues; before: DraftValues } {
    const values: DraftValues = {}
    const before: DraftValues = {}
    for (const [field, value] of Object.entries(form.getValues())) {
      const stored = storedValue(field) ?? (typeof value === 'boolean' ? false : '')
      if ((typeof value !== 'string' && typeof value !== 'boolean') || value === stored || !isKept(field))
        continue
      values[field] = value
      if (typeof stored === 'string' || typeof stored === 'boolean') before[field] = stored
    }
    return { values, before }
  }

  const keep = useEffectEvent(() => {
    if (!key || useSession.getState().user?.id !== account) return
    const { values, before } = typed()
    if (Object.keys(values).length > 0) writeDraft(key, { version, values, before, label, find })
    else {
      setNote(nothing)
      dropDraft(key)
    }
  })

  function put({ at, values, before }: Draft) {
    const changed: string[] = []
    for (const [field, value] of Object.entries(values)) {
      const stored = storedValue(field)
      // What this release's form does not have, or has as something else, is left out.
      if (!isKept(field) || (stored != null && typeof stored !== typeof value)) continue
      if (before[field] !== (stored ?? before[field])) changed.push(labelOf(field, elementOf(field)))
      form.setValue(field as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true })
    }
    setNote({ at, restored: true, changed })
  }

  const onOpen = useEffectEvent(() => {
    const draft = key && readDraft(key, version)
    if (draft) put(draft)
  })
  const onChange = useEffectEvent(() => {
    const draft = key && readDraft(key, version)
    if (!draft) setNote(nothing)
    else if (Object.keys(typed().values).length === 0) setNote({ at: draft.at, restored: false, changed: [] })
  })
  const { subscribe } = form
  useLayoutEffect(() => {
    onOpen()
    const stop = [
      subscribe({ formState: { values: true }, callback: () => keep() }),
      onDrafts(() => onChange()),
    ]
    return () => {
      for (const each of stop) each()
    }
  }, [subscribe])

  return {
    ...note,
    restore: () => {
      const draft = key && readDraft(key, version)
      if (draft) put(draft)
    },
    discard: () => {
      if (key) dropDraft(key)
      setNote(nothing)
      form.reset()
    },
    sent: () => {
      if (key) dropDraft(key)
      setNote(nothing)
    },
  }
}
