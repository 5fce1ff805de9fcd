import type { Batch } from '@portal/contract/organisation-batches'
import { formatDeadline } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { Progress } from '@portal/ui/progress'
import type { ReactNode } from 'react'
import styles from './organisations.module.css'

/** Interval for refetching a running batch, in milliseconds. */
export const LOOK_EVERY = 3000

/** Progress of a batch. */
export function BatchProgress({ batch, label }: { batch: Batch; label?: ReactNode }) {
  const done = batch.total - (batch.counts.pending ?? 0)
  return (
    <div className={styles.balance}>
      {label}
      <Progress
        label={batch.status === 'processing' ? 'In progress' : 'Finished'}
        value={done}
        max={batch.total}
        text={`${formatCount(done)} of ${formatCount(batch.total)} numbers`}
      />
      {batch.waiting_until && batch.status === 'processing' && (
        <p className={styles.muted}>
          Paused until {formatDeadline(batch.waiting_until)}, because many numbers were not found in the last
          hour.
        </p>
      )}
    </div>
  )
}
