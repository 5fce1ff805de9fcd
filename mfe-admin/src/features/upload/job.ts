import { call } from '@portal/api/call'
import { alertText } from '@portal/api/error'
import { queryKey } from '@portal/api/query'
import type { UploadResult } from '@portal/contract/admin-uploads'
import type { QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { analytics } from '../../parts/endpoints.ts'
import { certificates, uploads } from '../../parts/screen-endpoints.ts'
import { type Options, sendFile, type UploadInProgress } from './send-file.ts'

/** The upload of this browser tab. It is stored outside React, so that leaving the page does not stop it. */
export type Job =
  /** After a failed upload, its file for a retry, and the error. */
  | { phase: 'idle'; file?: File; options?: Options; error?: string }
  | { phase: 'sending'; file: File; options: Options; sent: number; since: number }
  | {
      phase: 'importing'
      file: File
      options: Options
      id: string | undefined
      processed: number
      total: number | undefined
      since: number
      cancelling: boolean
    }
  | Ended

export interface Ended {
  phase: 'ended'
  file: File
  options: Options
  result: UploadResult
  /** The report whose conflicting rows are sent again as updates. */
  previous?: Ended | undefined
}

const state = create<{ job: Job }>(() => ({ job: { phase: 'idle' } }))
const current = () => state.getState().job
const set = (job: Job) => state.setState({ job })
let sending: UploadInProgress | undefined

export const useJob = () => state(({ job }) => job)

/** Refetches the lists and figures that an upload changes. */
function refresh(client: QueryClient): void {
  for (const route of [analytics.dashboard, certificates.list, uploads.list])
    client.invalidateQueries({ queryKey: queryKey(route) })
}

/**
 * Starts an upload. A failure shows as a browser alert (specification, section 8), and the file can be retried.
 * @param previous the report to return to, if its conflicting rows are sent again
 */
export async function start(
  file: File,
  options: Options,
  client: QueryClient,
  previous?: Ended,
): Promise<void> {
  set({ phase: 'sending', file, options, sent: 0, since: Date.now() })
  sending = sendFile(file, options, {
    onSent: sent => {
      const job = current()
      if (job.phase === 'sending') set({ ...job, sent })
    },
    onProgress: ({ processed, total, id }) => {
      const job = current()
      const { since, cancelling } = job.phase === 'importing' ? job : { since: Date.now(), cancelling: false }
      set({ phase: 'importing', file, options, id, processed, total, since, cancelling })
    },
  })
  try {
    set({ phase: 'ended', file, options, result: await sending.result, previous })
  } catch (error) {
    const isAborted = error instanceof DOMException && error.name === 'AbortError'
    const message = isAborted ? undefined : alertText(error)
    set(previous ?? { phase: 'idle', file, options, ...(message !== undefined && { error: message }) })
    if (message !== undefined) window.alert(message)
  } finally {
    sending = undefined
    refresh(client)
  }
}

/** Cancels the upload. Nothing has changed if the import has not started; rows that were already imported stay. */
export async function cancel(): Promise<void> {
  const job = current()
  if (job.phase === 'sending') sending?.abort()
  if (job.phase !== 'importing' || job.id === undefined) return
  set({ ...job, cancelling: true })
  try {
    await call(uploads.cancel, { params: { id: job.id } })
  } catch (error) {
    const latest = current()
    if (latest.phase === 'importing') set({ ...latest, cancelling: false })
    window.alert(alertText(error))
  }
}

/** Dismisses a report. After a preview of updates, returns to the report whose rows it previews. */
export function dismiss(): void {
  const job = current()
  if (job.phase !== 'ended') return
  set((job.options.dryRun ? job.previous : undefined) ?? { phase: 'idle' })
}
