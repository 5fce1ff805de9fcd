import { parentPort, workerData } from 'node:worker_threads'
import { type BackupOptions, type Manifest, takeBackup } from '../jobs/backup/make-copy.ts'

/* Makes copies on a separate thread: the driver is synchronous, and the portal keeps responding. */

const manifests: Manifest[] = []
// The argument of `copyOnThread`; a thread's data has no type.
for (const order of workerData as readonly BackupOptions[]) manifests.push(await takeBackup(order))
parentPort?.postMessage(manifests)
