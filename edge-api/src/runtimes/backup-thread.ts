import { parentPort, workerData } from 'node:worker_threads'
import { type BackupOptions, type Manifest, takeBackup } from '../jobs/backup/make-copy.ts'

/* Makes backups on a separate thread: the driver is synchronous, and the portal must stay responsive. */

const manifests: Manifest[] = []
// The data of a thread has no type; here it is the argument of `takeBackupsOnThread`.
for (const options of workerData as readonly BackupOptions[]) manifests.push(await takeBackup(options))
parentPort?.postMessage(manifests)
