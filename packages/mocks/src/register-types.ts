import type { ReportRow, Upload } from '@portal/contract/admin-uploads'
import type { Change } from '@portal/contract/history'
import type { RegisterJob } from '@portal/contract/register-jobs'
import type { Certificate } from '@portal/contract/shapes'

/* History, uploads and jobs in the state of the mocked register, as plain data. */

/** A change to a record, with the record's ID. */
export interface MockChange extends Change {
  kind: 'certificate' | 'user' | 'setting'
  record_id: string
  /** The certificate number, for a certificate. */
  label: string | null
}

/** An upload with its report, and with its failed rows as they were in the file. */
export interface MockUpload extends Upload {
  report: ReportRow[]
  failures: Record<string, string>[]
}

/** A job with its report: the number, action, status and reason of each certificate. */
export interface MockJob extends RegisterJob {
  rows: [string, string | null, string, string | null][]
}

/** A deleted or withdrawn certificate, with its former position in the list, when it was deleted and by whom. */
export interface MockDeletedCertificate {
  /** Index in the list of certificates to which it returns when it is restored. */
  position: number
  certificate: Certificate
  deleted_at: string
  deleted_by: string
}
