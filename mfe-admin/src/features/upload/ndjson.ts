import type { UploadResult } from '@portal/contract/admin-uploads'
import { createJsonLinesReader } from '../../parts/json-lines.ts'

export type ResponseLine =
  | { type: 'progress'; processed: number; total?: number; upload_id?: string }
  | ({ type: 'result' } & UploadResult)

/** Parses the progress events of an upload; see `createJsonLinesReader`. */
export const createLineReader = () => createJsonLinesReader<ResponseLine>()
