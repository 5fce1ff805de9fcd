import { counted } from '@portal/format/counted'
import { formatCount } from '@portal/format/numbers'
import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { Progress } from '@portal/ui/progress'
import { formatBytes } from '../../parts/format-bytes.ts'
import { cancelUpload, type Job } from './job.ts'
import { timeLeft } from './time-left.ts'
import styles from './upload.module.css'

type RunningJob = Extract<Job, { phase: 'sending' | 'importing' }>

const joinParts = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(', ')

function buildProgressProps(job: RunningJob) {
  const elapsed = Date.now() - job.since
  if (job.phase === 'sending') {
    const { sent, file } = job
    const isSent = sent >= file.size
    return {
      label: isSent ? 'Checking the file' : 'Sending the file',
      value: isSent ? undefined : sent,
      max: file.size,
      text: isSent
        ? formatBytes(file.size)
        : joinParts(`${formatBytes(sent)} of ${formatBytes(file.size)}`, timeLeft(sent, file.size, elapsed)),
    }
  }
  const { processed, total, options } = job
  return {
    label: options.dryRun ? 'Checking against the register' : 'Importing',
    value: processed,
    max: total,
    text:
      total === undefined
        ? counted(processed, 'row')
        : joinParts(
            `${formatCount(processed)} of ${counted(total, 'row')}`,
            timeLeft(processed, total, elapsed),
          ),
  }
}

/** Progress of an upload, with the time left and a Cancel button. */
export function UploadProgress({ job }: { job: RunningJob }) {
  const isCancelling = job.phase === 'importing' && job.isCancelling
  return (
    <Panel title={job.file.name}>
      <Progress {...buildProgressProps(job)} />
      <p className={styles.help}>
        {job.phase === 'sending'
          ? 'Keep the portal open until the file has been sent. Nothing is changed until the whole file has been checked.'
          : 'You can leave this page: the import continues, and its report will be under Upload Reports.'}
      </p>
      <div className={styles.actions}>
        <Button busy={isCancelling} busyLabel="Cancelling…" onClick={() => cancelUpload()}>
          Cancel upload
        </Button>
      </div>
    </Panel>
  )
}
