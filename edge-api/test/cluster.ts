import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient } from '@libsql/client'
import { makeCertificate } from '@portal/fixtures/factories'
import { startCluster } from '../../tools/lib/cluster.mjs'
import type { Subject, Tester } from './black-box/subject.ts'
import { eventually } from './portal.ts'
import { bundled } from './servers/bundle-api.ts'
import { CONTROL_TOKEN, makeTestEnvironment } from './servers/portal-server.ts'
import { testSecrets } from './servers/worker-server.ts'

/** A cluster for one test only, with the actions that tests need. */
export interface TestCluster extends Subject {
  /** Sends SIGKILL to a process, by its name: `primary`, `replica-1`, `api-2`… */
  kill(name: string): void
  /** Resolves once another process has replaced the one with this `pid` and responds. */
  waitForSuccessor(name: string, pid: number): Promise<void>
  pidOf(name: string): number
  /** A database client of the primary, without the load balancer. */
  primary: Client
  stop(): Promise<void>
}

export async function startTestCluster(): Promise<TestCluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-cluster-'))
  await bundled()
  const environment = {
    ...process.env,
    ...(await makeTestEnvironment(folder)),
    ...testSecrets,
    SEED: 'none',
    RATE_LIMIT_SCALE: '1',
    // Each simulated client has its own address in the forwarded header.
    TRUST_PROXY: '1',
  }
  const cluster = startCluster(environment, { folder })
  await cluster.ready
  const getProcess = (name: string) => {
    const part = cluster.parts.get(name)
    if (!part) throw new Error(`the cluster has no ${name}`)
    return part
  }
  const pidOf = (name: string) => getProcess(name).child.pid ?? 0
  const primary = createClient({ url: getProcess('primary').url })
  return {
    url: cluster.url,
    paymentUrl: cluster.paymentUrl,
    controlToken: CONTROL_TOKEN,
    folder,
    primary,
    pidOf,
    kill: name => process.kill(pidOf(name), 'SIGKILL'),
    async waitForSuccessor(name, pid) {
      const health = name.startsWith('api') ? '/api/health' : '/health'
      await eventually(async () => {
        if (pidOf(name) === pid) return undefined
        const response = await fetch(getProcess(name).url + health).catch(() => undefined)
        return response?.ok || undefined
      }, `${name} to respond again`)
    },
    async stop() {
      primary.close()
      await cluster.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The results of a stream of reads and writes. */
export interface Traffic {
  /** Numbers of certificates whose creation was acknowledged. */
  readonly acknowledged: readonly string[]
  /** Failed reads, each with its response. */
  readonly failedReads: readonly string[]
  /** A client's own writes that its next read did not show. */
  readonly unseenWrites: readonly string[]
  /** Attempts to write that failed, each with its status: 0 if there was no response. */
  readonly failedWrites: readonly string[]
  /** Resolves once this many more writes were acknowledged. */
  waitForWrites(count: number): Promise<void>
  end(): Promise<void>
}

/**
 * Reads and writes through the load balancer until `end` is called. Each write is followed by a read that checks for it, and is
 * retried if its response was lost.
 */
export function startTraffic({ call }: Tester, token: string, { readers = 2, writers = 2 } = {}): Traffic {
  const acknowledged: string[] = []
  const failedReads: string[] = []
  const unseenWrites: string[] = []
  const failedWrites: string[] = []
  let isRunning = true
  const toNoResponse = (error: unknown) => ({ status: 0, body: String(error) })
  const read = async (path: string) => {
    const { status, body } = await call('GET', path, { token }).catch(toNoResponse)
    if (status !== 200) failedReads.push(`${path}: ${status} ${JSON.stringify(body)}`)
    return status === 200 ? body : undefined
  }

  async function keepReading(): Promise<void> {
    while (isRunning) for (const path of ['/admin/certificates?per_page=5', '/auth/profile']) await read(path)
  }
  async function create(certificate: ReturnType<typeof makeCertificate>): Promise<boolean> {
    for (;;) {
      const { status } = await call('POST', '/admin/certificates', { token, body: certificate }).catch(
        toNoResponse,
      )
      // A 409 means that the request whose response was lost had succeeded.
      if (status === 201 || status === 409) return true
      failedWrites.push(`${certificate.certificate_number}: ${status}`)
      if (!isRunning || ![0, 502, 503].includes(status)) return false
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  async function keepWriting(): Promise<void> {
    while (isRunning) {
      const certificate = makeCertificate()
      const number = certificate.certificate_number
      if (!(await create(certificate))) continue
      acknowledged.push(number)
      const found = await read(`/admin/certificates?search=${encodeURIComponent(number)}`)
      if (found && found.certificates.length !== 1) unseenWrites.push(number)
    }
  }
  const clients = Promise.all([
    ...Array.from({ length: readers }, keepReading),
    ...Array.from({ length: writers }, keepWriting),
  ])
  return {
    acknowledged,
    failedReads,
    unseenWrites,
    failedWrites,
    async waitForWrites(count) {
      const target = acknowledged.length + count
      await eventually(async () => acknowledged.length >= target || undefined, `${count} more writes`)
    },
    async end() {
      isRunning = false
      await clients
    },
  }
}

/** Returns the numbers that are missing from the database. */
export async function findMissingCertificates(
  primary: Client,
  numbers: readonly string[],
): Promise<string[]> {
  const { rows } = await primary.execute({
    sql: 'select value as number from json_each(?) where value not in (select certificate_number from certificates)',
    args: [JSON.stringify(numbers)],
  })
  return rows.map(row => String(row.number))
}
