import { alertText } from '@portal/api/error'
import { FAILED_ROWS_KEPT, isRegisterConflict } from '@portal/contract/admin-uploads'
import { formatCount } from '@portal/format/numbers'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Upload } from 'lucide-react'
import { useState } from 'react'
import { ColumnsRead } from '../../parts/upload-report/columns-read.tsx'
import { DownloadButton } from '../../parts/upload-report/download-button.tsx'
import { fetchConflicts, saveFailedRows, saveReport, saveRows } from '../../parts/upload-report/files.ts'
import { FailedRowsNote, ReportFigures, ReportTable } from '../../parts/upload-report/report.tsx'
import { columnsToConfirm, IgnoredColumnsDialog } from './ignored-columns-dialog.tsx'
import { dismiss, type Job, start } from './job.ts'
import styles from './upload.module.css'

type Ended = Extract<Job, { phase: 'ended' }>

/** `2 rows were added, 1 was updated and 3 were unchanged`, without those that are zero. */
function outcomesInWords({ created, updated, unchanged }: Ended['result']['outcomes']) {
  const parts = [
    [created, 'added'],
    [updated, 'updated'],
    [unchanged, 'already in the register'],
  ] as const
  const phrases = parts
    .filter(([count]) => count > 0)
    .map(
      ([count, outcome], index) =>
        `${formatCount(count)}${index > 0 ? '' : count === 1 ? ' row' : ' rows'} ${count === 1 ? 'was' : 'were'} ${outcome}`,
    )
  return new Intl.ListFormat('en-GB').format(phrases)
}

function Outcome({ job: { file, options, result } }: { job: Ended }) {
  const { failed, total, succeeded } = result.summary
  const rows = (count: number) => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`
  if (result.state === 'cancelled')
    return (
      <Alert tone="warning" title="The upload was cancelled">
        Certificates added before the cancellation are kept; the report lists them.
      </Alert>
    )
  if (options.dryRun)
    return (
      <>
        <Alert tone="info" title="Checked only: nothing was changed">
          This is what uploading {file.name} would do.
        </Alert>
        {result.report.some(({ warning }) => warning !== undefined) && (
          <Alert tone="warning" title="Check some certificate numbers first">
            They differ only in separators, such as dashes or slashes, from existing numbers or from the usual
            format. The report lists them.
          </Alert>
        )}
      </>
    )
  if (total === 0)
    return (
      <Alert tone="warning" title="Nothing was uploaded">
        {file.name} has no rows below its header.
      </Alert>
    )
  if (failed === 0)
    return (
      <Alert tone="success" title="Upload complete">
        {total === 1 ? 'The only row' : `All ${rows(total)}`} of {file.name} {total === 1 ? 'is' : 'are'} on
        record.
      </Alert>
    )
  return (
    <Alert tone="warning" title={`${rows(failed)} failed`}>
      {succeeded === 0
        ? `No rows of ${file.name} were imported.`
        : `${outcomesInWords(result.outcomes)} from ${file.name}. The failed ${failed === 1 ? 'row' : 'rows'} changed nothing.`}{' '}
      {failed > FAILED_ROWS_KEPT
        ? 'Correct the file and upload it again: existing certificates are not added twice.'
        : `Correct ${failed === 1 ? 'the failed row and upload only that one' : 'the failed rows and upload only those'}.`}
    </Alert>
  )
}

/** Result of an upload or a dry run, with the next steps. */
export function UploadResult({ job }: { job: Ended }) {
  const client = useQueryClient()
  const { file, options, result } = job
  const { failed, total } = result.summary
  const isStored = result.upload_id !== ''
  const ignored = columnsToConfirm(result.ignored_columns)
  const [confirming, setConfirming] = useState(false)
  const importNow = () => start(file, { ...options, dryRun: false }, client)

  const hasAllRows = failed <= FAILED_ROWS_KEPT
  // Only rows whose certificates have other values can succeed as updates. The loaded rows begin with failures.
  const conflicts = result.report.filter(({ error }) => isRegisterConflict(error)).length

  async function retryAsUpdates() {
    const update = { ...options, dryRun: false, onConflict: 'update' } as const
    try {
      // If a very large number of rows failed, the server does not keep all of their values; the file has them.
      if (!hasAllRows) return await start(file, update, client)
      const { blob } = await fetchConflicts(result.upload_id)
      const rows = new File([blob], `conflicts-of-${file.name}`, { type: 'text/csv' })
      await start(rows, update, client)
    } catch (error) {
      window.alert(alertText(error))
    }
  }

  return (
    <Panel title={options.dryRun ? 'Dry run' : 'Upload report'}>
      <div className={styles.result}>
        <Outcome job={job} />
        <ReportFigures counts={{ ...result.summary, ...result.outcomes }} dryRun={options.dryRun} />
        <div className={styles.actions}>
          {options.dryRun && total > failed && (
            <Button
              variant="primary"
              icon={Upload}
              onClick={() => (ignored.length > 0 ? setConfirming(true) : importNow())}
            >
              Upload now
            </Button>
          )}
          <DownloadButton save={() => (isStored ? saveReport(result.upload_id) : saveRows(result.report))}>
            Download report
          </DownloadButton>
          {isStored && failed > 0 && (
            <DownloadButton save={() => saveFailedRows(result.upload_id)}>
              Download failed rows
            </DownloadButton>
          )}
          {isStored && conflicts > 0 && !options.dryRun && options.onConflict === 'fail' && (
            <Button
              icon={RotateCcw}
              onClick={retryAsUpdates}
              title={
                hasAllRows
                  ? 'Sends only the conflicting rows again, and updates their certificates'
                  : 'Sends the whole file again and updates existing certificates'
              }
            >
              {hasAllRows ? 'Retry conflicting rows as updates' : 'Retry whole file as updates'}
            </Button>
          )}
          <Button onClick={dismiss}>{options.dryRun ? 'Back' : 'Upload another file'}</Button>
        </div>
        {isStored && <FailedRowsNote failed={failed} />}
        <ColumnsRead
          recognised={result.recognised_columns.map(field => ({ field }))}
          ignored={result.ignored_columns}
          dateOrder={result.date_order}
        />
        <ReportTable report={result.report} total={total} dryRun={options.dryRun} />
      </div>
      <IgnoredColumnsDialog
        ignored={confirming ? ignored : undefined}
        onImport={importNow}
        onCancel={() => setConfirming(false)}
      />
    </Panel>
  )
}
