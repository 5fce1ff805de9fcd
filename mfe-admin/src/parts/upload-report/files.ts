import { saveFile } from '@portal/account-ui/save-file'
import { download } from '@portal/api/call'
import { alertText } from '@portal/api/error'
import { uploads } from '../screen-endpoints.ts'
import { type ReportedRow, toReportCsv } from './columns.ts'

/** Saves a file; a failure shows as a browser alert (specification, section 8). */
async function save(fetched: ReturnType<typeof download>, name: string): Promise<void> {
  try {
    const { blob } = await fetched
    saveFile(blob, name)
  } catch (error) {
    window.alert(alertText(error))
  }
}

export const saveTemplate = () =>
  save(download(uploads.template, { headers: { accept: 'text/csv' } }), 'certificate_upload_template.csv')

/** Downloads every row of an upload's report. */
export const saveReport = (id: string) =>
  save(download(uploads.report, { params: { id } }), 'certificate_upload_report.csv')

/** Saves the loaded rows as a report, for an API that stores none. */
export const saveRows = (report: readonly ReportedRow[]) =>
  saveFile(new Blob(toReportCsv(report), { type: 'text/csv' }), 'certificate_upload_report.csv')

/** Downloads the failed rows as they are in the uploaded file, so that they can be corrected and uploaded again. */
export const saveFailedRows = (id: string) =>
  save(
    download(uploads.report, { params: { id }, query: { rows: 'failed' } }),
    'certificate_upload_failed_rows.csv',
  )

/** Fetches the failed rows that would succeed as updates. */
export const fetchConflicts = (id: string) =>
  download(uploads.report, { params: { id }, query: { rows: 'conflicts' } })
