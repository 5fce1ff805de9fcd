import { ApiError, errorOf } from '@portal/api/error'
import { buildRequestInit, buildUrl } from '@portal/api/request'
import type { OnConflict, UploadResult } from '@portal/contract/admin-uploads'
import type { DateOrder } from '@portal/contract/upload-dates'
import { handleRefusedSession, session } from '@portal/session/store'
import { uploads } from '../../parts/screen-endpoints.ts'
import { createLineReader } from './ndjson.ts'

export interface UploadOptions {
  dryRun: boolean
  onConflict: OnConflict
  /** The order of dates; undefined means day first, unless the file shows otherwise. */
  dateOrder?: DateOrder | undefined
}

interface Watcher {
  /** Called with the number of bytes sent so far. */
  onSent: (bytes: number) => void
  onProgress: (progress: { processed: number; total: number | undefined; id: string | undefined }) => void
}

/** An upload in progress. */
export interface UploadInProgress {
  result: Promise<UploadResult>
  /** Aborts the request; `result` then rejects with `AbortError`. */
  abort: () => void
}

const CONNECTION_LOST =
  'The connection was lost. If the whole file was sent, the import continues: see Upload Reports.'

/**
 * Sends a file and follows its import. Uses XMLHttpRequest, because `fetch` does not report the progress of an upload,
 * and has no time limit, because a large file takes minutes.
 */
export function sendFile(
  file: File,
  { dryRun, onConflict, dateOrder }: UploadOptions,
  watcher: Watcher,
): UploadInProgress {
  const { token } = session.get()
  const body = new FormData()
  body.append('file', file)
  const xhr = new XMLHttpRequest()
  const query = { dry_run: dryRun ? 'true' : 'false', on_conflict: onConflict, date_order: dateOrder }
  xhr.open('POST', buildUrl(uploads.upload, { query }))
  const { headers } = buildRequestInit(
    uploads.upload,
    { body, headers: { accept: 'application/x-ndjson' } },
    token,
  )
  new Headers(headers).forEach((value, name) => {
    xhr.setRequestHeader(name, value)
  })

  const result = new Promise<UploadResult>((resolve, reject) => {
    const read = createLineReader()
    function readLines() {
      if (xhr.status !== 201) return
      for (const line of read(xhr.responseText)) {
        if (line.type === 'result') resolve({ ...MISSING_REPORT_FIELDS, ...line })
        else watcher.onProgress({ processed: line.processed, total: line.total, id: line.upload_id })
      }
    }
    function rejectOnError(work: () => void) {
      try {
        work()
      } catch (error) {
        reject(error)
      }
    }
    xhr.upload.onprogress = ({ loaded }) => watcher.onSent(loaded)
    xhr.onprogress = () => rejectOnError(readLines)
    xhr.onload = () =>
      rejectOnError(() => {
        if (xhr.status < 300 && !xhr.getResponseHeader('content-type')?.includes('ndjson'))
          resolve(completeResult(JSON.parse(xhr.responseText)))
        readLines()
        // A successful response without a result line was cut off.
        if (xhr.status === 201) throw new ApiError(CONNECTION_LOST, { status: 0 })
        if (xhr.status === 401 && session.get().token === token) handleRefusedSession()
        throw toApiError(xhr)
      })
    xhr.onerror = () => reject(new ApiError(CONNECTION_LOST, { status: 0 }))
    xhr.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'))
  })
  xhr.send(body)
  return { result, abort: () => xhr.abort() }
}

/** Defaults for fields that older APIs omit. */
const MISSING_REPORT_FIELDS = {
  date_order: null,
  recognised_columns: [],
  ignored_columns: [],
  letters_affected: 0,
}

/** Completes the result of an older API, which is a single JSON response in which only the report is certain to be present. */
export function completeResult({ report = [], ...result }: Partial<UploadResult>): UploadResult {
  const total = report.length
  const failed = report.filter(({ status }) => status === 'failed').length
  const succeededCount = total - failed
  return {
    upload_id: '',
    state: 'done',
    dry_run: false,
    ...MISSING_REPORT_FIELDS,
    summary: { total, succeeded: succeededCount, failed },
    outcomes: { created: succeededCount, updated: 0, unchanged: 0 },
    report,
    ...result,
  }
}

function toApiError(xhr: XMLHttpRequest): ApiError {
  const headers = new Headers()
  for (const name of ['retry-after', 'x-request-id']) {
    const value = xhr.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  let body: unknown
  try {
    body = JSON.parse(xhr.responseText)
  } catch {
    // The response does not come from the API; it may be a proxy's error page.
  }
  return errorOf({ status: xhr.status, headers }, body)
}
