import type { Reader } from '../db/database.ts'
import { csvHeaders } from '../http/csv.ts'
import { listRows } from './store.ts'

const BATCH_SIZE = 2000

export const reportHeaders = (now: number) => csvHeaders({ file: 'register_job_report' }, now)

/** Yields the processed rows of a job, in order, in batches. */
export async function* readReportRows(db: Reader, seq: number) {
  for (let after = 0; ; after += BATCH_SIZE) {
    const rows = await listRows(db, { seq, after, limit: BATCH_SIZE })
    yield rows
      .filter(({ status }) => status !== null)
      .map(({ certificateNumber, action, status, reason }) => ({
        certificate_number: certificateNumber,
        action,
        status,
        reason,
      }))
    if (rows.length < BATCH_SIZE) return
  }
}
