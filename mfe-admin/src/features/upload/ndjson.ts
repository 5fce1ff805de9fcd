import type { UploadResult } from '@portal/contract/admin-uploads'
import { jsonLines } from '../../parts/json-lines.ts'

export type Line =
  | { type: 'progress'; processed: number; total?: number; upload_id?: string }
  | ({ type: 'result' } & UploadResult)

/** Parses the progress events of an upload; see `jsonLines`. */
export const lineReader = () => jsonLines<Line>()
