import { LinkButton } from '@portal/account-ui/link-button'
import { call } from '@portal/api/call'
import { alertText, messageOf, referenceOf } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import type { Upload } from '@portal/contract/admin-uploads'
import { counted } from '@portal/format/counted'
import { formatDateTime } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { Progress } from '@portal/ui/progress'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RevertButton } from '../../parts/register-jobs/revert-button.tsx'
import { uploads } from '../../parts/screen-endpoints.ts'
import { DownloadButton } from '../../parts/upload-report/download-button.tsx'
import { saveFailedRows, saveReport } from '../../parts/upload-report/files.ts'
import { RecognisedColumns } from '../../parts/upload-report/recognised-columns.tsx'
import { FailedRowsNote, ReportFigures, ReportTable } from '../../parts/upload-report/report.tsx'
import { isUnfinished } from '../../parts/upload-report/unfinished.ts'
import styles from './upload-reports.module.css'

/** The progress of one upload, or the results of its rows. */
export function ReportPanel({ upload, onClose }: { upload: Upload; onClose: () => void }) {
  const { id, dry_run, failed, processed, total } = upload
  return (
    <Panel
      title={upload.filename}
      description={`Uploaded by ${upload.uploader_email}`}
      action={
        <Button size="sm" variant="quiet" className={styles.flush} onClick={onClose}>
          Close report
        </Button>
      }
    >
      <div className={styles.report}>
        {isUnfinished(upload) && <UploadProgress upload={upload} />}
        {upload.error !== null && <Alert tone="warning">{upload.error}</Alert>}
        {upload.reverted_at && (
          <Alert tone="info" silent>
            Reverted on {formatDateTime(upload.reverted_at)} by {upload.reverted_by ?? 'the portal'}.
          </Alert>
        )}
        {processed > 0 && !isUnfinished(upload) && (
          <>
            <ReportFigures counts={{ ...upload, total: total ?? 0 }} dryRun={dry_run} />
            <div className={styles.actions}>
              <DownloadButton save={() => saveReport(id)}>Download report</DownloadButton>
              {failed > 0 && (
                <DownloadButton save={() => saveFailedRows(id)}>
                  {`Download failed ${failed === 1 ? 'row' : 'rows'}`}
                </DownloadButton>
              )}
              {upload.created > 0 && !dry_run && (
                <LinkButton to={`${paths.dashboard('certificates')}?upload_id=${encodeURIComponent(id)}`}>
                  Show certificates
                </LinkButton>
              )}
              {upload.revertible && <RevertUpload upload={upload} />}
            </div>
            <FailedRowsNote failed={failed} />
            <RecognisedColumns
              recognised={(upload.recognised_columns ?? []).map(field => ({ field }))}
              ignored={upload.ignored_columns ?? []}
              dateOrder={upload.date_order}
            />
            <Rows upload={upload} />
          </>
        )}
      </div>
    </Panel>
  )
}

/** Button that reverts an upload; shown to its uploader and to super admins. */
function RevertUpload({ upload }: { upload: Upload }) {
  const mayRevert = useSession(
    ({ user }) => user?.role === 'super_admin' || user?.email === upload.uploader_email,
  )
  if (!mayRevert) return null
  return (
    <RevertButton
      label="Revert Upload"
      title="Revert this upload?"
      target={{ kind: 'upload_revert', upload_id: upload.id }}
      changed={upload.created + upload.updated}
    />
  )
}

function Rows({ upload }: { upload: Upload }) {
  const rows = useQuery(q(uploads.rows, { params: { id: upload.id } }))
  if (rows.isError)
    return (
      <Alert tone="danger" reference={referenceOf(rows.error)}>
        {messageOf(rows.error)}
      </Alert>
    )
  return (
    <ReportTable
      report={rows.data?.report ?? []}
      total={upload.processed}
      dryRun={upload.dry_run}
      loading={rows.isPending}
    />
  )
}

function UploadProgress({ upload: { id, processed, total } }: { upload: Upload }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => call(uploads.cancel, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKey(uploads.list) }),
    onError: error => window.alert(alertText(error)),
  })
  return (
    <>
      <Progress
        label={total === null ? 'Receiving the file' : 'Importing'}
        value={total === null ? undefined : processed}
        max={total ?? 1}
        text={total === null ? undefined : `${formatCount(processed)} of ${counted(total, 'row')}`}
      />
      <div className={styles.actions}>
        <Button busy={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
          Cancel upload
        </Button>
      </div>
    </>
  )
}
