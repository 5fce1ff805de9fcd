import { type DelayedWork, lateThresholdMs } from '@portal/contract/background-work'
import type { RefundRecord } from '@portal/contract/refunds'
import { refundMessages } from '@portal/rules/messages'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

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
  const found: (DelayedItem | undefined)[] = [
    account && {
      queue: 'erasure',
      item: account.id,
      subject: { kind: 'account', id: account.id, label: account.email },
      reason: 'A refund is still due to this account. Approve it under Reports, Refunds.',
      attempts: 17,
      age: 75 * HOUR,
      wait: 4 * HOUR,
    },
    refund && {
      queue: 'refunds',
      item: refund.id,
      subject: { kind: 'refund', id: refund.transaction_id, label: refund.transaction_id },
      reason: refundMessages.noAnswer,
      attempts: 6,
      age: 5 * HOUR,
      wait: 38 * MINUTE,
    },
    {
      queue: 'mail',
      item: '7d5e0d3c-51c1-4b1f-9d53-3f0a2f1f7c11',
      subject: null,
      reason: 'The mail server did not accept it (Error ECONNREFUSED).',
      attempts: 3,
      age: 14 * MINUTE,
      wait: 9 * MINUTE,
    },
    {
      queue: 'retention',
      item: 'upload rows',
      subject: null,
      reason: 'An unexpected error (LibsqlError). The server’s log has the details.',
      attempts: 1,
      age: 4 * MINUTE,
      wait: 56 * MINUTE,
    },
  ]
  const at = (offset: number) => new Date(now.getTime() + offset).toISOString()
  return found.flatMap(entry => {
    if (!entry) return []
    const { age, wait, ...work } = entry
    return [{ ...work, since: at(-age), next_at: at(wait), late: age > lateThresholdMs(work.queue) }]
  })
}
