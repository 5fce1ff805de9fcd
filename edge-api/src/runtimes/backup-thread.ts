import { parentPort, workerData } from 'node:worker_threads'
import { type BackupOrder, type Manifest, takeBackup } from '../jobs/backup/take.ts'

/* Makes copies on a thread of its own: the driver is synchronous, and the portal goes on answering meanwhile. */

const manifests: Manifest[] = []
// What `copyOnThread` hands over; a thread's data has no type of its own.
for (const order of workerData as readonly BackupOrder[]) manifests.push(await takeBackup(order))
parentPort?.postMessage(manifests)
