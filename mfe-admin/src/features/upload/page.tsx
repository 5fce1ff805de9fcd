import type { OnConflict } from '@portal/contract/admin-uploads'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { Button } from '@portal/ui/button'
import { PageHeader } from '@portal/ui/page-header'
import { Panel } from '@portal/ui/panel'
import { RadioGroup } from '@portal/ui/radio-group'
import { useQueryClient } from '@tanstack/react-query'
import { ListChecks, Upload } from 'lucide-react'
import { useState } from 'react'
import { DownloadButton } from '../../parts/upload-report/download-button.tsx'
import { saveTemplate } from '../../parts/upload-report/files.ts'
import { FileDrop } from './file-drop.tsx'
import { type Job, start, useJob } from './job.ts'
import { Others } from './others.tsx'
import styles from './upload.module.css'
import { UploadProgress } from './upload-progress.tsx'
import { UploadResult } from './upload-result.tsx'

/** Many certificates at once, from a CSV file. */
export default function UploadPage() {
  const job = useJob()
  return (
    <>
      <PageHeader
        title="Upload Certificates"
        description="Add many certificates at once from a CSV file. A wrong row never stops the others."
        action={<DownloadButton save={saveTemplate}>Download CSV template</DownloadButton>}
      />
      <div className={styles.page}>
        {job.phase === 'idle' && <Others />}
        {job.phase === 'idle' && <Choose before={job} />}
        {(job.phase === 'sending' || job.phase === 'importing') && <UploadProgress job={job} />}
        {job.phase === 'ended' && <UploadResult key={job.result.upload_id} job={job} />}
      </div>
    </>
  )
}

/** The file and what is to be done with it. A file that will not do shows as a browser alert (section 8). */
function Choose({ before }: { before: Pick<Extract<Job, { phase: 'idle' }>, 'file' | 'options'> }) {
  const client = useQueryClient()
  const [file, setFile] = useState(before.file)
  const [onConflict, setOnConflict] = useState<OnConflict>(before.options?.onConflict ?? 'fail')

  function send(dryRun: boolean) {
    if (!file) return window.alert('Please select a file first')
    if (!/\.csv$/i.test(file.name)) return window.alert('Please select a CSV file')
    start(file, { dryRun, onConflict }, client)
  }

  return (
    <Panel>
      <div className={styles.choose}>
        <FileDrop file={file} onFile={setFile} />
        <RadioGroup
          legend="When a number is on record with other content"
          value={onConflict}
          onChange={value => setOnConflict(value === 'update' ? 'update' : 'fail')}
          options={[
            { value: 'fail', label: 'Leave it and report the row as failed' },
            {
              value: 'update',
              label: 'Update it with what the file says',
              help: 'Letters issued for it are superseded, and their holders are told.',
            },
          ]}
        />
        <div className={styles.actions}>
          <Button variant="primary" icon={Upload} onClick={() => send(false)}>
            Upload
          </Button>
          <Button icon={ListChecks} onClick={() => send(true)}>
            Dry run
          </Button>
        </div>
        <p className={styles.help}>
          A dry run shows what would change and changes nothing. Excel’s CSV files will do, with commas,
          semicolons or tabs; dates as <span className={styles.date}>2019-11-22</span>, 22/11/2019 or 22 Nov
          2019. Earlier uploads are under <Link to={paths.dashboard('upload-reports')}>Upload Reports</Link>.
        </p>
      </div>
    </Panel>
  )
}
