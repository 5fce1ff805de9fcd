import type { OnConflict } from '@portal/contract/admin-uploads'
import { uploadFields } from '@portal/contract/upload-columns'
import type { DateOrder } from '@portal/contract/upload-dates'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { RadioGroup } from '@portal/ui/radio-group'
import { useQueryClient } from '@tanstack/react-query'
import { ListChecks, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { DownloadButton } from '../../parts/upload-report/download-button.tsx'
import { saveTemplate } from '../../parts/upload-report/files.ts'
import { RecognisedColumns } from '../../parts/upload-report/recognised-columns.tsx'
import { DateOrderChoice } from './date-order.tsx'
import { FileDrop } from './file-drop.tsx'
import { columnsToConfirm, IgnoredColumnsDialog } from './ignored-columns-dialog.tsx'
import { type Job, startUpload, useJob } from './job.ts'
import { OtherUploads } from './other-uploads.tsx'
import { type FileHead, readHead } from './read-head.ts'
import styles from './upload.module.css'
import { UploadProgress } from './upload-progress.tsx'
import { UploadResult } from './upload-result.tsx'

/** Bulk upload of certificates from a CSV file. */
export default function UploadPage() {
  const job = useJob()
  return (
    <>
      <PageHeader
        title="Upload Certificates"
        description="Add many certificates at once from a CSV file. Rows with errors are skipped and reported."
        action={<DownloadButton save={saveTemplate}>Download CSV template</DownloadButton>}
      />
      <div className={styles.page}>
        {job.phase === 'idle' && <OtherUploads />}
        {job.phase === 'idle' && <UploadForm previous={job} />}
        {(job.phase === 'sending' || job.phase === 'importing') && <UploadProgress job={job} />}
        {job.phase === 'ended' && <UploadResult key={job.result.upload_id} job={job} />}
      </div>
    </>
  )
}

/** An example that is only shown on screen: in the template, it would be imported. */
const EXAMPLE_FILE = `${uploadFields.join(',')}
UG/2019/90123,"Adébáyọ̀, Ọlá",CSC/15/0042,B.Sc. Computer Science,2019-11-22,First Class,Computer Science`

const isCsv = (file: File) => /\.csv$/i.test(file.name)
/** Reads the beginning of a file. An unreadable file gives undefined here, and is rejected with a reason when it is sent. */
const tryReadHead = (file: File) => readHead(file).catch(() => undefined)

/** Upload form. An unsuitable file shows as a browser alert (specification, section 8). */
function UploadForm({ previous }: { previous: Extract<Job, { phase: 'idle' }> }) {
  const client = useQueryClient()
  const [file, setFile] = useState(previous.file)
  const [head, setHead] = useState<FileHead>()
  const [onConflict, setOnConflict] = useState<OnConflict>(previous.options?.onConflict ?? 'fail')
  const [dateOrder, setDateOrder] = useState<DateOrder | undefined>(previous.options?.dateOrder)
  const [ignoredToConfirm, setIgnoredToConfirm] = useState<readonly string[]>()
  // The text of the latest alert, until another file is chosen.
  const [alertText, setAlertText] = useState<string>()

  useEffect(() => {
    let isCurrent = true
    setHead(undefined)
    if (file && isCsv(file)) void tryReadHead(file).then(read => isCurrent && setHead(read))
    return () => {
      isCurrent = false
    }
  }, [file])

  const send = (chosen: File, dryRun: boolean) =>
    startUpload(chosen, { dryRun, onConflict, dateOrder }, client)

  function showAlert(message: string) {
    setAlertText(message)
    window.alert(message)
  }

  async function upload(dryRun: boolean) {
    if (!file) return showAlert('Please select a file first')
    if (!isCsv(file)) return showAlert('Please select a CSV file')
    setAlertText(undefined)
    const { header } = (dryRun ? undefined : await tryReadHead(file)) ?? {}
    const ignored = header && header.problem === undefined ? columnsToConfirm(header.ignored) : []
    if (ignored.length > 0) setIgnoredToConfirm(ignored)
    else await send(file, dryRun)
  }

  return (
    <Panel>
      <div className={styles.choose}>
        <FileDrop
          file={file}
          onFile={chosen => {
            setFile(chosen)
            setAlertText(undefined)
          }}
        />
        {alertText !== undefined && (
          <Alert tone="danger" silent>
            {alertText}
          </Alert>
        )}
        {previous.error !== undefined && file === previous.file && (
          <Alert
            tone="danger"
            title={
              previous.options?.dryRun ? 'Dry run failed: nothing was changed' : 'The file was not imported'
            }
          >
            {previous.error}
          </Alert>
        )}
        <div aria-live="polite">{head && <HeadSummary {...head} />}</div>
        <DateOrderChoice head={head} value={dateOrder} onChange={setDateOrder} />
        <RadioGroup
          legend="If a number already exists with different details"
          value={onConflict}
          onChange={value => setOnConflict(value === 'update' ? 'update' : 'fail')}
          options={[
            { value: 'fail', label: 'Keep the existing certificate and report the row as failed' },
            {
              value: 'update',
              label: 'Update the certificate from the file',
              help: 'Letters issued for it are superseded, and letter holders are notified.',
            },
          ]}
        />
        <div className={styles.actions}>
          <Button variant="primary" icon={Upload} onClick={() => void upload(false)}>
            Upload
          </Button>
          <Button icon={ListChecks} onClick={() => void upload(true)}>
            Dry run
          </Button>
        </div>
        <p className={styles.help}>
          A dry run shows what would change without changing anything. You can upload CSV files exported from
          Excel, separated by commas, semicolons or tabs. Dates can be written as{' '}
          <span className={styles.date}>2019-11-22</span>, 22/11/2019 or 22 Nov 2019. Earlier uploads are
          under <Link to={paths.dashboard('upload-reports')}>Upload Reports</Link>.
        </p>
        <figure className={styles.example}>
          <figcaption>Example with one fictitious certificate:</figcaption>
          <pre>{EXAMPLE_FILE}</pre>
        </figure>
      </div>
      <IgnoredColumnsDialog
        ignored={ignoredToConfirm}
        onImport={() => file && void send(file, false)}
        onCancel={() => setIgnoredToConfirm(undefined)}
      />
    </Panel>
  )
}

/** Shows how the columns will be read, before the file is sent. */
function HeadSummary({ header: { problem, recognised, ignored } }: FileHead) {
  if (problem !== undefined)
    return (
      <Alert tone="warning" title="Check the columns of this file">
        {problem}
      </Alert>
    )
  return <RecognisedColumns recognised={recognised} ignored={ignored} />
}
