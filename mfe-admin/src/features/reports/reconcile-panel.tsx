import { zodResolver } from '@hookform/resolvers/zod'
import { adminReconciliation } from '@portal/contract/admin-reconciliation'
import { counted } from '@portal/format/counted'
import { formatDuration, formatLongDate, toIsoDate } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { Alert } from '@portal/ui/alert'
import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { Progress } from '@portal/ui/progress'
import { TextInput } from '@portal/ui/text-input'
import { useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useForm } from 'react-hook-form'
import lists from '../../parts/list.module.css'
import { Mismatches } from './mismatches.tsx'
import { dismissJob, type Job, reconcile, useReconcileJob } from './reconcile-job.ts'
import styles from './reports.module.css'
import type { TabProps } from './tab-props.ts'

/**
 * Panel that reconciles a whole day with the gateway. The reconciliation continues when the page is left and is safe to repeat.
 */
export function ReconcilePanel({ show }: Pick<TabProps, 'show'>) {
  const client = useQueryClient()
  const job = useReconcileJob()
  const today = toIsoDate(Date.now())
  const form = useForm({
    resolver: zodResolver(adminReconciliation.reconcileDay.body),
    defaultValues: { date: job.phase === 'idle' ? today : job.date },
  })
  const isRunning = job.phase === 'running'
  return (
    <Panel
      title="Bulk reconciliation"
      description="Compares every payment of a day (UTC) with the gateway, in both directions, and corrects differences. Safe to repeat."
    >
      <form
        noValidate
        className={styles.reconcile}
        onSubmit={form.handleSubmit(({ date }) => reconcile(date, client))}
      >
        <TextInput
          type="date"
          label="Day"
          max={today}
          error={form.formState.errors.date?.message}
          {...form.register('date')}
        />
        <Button variant="primary" type="submit" icon={RefreshCw} busy={isRunning} busyLabel="Reconciling…">
          Reconcile all
        </Button>
      </form>
      {isRunning && <RunningJob job={job} />}
      {job.phase === 'failed' && (
        <Alert tone="danger" title="The reconciliation did not finish" onDismiss={dismissJob}>
          {job.message}
        </Alert>
      )}
      {job.phase === 'ended' && <EndedJob job={job} show={show} />}
    </Panel>
  )
}

function RunningJob({ job }: { job: Extract<Job, { phase: 'running' }> }) {
  const { processed, total, since, date } = job
  const remaining =
    total !== undefined && processed > 0 && processed < total
      ? `, ${formatDuration(((Date.now() - since) / processed) * (total - processed))} left`
      : ''
  const counts =
    total === undefined
      ? counted(processed, 'payment')
      : `${formatCount(processed)} of ${counted(total, 'payment')}${remaining}`
  return (
    <div className={styles.running}>
      <Progress
        label={`Comparing ${formatLongDate(date)}`}
        value={total === undefined ? undefined : processed}
        max={total}
        text={counts}
      />
      <p className={lists.secondText}>
        You can leave this page: the comparison continues, and the result will be listed below.
      </p>
    </div>
  )
}

function EndedJob({ job, show }: { job: Extract<Job, { phase: 'ended' }> } & Pick<TabProps, 'show'>) {
  const { processed_count, updated_count, mismatches } = job.result
  const day = formatLongDate(job.date)
  const changes =
    updated_count === 0
      ? 'No payments changed.'
      : `${formatCount(updated_count)} ${updated_count === 1 ? 'payment' : 'payments'} updated.`
  const differences =
    mismatches.length === 0
      ? 'Everything agrees with the gateway.'
      : `${formatCount(mismatches.length)} ${mismatches.length === 1 ? 'difference needs' : 'differences need'} review.`
  return (
    <div className={lists.stack}>
      <Alert tone="success" onDismiss={dismissJob}>
        <p>Bulk reconciliation completed. Processed {processed_count} transactions.</p>
        <p>
          {processed_count === 0 && mismatches.length === 0
            ? `No payments on ${day} went through a gateway: demo data and free verifications never do.`
            : `${changes} ${differences}`}
        </p>
      </Alert>
      {mismatches.length > 0 && (
        <Mismatches
          caption={`Differences on ${day}`}
          mismatches={mismatches}
          onOpen={transaction => show({ transaction })}
        />
      )}
    </div>
  )
}
