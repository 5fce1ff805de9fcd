import { LoadFailure } from '@portal/account-ui/load-failure'
import { fieldLabel, valueInWords } from '@portal/account-ui/record-values'
import { saveFile } from '@portal/account-ui/save-file'
import { call, download } from '@portal/api/call'
import { alertText } from '@portal/api/error'
import { q } from '@portal/api/query'
import type { RegisterJob } from '@portal/contract/register-jobs'
import { counted } from '@portal/format/counted'
import { formatDateTime, toIsoDate } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { registerJobDisplay } from '@portal/format/status'
import { Link } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { Alert } from '@portal/ui/alert'
import { Status } from '@portal/ui/badge'
import { Button } from '@portal/ui/button'
import { DefinitionList } from '@portal/ui/definition-list'
import { FormActions } from '@portal/ui/form-layout'
import { withBreaks } from '@portal/ui/mono'
import { Panel } from '@portal/ui/panel'
import { Progress } from '@portal/ui/progress'
import { Skeleton } from '@portal/ui/skeleton'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import lists from '../../parts/list.module.css'
import { RevertButton } from '../../parts/register-jobs/revert-button.tsx'
import { jobKindLabel } from '../../parts/register-jobs/texts.ts'
import { useRefreshRegister } from '../../parts/register-jobs/use-jobs.ts'
import { registerJobs } from '../../parts/screen-endpoints.ts'
import { DownloadButton } from '../../parts/upload-report/download-button.tsx'
import { isUnfinished } from './job-table.tsx'
import styles from './register-jobs.module.css'

const POLL_MS = 1000

/** The progress of one job, or its result. */
export function JobPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const jobQuery = useQuery({
    ...q(registerJobs.read, { params: { id } }),
    refetchInterval: query => (query.state.data && isUnfinished(query.state.data.job) ? POLL_MS : false),
  })
  const job = jobQuery.data?.job
  const refresh = useRefreshRegister()
  const onEnded = useEffectEvent(() => void refresh())
  const isRunning = job && isUnfinished(job)
  // Refetches the register when the job ends or the panel closes.
  useEffect(() => {
    if (isRunning) return () => onEnded()
  }, [isRunning])
  return (
    <Panel
      title={job ? jobKindLabel(job.kind) : 'Bulk change'}
      description={
        job && `Started by ${job.author_email ?? 'the portal'} on ${formatDateTime(job.created_at)}`
      }
      action={
        <Button size="sm" variant="quiet" className={styles.flush} onClick={onClose}>
          Close details
        </Button>
      }
    >
      {jobQuery.isError && <LoadFailure title="The bulk change could not be loaded" query={jobQuery} />}
      {jobQuery.isPending && <Skeleton size="facts" lines={5} />}
      {job && <Job job={job} />}
    </Panel>
  )
}

function Job({ job }: { job: RegisterJob }) {
  return (
    <div className={styles.job}>
      {isUnfinished(job) && <RunningJob job={job} />}
      {job.error !== null && <Alert tone="danger">{job.error}</Alert>}
      <Facts job={job} />
      {!isUnfinished(job) && <EndedJobActions job={job} />}
    </div>
  )
}

function Facts({ job }: { job: RegisterJob }) {
  const { set, upload, job_id: revertedJobId } = job
  return (
    <DefinitionList
      variant="compact"
      items={[
        { term: 'Status', value: <Status status={registerJobDisplay(job.state)} variant="plain" /> },
        { term: 'Reason', value: <span className={lists.text}>{job.reason}</span> },
        ...Object.entries(set ?? {}).map(([field, value]) => ({
          term: fieldLabel(field),
          value: <span className={lists.text}>{valueInWords(field, value)}</span>,
        })),
        ...(upload
          ? [
              {
                term: 'Upload',
                value: <Link to={paths.uploadReport(upload.id)}>{withBreaks(upload.filename, '_')}</Link>,
              },
            ]
          : []),
        ...(revertedJobId
          ? [{ term: 'Reverts', value: <Link to={paths.registerJobs(revertedJobId)}>Bulk change</Link> }]
          : []),
        { term: 'Certificates', value: formatCount(job.total) },
        { term: 'Changed', value: formatCount(job.changed) },
        { term: 'Unchanged', value: formatCount(job.unchanged) },
        { term: 'Skipped', value: formatCount(job.skipped) },
        ...(job.finished_at ? [{ term: 'Finished', value: formatDateTime(job.finished_at) }] : []),
        ...(job.reverted_at
          ? [
              {
                term: 'Reverted',
                value: `${formatDateTime(job.reverted_at)} by ${job.reverted_by ?? 'the portal'}`,
              },
            ]
          : []),
      ]}
    />
  )
}

function RunningJob({ job: { id, state, processed, total } }: { job: RegisterJob }) {
  const refresh = useRefreshRegister()
  const cancel = useMutation({
    mutationFn: () => call(registerJobs.cancel, { params: { id } }),
    onSuccess: refresh,
    onError: error => window.alert(alertText(error)),
  })
  return (
    <>
      <Progress
        label={state === 'queued' ? 'Waiting for another bulk change' : 'In progress'}
        value={state === 'queued' ? undefined : processed}
        max={Math.max(total, 1)}
        text={`${formatCount(processed)} of ${counted(total, 'certificate')}`}
      />
      <FormActions>
        <Button
          busy={cancel.isPending || cancel.isSuccess}
          busyLabel="Cancelling…"
          onClick={() => cancel.mutate()}
        >
          Cancel
        </Button>
      </FormActions>
    </>
  )
}

async function saveReport(id: string) {
  try {
    const { blob, filename } = await download(registerJobs.report, { params: { id } })
    saveFile(blob, filename ?? `register_job_report_${toIsoDate(Date.now())}.csv`)
  } catch (error) {
    window.alert(alertText(error))
  }
}

function EndedJobActions({ job }: { job: RegisterJob }) {
  const mayRevert = useSession(({ user }) => user?.role === 'super_admin' || user?.email === job.author_email)
  return (
    <FormActions>
      <DownloadButton save={() => saveReport(job.id)}>Report</DownloadButton>
      {job.revertible && mayRevert && (
        <RevertButton
          label="Revert"
          title="Revert this bulk change?"
          target={{ kind: 'job_revert', job_id: job.id }}
          changed={job.changed}
        />
      )}
    </FormActions>
  )
}
