import { ifMatch, isConflict } from '@portal/account-ui/conflict'
import { call } from '@portal/api/call'
import { isApiError, messageOf } from '@portal/api/error'
import { queryKey } from '@portal/api/query'
import { adminSettings, type ImageKind } from '@portal/contract/admin-settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readImage } from './read-image.ts'

interface ChosenFile {
  file: File
  /** The chosen file as a data URL. */
  preview: string
}

interface Options {
  kind: ImageKind
  /** The version of the settings to which the image belongs. */
  version: number
  /** Called after an image was uploaded or removed. */
  onSaved: (() => void) | undefined
}

/** Returns the state and actions of an image setting: the chosen file, its upload, and removal after confirmation. */
export function useImageSetting({ kind, version, onSaved }: Options) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<ChosenFile>()
  const [problem, setProblem] = useState<string>()
  const [isConfirmingRemoval, setIsConfirmingRemoval] = useState(false)

  const refetch = () =>
    Promise.all(
      [adminSettings.institution, adminSettings.letter, adminSettings.history].map(route =>
        client.invalidateQueries({ queryKey: queryKey(route) }),
      ),
    )
  const handlers = {
    onSuccess: async () => {
      setChosen(undefined)
      setIsConfirmingRemoval(false)
      onSaved?.()
      await refetch()
    },
    onError: (error: unknown) => {
      setIsConfirmingRemoval(false)
      setProblem((isApiError(error) ? error.fields.file : undefined) ?? messageOf(error))
      // The settings are refetched, so that the next attempt applies to their current version.
      if (isConflict(error)) void refetch()
    },
  }
  const params = { kind }
  const upload = useMutation({
    ...handlers,
    mutationFn: (file: File) => {
      const body = new FormData()
      body.append('file', file)
      return call(adminSettings.uploadImage, { params, body, headers: ifMatch({ version }) })
    },
  })
  const remove = useMutation({
    ...handlers,
    mutationFn: () => call(adminSettings.removeImage, { params, headers: ifMatch({ version }) }),
  })

  function clearResults() {
    upload.reset()
    remove.reset()
    setProblem(undefined)
  }

  return {
    chosen,
    problem,
    removing: isConfirmingRemoval,
    upload,
    remove,
    choose: async (file: File) => {
      clearResults()
      setChosen(undefined)
      try {
        setChosen({ file, preview: await readImage(file, kind) })
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error))
      }
    },
    cancelChoice: () => {
      setChosen(undefined)
      setProblem(undefined)
    },
    askToRemove: () => {
      clearResults()
      setIsConfirmingRemoval(true)
    },
    cancelRemoval: () => setIsConfirmingRemoval(false),
  }
}
