import { existsSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { describeCause } from '../cause.ts'
import type { Database } from '../db/database.ts'
import type { Environment } from '../environment.ts'
import type { BackupOptions, Manifest } from '../jobs/backup/make-copy.ts'
import { removeOldCopies } from '../jobs/backup/old-copies.ts'
import { backUpIfDue, retryDelayMs } from '../jobs/backup/schedule.ts'
import type { Backup } from '../jobs/backup/store.ts'
import type { Ports } from '../ports.ts'
import { isDeferred } from '../queues/deferral-store.ts'
import { attempt } from '../queues/run-queue.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Returns the path of a `file:` URL; undefined for a server. */
const pathOfFileUrl = (url: string | undefined) => /^file:(.+)$/.exec(url ?? '')?.[1]

/** Returns the databases that are files on this disk, and the folders for their copies. */
function listBackupOptions(environment: Environment, folder: string): Omit<BackupOptions, 'at'>[] {
  const databases: Omit<BackupOptions, 'at'>[] = [
    { url: environment.DATABASE_URL, subject: 'portal', folder },
  ]
  const payments = pathOfFileUrl(environment.PAYMENT_DATABASE_URL)
  if (payments && existsSync(payments))
    databases.push({ url: `file:${payments}`, subject: 'payments', folder })
  return databases
}

function takeBackupsOnThread(
  backups: readonly BackupOptions[],
  onStart: (thread: Worker) => void,
): Promise<Manifest[]> {
  return new Promise((resolve, reject) => {
    const entry = import.meta.url.endsWith('.ts') ? './backup-thread.ts' : './backup-thread.js'
    const thread = new Worker(new URL(entry, import.meta.url), { workerData: backups })
    onStart(thread)
    thread.on('message', resolve)
    thread.on('error', reject)
    thread.on('exit', () => reject(new Error('stopped before the copy was made')))
  })
}

/**
 * Creates the scheduled backup of databases that are files on this machine: a copy every `BACKUP_EVERY_HOURS` hours, kept for
 * `BACKUP_KEEP_DAYS` days in the database's folder.
 * @returns `runIfDue`, to be called in every run, and `stop`, which aborts a copy in progress
 */
export function createScheduledBackup(
  ports: Pick<Ports, 'clock' | 'log' | 'environment' | 'metrics'>,
  database: Database,
) {
  const { BACKUP_EVERY_HOURS: hours, BACKUP_KEEP_DAYS: days, DATABASE_URL } = ports.environment
  const folder = path.join(path.dirname(pathOfFileUrl(DATABASE_URL) ?? ''), 'backups')
  let currentRun: Promise<unknown> | undefined
  let thread: Worker | undefined

  const intervalMs = hours * HOUR
  const take = (at: number) =>
    takeBackupsOnThread(
      listBackupOptions(ports.environment, folder).map(options => ({ ...options, at })),
      started => {
        thread = started
      },
    )

  async function runBackup(): Promise<void> {
    ports.metrics.recordQueueStart('backup')
    const item = { queue: 'backup', item: 'backup' } as const
    if (await isDeferred(database.read, { ...item, now: ports.clock.now() })) return
    let backup: Backup | undefined
    await attempt(ports, database, item, async () => {
      backup = await backUpIfDue(database, { intervalMs, take }, ports.clock)
      if (!backup || backup.verified) return undefined
      const reason = backup.error ?? 'The copy could not be made.'
      return { reason, nextAt: ports.clock.now() + retryDelayMs(intervalMs) }
    })
    if (!backup) return
    const { verified, bytes, tookMs, error } = backup
    ports.log({ level: verified ? 'info' : 'error', event: 'backup', verified, bytes, ms: tookMs, error })
    await removeOldCopies(folder, ports.clock.now() - days * DAY)
  }

  return {
    runIfDue(): void {
      currentRun ??= runBackup()
        .then(() => ports.metrics.recordQueueSuccess('backup'))
        .catch((cause: unknown) =>
          ports.log({ level: 'error', event: 'backup', cause: describeCause(cause) }),
        )
        .finally(() => {
          currentRun = undefined
          thread = undefined
        })
    },
    async stop(): Promise<void> {
      await thread?.terminate()
      await currentRun
    },
  }
}
