import type { QueueName } from '@portal/contract/background-work'
import { describeCause } from '../cause.ts'
import type { Database } from '../db/database.ts'
import { releaseFreePages } from '../db/free-space.ts'
import { processDueDisputes } from '../disputes/queue.ts'
import { importReleases } from '../front-ends/import-releases.ts'
import { notifyHolders } from '../letter-holders/status-changes.ts'
import { sealActivity } from '../logs/seal.ts'
import { drainOutbox } from '../mail/outbox.ts'
import { deliverDue } from '../organisation-events/deliver.ts'
import { checkFailingEndpoints } from '../organisation-events/failing.ts'
import { warnOfExpiry } from '../organisation-keys/expiry.ts'
import { runBatches } from '../organisations/batch-run.ts'
import { runOrganisationJobs } from '../organisations/scheduled.ts'
import { listOpenCallbacks } from '../payments/inbox-store.ts'
import { processCallback } from '../payments/process-callback.ts'
import { reconcileDue } from '../payments/reconcile-nightly.ts'
import { listDueRefunds } from '../payments/refund-store.ts'
import { sendRefund } from '../payments/refunds.ts'
import { CALLBACK_DELAY_MS, LEASE_MS } from '../payments/schedule.ts'
import { leaseDuePayment, listDuePayments } from '../payments/store.ts'
import { syncWithGateway } from '../payments/sync.ts'
import { eraseDue } from '../personal-data/erase.ts'
import type { Ports } from '../ports.ts'
import { deleteEndedDeferrals, isDeferred } from '../queues/deferral-store.ts'
import { attempt, runQueue, SKIPPED } from '../queues/run-queue.ts'
import { runRegisterJobs } from '../register-jobs/run.ts'
import { importSettlements } from '../settlements/nightly.ts'
import { resumeUploads } from '../uploads/job.ts'
import { applyChanges } from '../v1/test-changes.ts'
import { PRUNE_INTERVAL_MS, prune } from './retention-store.ts'

/** Maximum number of parallel calls that one queue makes to one gateway. */
const CONCURRENCY = 4

export interface RunSummary {
  /** Number of callbacks from gateways that were processed. */
  callbacks: number
  /** Number of payments that were requeried. */
  requeries: number
  mailed: number
}

/**
 * Runs every background queue once. Runs may overlap, even in different processes: each item is processed by only one of them.
 */
export const runScheduledJobs = (ports: Ports, database: Database): Promise<RunSummary> =>
  createScheduler(ports, database)()

/**
 * Returns a function that runs the background queues of a process. The queues run concurrently, so that a slow mail server or
 * gateway delays only its own queue. A queue that is still busy with the previous run is skipped.
 */
export function createScheduler(ports: Ports, database: Database): () => Promise<RunSummary> {
  const runningQueues = new Set<QueueName>()
  async function run(queue: QueueName, work: () => Promise<number>): Promise<number> {
    if (runningQueues.has(queue)) return 0
    ports.metrics.recordQueueStart(queue)
    runningQueues.add(queue)
    try {
      const count = await work()
      ports.metrics.recordQueueSuccess(queue)
      return count
    } catch (error) {
      ports.metrics.recordQueueFailure(queue)
      ports.log({ level: 'error', event: 'scheduler', queue, cause: describeCause(error) })
      return 0
    } finally {
      runningQueues.delete(queue)
    }
  }
  /** Runs a job that is the only item of its queue. */
  const runSingleJob = (queue: QueueName, work: () => Promise<unknown>) =>
    run(queue, async () => {
      if (await isDeferred(database.read, { queue, item: queue, now: ports.clock.now() })) return 0
      const runOnce = () => work().then(() => undefined)
      return (await attempt(ports, database, { queue, item: queue }, runOnce)) ? 1 : 0
    })
  const runMail = () => run('mail', async () => (await drainOutbox(ports, database)).delivered)
  const runDeliveries = () =>
    run('deliveries', async () => {
      const attemptCount = await deliverDue(ports, database)
      // Here and not after each event, because members are notified only after an endpoint has failed for a day.
      await checkFailingEndpoints(ports, database)
      return attemptCount
    })
  const runSeal = () => runSingleJob('activity_log', () => sealActivity(database))
  const runLetterHolders = () => run('letter_holders', () => notifyHolders(ports, database))
  const runErasure = () => run('erasure', () => eraseDue(ports, database))

  return () =>
    ports.metrics.runScheduler(async () => {
      const [mailed, callbacks, requeries] = await Promise.all([
        runMail(),
        run('callbacks', () => processDueCallbacks(ports, database)),
        run('requery', () => requeryDuePayments(ports, database)),
        run('refunds', () => retryDueRefunds(ports, database)),
        run('disputes', () => processDueDisputes(ports, database)),
        run('reconciliation', async () => {
          const reconciled = await reconcileDue(ports, database)
          return reconciled + (await importSettlements(ports, database))
        }),
        run('uploads', () => resumeUploads(ports, database)),
        run('register_jobs', () => runRegisterJobs(ports, database)),
        run('batches', async () => {
          await runOrganisationJobs(ports, database)
          await warnOfExpiry(ports, database)
          await applyChanges({ db: database, ports })
          return await runBatches(ports, database)
        }),
        runDeliveries(),
        runSingleJob('releases', () => importReleases(ports, database)),
        runLetterHolders(),
        runErasure(),
        run('retention', () => pruneExpired(ports, database)),
        runSeal(),
      ])
      // These run last, to process what the other queues have produced: erasures that waited for payments, new log entries and
      // new mail.
      await runErasure()
      await runSeal()
      return { callbacks, requeries, mailed: mailed + (await runMail()) }
    })
}

async function pruneExpired(ports: Ports, database: Database): Promise<number> {
  const now = ports.clock.now()
  let hasRun = false
  const deleted = await prune(database, now, async (part, work) => {
    hasRun = true
    const item = { queue: 'retention', item: part, retryAt: now + PRUNE_INTERVAL_MS } as const
    await attempt(ports, database, item, () => work().then(() => undefined))
  })
  if (hasRun) await database.write(deleteEndedDeferrals)
  await releaseFreePages(database, ports.stopping)
  return deleted
}

const processDueCallbacks = (ports: Ports, database: Database): Promise<number> =>
  runQueue(ports, database, {
    name: 'callbacks',
    listDue: range => listOpenCallbacks(database.read, { ...range, before: range.now - CALLBACK_DELAY_MS }),
    idOf: ({ id }) => String(id),
    peerOf: ({ provider }) => provider,
    concurrency: CONCURRENCY,
    processItem: async callback =>
      (await processCallback(ports, database, callback))
        ? undefined
        : { reason: 'The gateway did not respond to a query about this payment.' },
  })

async function requeryDuePayments(ports: Ports, database: Database): Promise<number> {
  let requeries = 0
  await runQueue(ports, database, {
    name: 'requery',
    listDue: range => listDuePayments(database.read, range),
    idOf: ({ transactionId }) => transactionId,
    peerOf: ({ provider }) => provider,
    concurrency: CONCURRENCY,
    async processItem({ id, transactionId }) {
      const now = ports.clock.now()
      if (!(await database.write(tx => leaseDuePayment(tx, { id, now, until: now + LEASE_MS }))))
        return SKIPPED
      requeries++
      const synced = await syncWithGateway(ports, database, { transactionId }, 'scheduler')
      const nextAt = synced?.payment.nextRequeryAt
      if (synced?.isAnswered !== false || !nextAt) return undefined
      return { reason: 'The gateway did not respond to a query about this payment.', nextAt }
    },
  })
  return requeries
}

/** Works on approved refunds that the gateway has not confirmed yet, including those interrupted by a crash. */
const retryDueRefunds = (ports: Ports, database: Database): Promise<number> =>
  runQueue(ports, database, {
    name: 'refunds',
    listDue: range => listDueRefunds(database.read, range),
    idOf: ({ id }) => id,
    peerOf: ({ provider }) => provider,
    concurrency: CONCURRENCY,
    processItem: ({ id }) => sendRefund(ports, database, id),
  })
