import { type DelayedWork, lateThresholdMs } from '@portal/contract/background-work'
import type { RefundRecord } from '@portal/contract/refunds'
import { refundMessages } from '@portal/rules/messages'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type DelayedItem = Pick<DelayedWork, 'queue' | 'item' | 'subject' | 'reason' | 'attempts'> & {
  /** Milliseconds since the first failed attempt, and until the next attempt. */
  age: number
  wait: number
}

/** Returns delayed background work for the demo, with and without a link to a screen, some of it late. */
export function demoDelayedWork({
  now,
  refunds,
  users,
}: {
  now: Date
  refunds: readonly RefundRecord[]
  users: readonly { id: string; email: string }[]
}): DelayedWork[] {
  const refund = refunds.find(({ status }) => status === 'approved')
  const account = users.find(({ email }) => email === 'user@demo.test')
  const delayedItems: (DelayedItem | undefined)[] = [
    account && {
      queue: 'erasure',
      item: account.id,
      subject: { kind: 'account', id: account.id, label: account.email },
      reason: 'A refund is still due to this account. Approve it under Reports, Refunds.',
      attempts: 17,
      age: 75 * HOUR_MS,
      wait: 4 * HOUR_MS,
    },
    refund && {
      queue: 'refunds',
      item: refund.id,
      subject: { kind: 'refund', id: refund.transaction_id, label: refund.transaction_id },
      reason: refundMessages.noAnswer,
      attempts: 6,
      age: 5 * HOUR_MS,
      wait: 38 * MINUTE_MS,
    },
    {
      queue: 'mail',
      item: '7d5e0d3c-51c1-4b1f-9d53-3f0a2f1f7c11',
      subject: null,
      reason: 'The mail server did not accept it (Error ECONNREFUSED).',
      attempts: 3,
      age: 14 * MINUTE_MS,
      wait: 9 * MINUTE_MS,
    },
    {
      queue: 'retention',
      item: 'upload rows',
      subject: null,
      reason: 'An unexpected error (LibsqlError). The server’s log has the details.',
      attempts: 1,
      age: 4 * MINUTE_MS,
      wait: 56 * MINUTE_MS,
    },
  ]
  const timestampAt = (offsetMs: number) => new Date(now.getTime() + offsetMs).toISOString()
  return delayedItems.flatMap(entry => {
    if (!entry) return []
    const { age, wait, ...work } = entry
    return [
      {
        ...work,
        since: timestampAt(-age),
        next_at: timestampAt(wait),
        late: age > lateThresholdMs(work.queue),
      },
    ]
  })
}
