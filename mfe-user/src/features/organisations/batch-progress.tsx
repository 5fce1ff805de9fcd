import type { Batch } from '@portal/contract/organisation-batches'
import { counted } from '@portal/format/counted'
import { formatDeadline } from '@portal/format/dates'
import { formatCount } from '@portal/format/numbers'
import { Progress } from '@portal/ui/progress'
import type { ReactNode } from 'react'
import styles from './organisations.module.css'

/** Interval for refetching a running batch, in milliseconds. */
export const POLL_MS = 3000

const labels = { processing: 'In progress', completed: 'Finished', cancelled: 'Cancelled' } as const

/** The progress of a batch; cancelled numbers do not count as done. */
export function BatchProgress({ batch, label }: { batch: Batch; label?: ReactNode }) {
  const { pending = 0, cancelled = 0 } = batch.counts
  const done = batch.total - pending - cancelled
  return (
    <div className={styles.balance}>
      {label}
      <Progress
        label={labels[batch.status]}
        value={done}
        max={batch.total}
        text={`${formatCount(done)} of ${counted(batch.total, 'number')}`}
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
