import { ApiError, errorText } from '@portal/api/error'
import type { UploadResult } from '@portal/contract/admin-uploads'

export type Line =
  | { type: 'progress'; processed: number; total?: number; upload_id?: string }
  | ({ type: 'result' } & UploadResult)

interface Failure {
  type: 'error'
  code?: string
}

/** The server made these lines from the contract; a second parse here would only cost. */
const lineOf = (text: string) => JSON.parse(text) as Line | Failure

/**
 * Reads an answer of JSON lines as it grows.
 * @returns a function that takes all text so far and gives the lines that are new; it throws what an error line says
 */
export function lineReader(): (textSoFar: string) => Line[] {
  let read = 0
  return textSoFar => {
    const end = textSoFar.lastIndexOf('\n') + 1
    const fresh = textSoFar.slice(read, end).split('\n').filter(Boolean).map(lineOf)
    read = Math.max(read, end)
    return fresh.map(line => {
      if (line.type === 'error') throw new ApiError(errorText(line), { status: 500, code: line.code })
      return line
    })
  }
}
