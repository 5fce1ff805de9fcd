import type { UploadResult } from '@portal/contract/admin-uploads'
import { jsonLines } from '../../parts/json-lines.ts'

export type Line =
  | { type: 'progress'; processed: number; total?: number; upload_id?: string }
  | ({ type: 'result' } & UploadResult)

/** Reads what is said of an upload as it comes; see `jsonLines`. */
export const lineReader = () => jsonLines<Line>()
