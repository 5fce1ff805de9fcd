import type { ReportRow, Upload } from '@portal/contract/admin-uploads'
import type { Change } from '@portal/contract/history'
import type { RegisterJob } from '@portal/contract/register-jobs'
import type { Certificate } from '@portal/contract/shapes'

/* History, uploads and jobs of the mocked register: plain data. */

/** A change of a record, with the record's id. */
export interface MockChange extends Change {
  kind: 'certificate' | 'user' | 'setting'
  record_id: string
  /** The certificate's number. */
  label: string | null
}

/** Includes its report and its failed rows as they were in the file. */
export interface MockUpload extends Upload {
  report: ReportRow[]
  failures: Record<string, string>[]
}

/** Includes its report: number, action, status and reason of each certificate. */
export interface MockJob extends RegisterJob {
  rows: [string, string | null, string, string | null][]
}

/** A deleted or withdrawn certificate with its position, time and actor. */
export interface MockDeleted {
  at: number
  certificate: Certificate
  deleted_at: string
  deleted_by: string
}
