import { ifMatch } from '@portal/account-ui/conflict'
import { useConflict } from '@portal/account-ui/use-conflict'
import { call } from '@portal/api/call'
import { queryKey } from '@portal/api/query'
import type { SettingGroup } from '@portal/contract/admin-settings'
import type { Route } from '@portal/contract/route'
import { useDraft } from '@portal/drafts/use-draft'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'
import { settingsHistory } from '../../parts/screen-endpoints.ts'

interface Versioned {
  version: number
}

interface Options<Values extends FieldValues, Body, Stored, Saved> {
  form: UseFormReturn<Values, unknown, Body>
  /** The name under which the form's draft is stored. */
  name: string
  /** The group under which these settings appear in the history. */
  group: SettingGroup
  /** The settings at the time when the form was opened. */
  settings: Stored
  /** The route that reads the settings; its cache is updated after saving. */
  route: Pick<Route, 'method' | 'path'>
  read: () => Promise<Stored>
  /** Saves the form; the headers contain the version on which the change is based. */
  save: (body: Body, headers: Record<string, string>) => Promise<Saved>
  /** Maps stored settings to form values. */
  valuesOf: (stored: Stored) => Values & DefaultValues<Values>
  onDirty: (isDirty: boolean) => void
}

/** Returns what a section's form needs: submit handler, draft, conflict notice and the props of the save bar. */
export function useSettingsForm<
  Values extends FieldValues,
  Body,
  Stored extends Versioned,
  Saved extends Stored & { message: string },
>({
  form,
  name,
  group,
  settings,
  route,
  read,
  save,
  valuesOf,
  onDirty,
}: Options<Values, Body, Stored, Saved>) {
  const client = useQueryClient()
  const update = useMutation({
    mutationFn: ({ body, headers }: { body: Body; headers: Record<string, string> }) => save(body, headers),
  })
  const { errors, isDirty, isSubmitting } = form.formState
  const draft = useDraft(form, { form: name, version: 1 })
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])

  const { save: saveVersion, conflict } = useConflict<Values, Body, Stored>({
    form,
    record: settings,
    valuesOf,
    fetchTheirs: async () => {
      const { changes } = await call(settingsHistory, { params: { group }, query: { per_page: 1 } })
      return { record: await read(), change: changes[0] }
    },
    send: async (body, version = settings) => {
      const submittedValues = JSON.stringify(form.getValues())
      const saved = await update.mutateAsync({ body, headers: ifMatch(version) })
      client.setQueryData(queryKey(route, {}), saved)
      void client.invalidateQueries({ queryKey: queryKey(settingsHistory) })
      // Resets the form only if no field has changed during the request.
      if (JSON.stringify(form.getValues()) === submittedValues) form.reset(valuesOf(saved))
      return saved
    },
  })
  const submit = form.handleSubmit(async body => {
    await saveVersion(body)
  })

  return {
    submit,
    draft,
    conflict,
    saveBarProps: {
      group,
      isDirty: isDirty,
      busy: isSubmitting,
      successMessage: update.data?.message,
      errorMessage: errors.root?.server?.message,
      onDiscard: () => {
        update.reset()
        form.reset()
      },
    },
  }
}
