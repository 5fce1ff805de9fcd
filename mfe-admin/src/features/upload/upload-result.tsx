import { alertText } from '@portal/api/error'
import { FAILED_ROWS_KEPT, isRegisterConflict } from '@portal/contract/admin-uploads'
import { counted } from '@portal/format/counted'
import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Upload } from 'lucide-react'
import { useState } from 'react'
import { DownloadButton } from '../../parts/upload-report/download-button.tsx'
import { fetchConflicts, saveFailedRows, saveReport, saveRows } from '../../parts/upload-report/files.ts'
import { RecognisedColumns } from '../../parts/upload-report/recognised-columns.tsx'
import { FailedRowsNote, ReportFigures, ReportTable } from '../../parts/upload-report/report.tsx'
import { rebuildConflictsFile } from './conflicts-file.ts'
import { columnsToConfirm, IgnoredColumnsDialog } from './ignored-columns-dialog.tsx'
import { dismissReport, type EndedJob, startUpload } from './job.ts'
import { Outcome } from './outcome.tsx'
import styles from './upload.module.css'

/** Result of an upload or a dry run, with the next steps. */
export function UploadResult({ job }: { job: EndedJob }) {
  const client = useQueryClient()
  const { file, options, previous, result } = job
  const { failed, total } = result.summary
  const { created, updated } = result.outcomes
  const isStored = result.upload_id !== ''
  const ignored = columnsToConfirm(result.ignored_columns)
  const [isConfirming, setIsConfirming] = useState(false)
  const importNow = () => startUpload(file, { ...options, dryRun: false }, client, previous)
  const isImportable = previous ? created + updated > 0 : total > failed

  const hasAllRows = failed <= FAILED_ROWS_KEPT
  // Only rows whose certificate is in the register with other values can succeed as updates. Failures are loaded first.
  const conflictCount = result.report.filter(({ error }) => isRegisterConflict(error)).length

  async function previewUpdates() {
    const updateOptions = { ...options, dryRun: true, onConflict: 'update' } as const
    try {
      // If a very large number of rows failed, the server does not store all of their values; the uploaded file has them.
      const fileToSend = hasAllRows
        ? await rebuildConflictsFile((await fetchConflicts(result.upload_id)).blob, file.name)
        : file
      await startUpload(fileToSend, updateOptions, client, job)
    } catch (error) {
      window.alert(alertText(error))
    }
  }

  return (
    <Panel title={options.dryRun ? (previous ? 'Preview of the updates' : 'Dry run') : 'Upload report'}>
      <div className={styles.result}>
        <Outcome job={job} />
        <ReportFigures counts={{ ...result.summary, ...result.outcomes }} dryRun={options.dryRun} />
        <div className={styles.actions}>
          {options.dryRun && isImportable && (
            <Button
              variant="primary"
              icon={Upload}
              onClick={() => (ignored.length > 0 ? setIsConfirming(true) : importNow())}
            >
              {previous && created === 0 ? `Update ${counted(updated, 'certificate')}` : 'Upload now'}
            </Button>
          )}
          <DownloadButton save={() => (isStored ? saveReport(result.upload_id) : saveRows(result.report))}>
            Download report
          </DownloadButton>
          {isStored && failed > 0 && (
            <DownloadButton save={() => saveFailedRows(result.upload_id)}>
              {`Download failed ${failed === 1 ? 'row' : 'rows'}`}
            </DownloadButton>
          )}
          {isStored && conflictCount > 0 && !options.dryRun && options.onConflict === 'fail' && (
            <Button
              icon={RotateCcw}
              onClick={previewUpdates}
              title={
                hasAllRows
                  ? 'Shows what would change if the conflicting rows updated their certificates'
                  : 'Shows what would change if the whole file updated existing certificates'
              }
            >
              {hasAllRows
                ? `Retry conflicting ${conflictCount === 1 ? 'row as an update' : 'rows as updates'}`
                : 'Retry whole file as updates'}
            </Button>
          )}
          <Button onClick={dismissReport}>
            {options.dryRun ? (previous ? 'Back to the report' : 'Back') : 'Upload another file'}
          </Button>
        </div>
        {isStored && <FailedRowsNote failed={failed} />}
        <RecognisedColumns
          recognised={result.recognised_columns.map(field => ({ field }))}
          ignored={result.ignored_columns}
          dateOrder={result.date_order}
        />
        <ReportTable report={result.report} total={total} dryRun={options.dryRun} />
      </div>
      <IgnoredColumnsDialog
        ignored={isConfirming ? ignored : undefined}
        onImport={importNow}
        onCancel={() => setIsConfirming(false)}
      />
    </Panel>
  )
}
