import { showFormError } from '@portal/account-ui/form-errors'
import { queryKey } from '@portal/api/query'
import type { Route } from '@portal/contract/route'
import { useDraft } from '@portal/drafts/use-draft'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'

interface Options<Values extends FieldValues, Body, Saved> {
  form: UseFormReturn<Values, unknown, Body>
  /** Name of the form's draft. */
  name: string
  /** Query key of the settings; updated after saving. */
  route: Route
  save: (body: Body) => Promise<Saved>
  /** Maps the saved settings to form values. */
  valuesOf: (saved: Saved) => Values & DefaultValues<Values>
  onDirty: (dirty: boolean) => void
}

/** Saves a section's form: maps errors to fields, updates the cache, reports unsaved changes. */
export function useSettingsForm<Values extends FieldValues, Body, Saved extends { message: string }>({
  form,
  name,
  route,
  save,
  valuesOf,
  onDirty,
}: Options<Values, Body, Saved>) {
  const client = useQueryClient()
  const update = useMutation({ mutationFn: save })
  const { errors, isDirty, isSubmitting } = form.formState
  const draft = useDraft(form, { form: name, version: 1 })
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])

  const submit = form.handleSubmit(async body => {
    const sent = JSON.stringify(form.getValues())
    try {
      const saved = await update.mutateAsync(body)
      client.setQueryData(queryKey(route, {}), saved)
      // Keeps what was typed during the request.
      if (JSON.stringify(form.getValues()) === sent) form.reset(valuesOf(saved))
    } catch (error) {
      showFormError(form, error)
    }
  })

  return {
    submit,
    draft,
    bar: {
      dirty: isDirty,
      busy: isSubmitting,
      saved: update.data?.message,
      failed: errors.root?.server?.message,
      onDiscard: () => {
        update.reset()
        form.reset()
      },
    },
  }
}
