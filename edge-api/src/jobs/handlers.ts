import type { backgroundWork, DelayedWork, QueueName } from '@portal/contract/background-work'
import { paginate } from '@portal/contract/shapes'
import { requestMessages } from '@portal/rules/messages'
import { Fault } from '../fault.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { type DelayedItem, findDeferral, listDeferrals, wake } from '../queues/deferral-store.ts'
import { iso } from '../wire.ts'
import { isLate, readQueueStates } from './lateness.ts'

type Domain = typeof backgroundWork
type Subject = NonNullable<DelayedWork['subject']>

/** Kind of record that the items of each queue are about, which determines the screen that shows them. */
const subjectKinds: Partial<Record<QueueName, Subject['kind']>> = {
  callbacks: 'payment',
  requery: 'payment',
  refunds: 'refund',
  disputes: 'dispute',
  reconciliation: 'reconciliation',
  uploads: 'upload',
  letter_holders: 'account',
  erasure: 'account',
}

function toSubject({ queue, item, subject }: DelayedItem): Subject | null {
  const kind = subjectKinds[queue]
  if (!kind || subject === null) return null
  return { kind, id: kind === 'upload' || kind === 'account' ? item : subject, label: subject }
}

const toDelayedWork = (row: DelayedItem, now: number): DelayedWork => ({
  queue: row.queue,
  item: row.item,
  subject: toSubject(row),
  reason: row.reason,
  attempts: row.attempts,
  since: iso(row.since),
  next_at: iso(row.nextAt),
  late: isLate(row.queue, row.since, now),
})

const isoOf = (at: number | undefined) => (at === undefined ? null : iso(at))

async function list({ db, query, ports }: Call<Domain['list']>) {
  const { queue, page, per_page: perPage } = query
  const now = ports.clock.now()
  const { rows, total } = await listDeferrals(db.read, { queue, page, perPage })
  const states = await readQueueStates(db, { now, environment: ports.environment })
  return {
    work: rows.map(row => toDelayedWork(row, now)),
    queues: states.map(({ oldestAt, untriedSince, ...state }) => ({
      ...state,
      oldest_at: isoOf(oldestAt),
      untried_since: isoOf(untriedSince),
    })),
    pagination: paginate(page, perPage, total),
  }
}

async function retry(call: Call<Domain['retry']>) {
  const { db, params, ports } = call
  const now = ports.clock.now()
  const work = await db.write(async tx => {
    if (!(await findDeferral(tx, params)))
      throw new Fault('NOT_FOUND', { message: 'This work is no longer delayed.' })
    await wake(tx, { ...params, now })
    const after = await findDeferral(tx, params)
    if (!after) throw new Error('the deferral disappeared within the transaction')
    // The log entry contains an account's ID instead of its address, because erased accounts must not be named again.
    await recordChange(tx, call, {
      activity: 'Background work tried again',
      details: `${params.queue}: ${subjectKinds[params.queue] === 'account' ? params.item : (after.subject ?? params.item)}`,
    })
    return after
  })
  return { message: requestMessages.retriedSoon, work: toDelayedWork(work, now) }
}

export const backgroundWorkHandlers: HandlersOf<Domain> = { list, retry }
