import { call } from '@portal/api/call'
import { alertText } from '@portal/api/error'
import { queryKey } from '@portal/api/query'
import type { UploadResult } from '@portal/contract/admin-uploads'
import type { QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { analytics } from '../../parts/endpoints.ts'
import { certificates, uploads } from '../../parts/screen-endpoints.ts'
import { sendFile, type UploadInProgress, type UploadOptions } from './send-file.ts'

/** The upload of this browser tab. It is stored outside React, so that leaving the page does not stop it. */
export type Job =
  /** After a failed upload, its file for a retry, and the error. */
  | { phase: 'idle'; file?: File; options?: UploadOptions; error?: string }
  | { phase: 'sending'; file: File; options: UploadOptions; sent: number; since: number }
  | {
      phase: 'importing'
      file: File
      options: UploadOptions
      id: string | undefined
      processed: number
      total: number | undefined
      since: number
      isCancelling: boolean
    }
  | EndedJob

export interface EndedJob {
  phase: 'ended'
  file: File
  options: UploadOptions
  result: UploadResult
  /** The report whose conflicting rows are sent again as updates. */
  previous?: EndedJob | undefined
}

const store = create<{ job: Job }>(() => ({ job: { phase: 'idle' } }))
const currentJob = () => store.getState().job
const setJob = (job: Job) => store.setState({ job })
let uploadInProgress: UploadInProgress | undefined

export const useJob = () => store(({ job }) => job)

/** Refetches the lists and figures that an upload changes. */
function refresh(client: QueryClient): void {
  for (const route of [analytics.dashboard, certificates.list, uploads.list])
    client.invalidateQueries({ queryKey: queryKey(route) })
}

/**
 * Starts an upload. A failure shows as a browser alert (specification, section 8), and the file can be retried.
 * @param previous the report to return to, if its conflicting rows are sent again
 */
export async function startUpload(
  file: File,
  options: UploadOptions,
  client: QueryClient,
  previous?: EndedJob,
): Promise<void> {
  setJob({ phase: 'sending', file, options, sent: 0, since: Date.now() })
  uploadInProgress = sendFile(file, options, {
    onSent: sent => {
      const job = currentJob()
      if (job.phase === 'sending') setJob({ ...job, sent })
    },
    onProgress: ({ processed, total, id }) => {
      const job = currentJob()
      const { since, isCancelling } =
        job.phase === 'importing' ? job : { since: Date.now(), isCancelling: false }
      setJob({ phase: 'importing', file, options, id, processed, total, since, isCancelling })
    },
  })
  try {
    setJob({ phase: 'ended', file, options, result: await uploadInProgress.result, previous })
  } catch (error) {
    const isAborted = error instanceof DOMException && error.name === 'AbortError'
    const message = isAborted ? undefined : alertText(error)
    setJob(previous ?? { phase: 'idle', file, options, ...(message !== undefined && { error: message }) })
    if (message !== undefined) window.alert(message)
  } finally {
    uploadInProgress = undefined
    refresh(client)
  }
}

/** Cancels the upload. Nothing has changed if the import has not started; rows that were already imported stay. */
export async function cancelUpload(): Promise<void> {
  const job = currentJob()
  if (job.phase === 'sending') uploadInProgress?.abort()
  if (job.phase !== 'importing' || job.id === undefined) return
  setJob({ ...job, isCancelling: true })
  try {
    await call(uploads.cancel, { params: { id: job.id } })
  } catch (error) {
    const latest = currentJob()
    if (latest.phase === 'importing') setJob({ ...latest, isCancelling: false })
    window.alert(alertText(error))
  }
}

/** Dismisses a report. After a preview of updates, returns to the report whose rows it previews. */
export function dismissReport(): void {
  const job = currentJob()
  if (job.phase !== 'ended') return
  setJob((job.options.dryRun ? job.previous : undefined) ?? { phase: 'idle' })
}
