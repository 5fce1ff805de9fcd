import type { ReportRow, Upload } from '@portal/contract/admin-uploads'
import type { Change } from '@portal/contract/history'
import type { RegisterJob } from '@portal/contract/register-jobs'
import type { Certificate } from '@portal/contract/shapes'

/* History, uploads and jobs of the mocked register: plain data. */

/** A change to a record, with the record's ID. */
export interface MockChange extends Change {
  kind: 'certificate' | 'user' | 'setting'
  record_id: string
  /** The certificate's number. */
  label: string | null
}

/** An upload with its report and its failed rows as they were in the file. */
export interface MockUpload extends Upload {
  report: ReportRow[]
  failures: Record<string, string>[]
}

/** A job with its report: number, action, status and reason for each certificate. */
export interface MockJob extends RegisterJob {
  rows: [string, string | null, string, string | null][]
}

/** A deleted or withdrawn certificate with its former position, and when and by whom it was deleted. */
export interface MockDeleted {
  at: number
  certificate: Certificate
  deleted_at: string
  deleted_by: string
}
