import type { Dispute } from '@portal/contract/admin-disputes'
import { formatDateTime } from '@portal/format/dates'
import { timeLeft } from '@portal/format/disputes'
import { Status } from '@portal/ui/badge'
import lists from '../../parts/list.module.css'
import styles from './disputes.module.css'

/** The deadline and, while an answer is needed, the time left. */
export function TimeLeft({ dispute, now }: { dispute: Dispute; now: number }) {
  const remaining = timeLeft(dispute.due_at, now)
  if (!remaining || dispute.due_at === null) return <span className={lists.secondText}>No deadline</span>
  const needsAnswer = dispute.state === 'open'
  const tone = remaining.isShort ? 'danger' : 'warning'
  return (
    <>
      {needsAnswer && (
        <Status
          status={{ label: remaining.words, tone, icon: remaining.isOver ? 'cross' : 'hourglass' }}
          variant="plain"
        />
      )}
      <time className={`${lists.secondText} ${styles.due}`} dateTime={dispute.due_at}>
        {formatDateTime(dispute.due_at)}
      </time>
    </>
  )
}
