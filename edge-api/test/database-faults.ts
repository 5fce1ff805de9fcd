import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { expect } from 'vitest'
import { type Account, newAccount, request, staffToken } from './portal.ts'
import type { PortalAddress } from './servers/portal-server.ts'
import { startSqld } from './servers/sqld-server.ts'
import { startTcpProxy } from './servers/tcp-proxy.ts'
import { type LoadRequest, selectFailures, startLoad } from './steady-load.ts'

/*
 * Checks the effects of database faults on any runtime: each call returns 503, health reports the fault, nothing that was
 * acknowledged is lost, and the portal recovers without intervention. Times are only reported here; `src/db/server-fetch.test.ts` tests
 * them, independently of the machine.
 */

/** Minimum duration of a fault, in milliseconds. */
const MIN_DURATION_MS = 2000
/** Number of clients that continuously add certificates. */
const WRITER_COUNT = 3

interface Fault {
  begin(): Promise<void>
  end(): Promise<void>
  /** True if reads continue during the fault: with a full disk, or another process's lock. */
  readsContinue: boolean
  isDiskFull?: boolean
  /** The database to read after the fault. */
  databaseUrl: string
}

interface CallResult {
  call: string
  status: number
  code: unknown
  ms: number
}

/** Returns the calls that a test makes during the fault: reads, and each kind of write. */
function makeCalls(account: Account, adminToken: string, portal: PortalAddress) {
  const { token, email, password, firstname, lastname, phone } = account
  const profile = { firstname, lastname, phone, address: 'Another house' }
  const reads: Record<string, () => ReturnType<typeof request>> = {
    history: () => request('GET', '/verification/history', { token, portal }),
    settings: () => request('GET', '/verification/settings', { portal }),
    users: () => request('GET', '/admin/users', { token: adminToken, portal }),
  }
  const writes: Record<string, () => ReturnType<typeof request>> = {
    register: () => request('POST', '/auth/register', { body: makeUser(), portal }),
    login: () => request('POST', '/auth/login', { body: { email, password }, portal }),
    profile: () => request('PUT', '/auth/profile', { token, body: profile, portal }),
    certificate: () =>
      request('POST', '/admin/certificates', { token: adminToken, body: makeCertificate(), portal }),
    payment: () =>
      request('POST', '/verification/process-payment', {
        token,
        body: { certificate_number: 'UG/2019/00123' },
        portal,
      }),
    upload: () => {
      const body = new FormData()
      body.append('file', new File([toCsv(makeCertificate())], 'register.csv'))
      return request('POST', '/admin/certificates/upload', { token: adminToken, body, portal })
    },
  }
  return { reads, writes }
}

function toCsv(row: object): string {
  return `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`
}

async function measureCall(call: string, send: () => ReturnType<typeof request>): Promise<CallResult> {
  const began = performance.now()
  const { status, body } = await send()
  return { call, status, code: body.code, ms: performance.now() - began }
}

/**
 * Starts clients that add certificates one after the other.
 * @returns the numbers of the acknowledged certificates, and the load, which must be stopped
 */
function keepWriting(adminToken: string, portal: PortalAddress) {
  const acknowledged: string[] = []
  const load = startLoad(
    portal.url,
    WRITER_COUNT,
    (): LoadRequest => ({
      method: 'POST',
      path: '/api/admin/certificates',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
      body: JSON.stringify(makeCertificate()),
    }),
    {
      onOutcome: ({ body = '' }, { status }) => {
        if (status === 201) acknowledged.push(String(JSON.parse(body).certificate_number))
      },
    },
  )
  return { acknowledged, load }
}

async function waitUntil(description: string, condition: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await condition())) {
    if (performance.now() - began > WAIT_TIMEOUT_MS) throw new Error(`timed out waiting for ${description}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return performance.now() - began
}

/** Tests a portal during a fault of its database. @returns a description of the measurements */
async function testFault(fault: Fault, portal: PortalAddress): Promise<string> {
  const account = await newAccount({}, portal)
  const adminToken = await staffToken('admin', portal)
  const { reads, writes } = makeCalls(account, adminToken, portal)
  const { acknowledged, load } = keepWriting(adminToken, portal)
  await waitUntil('writes before the fault', async () => acknowledged.length > 20)

  await fault.begin()
  const began = performance.now()
  await waitUntil('writes to be refused', async () => load.outcomes.at(-1)?.status === 503)
  const writeResults: CallResult[] = []
  for (const [name, send] of Object.entries(writes)) writeResults.push(await measureCall(name, send))
  const readResults: CallResult[] = []
  for (const [name, send] of Object.entries(reads)) readResults.push(await measureCall(name, send))
  const concurrentWriteResults = await Promise.all(
    Object.entries(writes).map(([name, send]) => measureCall(name, send)),
  )
  await waitUntil('health to report the fault', async () => {
    const { status, body } = await request('GET', '/health/ready', { portal })
    const { code, parts } = body
    return status === 503 && code === 'DATABASE_UNAVAILABLE' && parts.database.status === 'error'
  })
  expect((await request('GET', '/health', { portal })).status).toBe(200)

  for (const { call, status, code } of [...writeResults, ...concurrentWriteResults]) {
    if (!fault.isDiskFull) expect([call, status, code]).toEqual([call, 503, 'DATABASE_UNAVAILABLE'])
    // A small write can succeed because it fits in the existing journal; the gateway is on the same disk.
    else if (status >= 300) {
      expect([call, status]).toEqual([call, 503])
      expect(['DATABASE_UNAVAILABLE', 'GATEWAY_UNAVAILABLE']).toContain(code)
    }
  }
  for (const { call, status, code } of readResults) {
    if (fault.readsContinue) expect([call, status]).toEqual([call, 200])
    else expect([call, status, code]).toEqual([call, 503, 'DATABASE_UNAVAILABLE'])
  }
  await waitUntil(
    'the minimum duration of the fault',
    async () => performance.now() - began > MIN_DURATION_MS,
  )

  const countBeforeRecovery = acknowledged.length
  await fault.end()
  const recoveryTime = await waitUntil(
    'writes after the fault',
    async () => acknowledged.length > countBeforeRecovery,
  )
  for (const [name, send] of Object.entries({ ...reads, ...writes }))
    await waitUntil(`${name} to succeed again`, async () => (await send()).status < 300)
  await waitUntil('health to report the recovery', async () => {
    const { status, body } = await request('GET', '/health/ready', { portal })
    return status === 200 && body.parts.database.status === 'healthy'
  })
  load.stop()
  await load.ended
  // Every response was complete, and every failure during the fault was a 503.
  expect(selectFailures(load.outcomes).filter(({ status }) => status !== 503)).toEqual([])
  expect(await findMissing(fault.databaseUrl, acknowledged)).toEqual([])
  const slowest = Math.max(
    ...load.outcomes.map(({ ms }) => ms),
    ...[...writeResults, ...concurrentWriteResults, ...readResults].map(({ ms }) => ms),
  )
  return `slowest response ${seconds(slowest)}, recovered in ${seconds(recoveryTime)}`
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Returns the acknowledged certificates that are missing. */
async function findMissing(url: string, acknowledged: readonly string[]): Promise<string[]> {
  const client = createClient({ url, timeout: 5000 })
  const { rows } = await client.execute('select certificate_number as number from certificates')
  client.close()
  const stored = new Set(rows.map(row => row.number))
  return acknowledged.filter(number => !stored.has(number))
}

/** True if a small disk can be mounted, which needs a superuser with the right to mount. */
export const canMountSmallDisks = canMount()

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'portal-probe', tmpdir(), '--fake'], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

function fillDisk(filePath: string): void {
  const file = openSync(filePath, 'a')
  for (const size of [65_536, 512]) {
    const bytes = Buffer.alloc(size)
    try {
      for (;;) writeSync(file, bytes)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
  closeSync(file)
}

interface SmallDisk {
  folder: string
  /** Keeps the disk full, even if space is freed, until `empty` is called. */
  fill(): void
  empty(): void
  remove(): Promise<void>
}

/** Mounts a disk of 64 MB on a temporary folder. */
async function mountSmallDisk(): Promise<SmallDisk> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'portal-disk', folder])
  const filler = path.join(folder, 'filler')
  let fillTimer: ReturnType<typeof setInterval> | undefined
  return {
    folder,
    fill() {
      fillDisk(filler)
      // SQLite frees space when it closes its journal, so the disk has to be filled repeatedly.
      fillTimer = setInterval(fillDisk, 5, filler)
    },
    empty() {
      clearInterval(fillTimer)
      rmSync(filler)
    },
    async remove() {
      clearInterval(fillTimer)
      execFileSync('umount', ['--lazy', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a portal with these variables in addition to the defaults of tests. */
export type StartPortal = (
  variables: Record<string, string>,
) => Promise<PortalAddress & { stop(): Promise<void> }>

/** Tests a full disk under a database file or, with `server`, under a database server. */
export async function testFullDisk(start: StartPortal, { server = false } = {}): Promise<string> {
  const disk = await mountSmallDisk()
  const sqld = server ? await startSqld(disk.folder) : undefined
  try {
    const portal = await start({ FOLDER: disk.folder, ...(sqld && { DATABASE_URL: sqld.url }) })
    const databaseUrl = sqld?.url ?? `file:${disk.folder}/portal.db`
    const begin = async () => disk.fill()
    const end = async () => disk.empty()
    return await testFault(
      { begin, end, readsContinue: true, isDiskFull: true, databaseUrl },
      portal,
    ).finally(() => portal.stop())
  } finally {
    await sqld?.stop()
    await disk.remove()
  }
}

/** Tests a database file that another process keeps locked. */
export async function testLockedFile(start: StartPortal): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-held-'))
  const databaseUrl = `file:${folder}/portal.db`
  const portal = await start({ FOLDER: folder })
  const lockingClient = createClient({ url: databaseUrl, timeout: 5000 })
  let lockingTransaction: Awaited<ReturnType<typeof lockingClient.transaction>> | undefined
  const begin = async () => {
    // The portal writes all the time, so on a busy machine one wait for the lock may not be enough.
    await waitUntil('the lock', async () => {
      lockingTransaction = await lockingClient.transaction('write').catch(() => undefined)
      return lockingTransaction !== undefined
    })
  }
  const end = async () => lockingTransaction?.rollback()
  try {
    return await testFault({ begin, end, readsContinue: true, databaseUrl }, portal)
  } finally {
    lockingClient.close()
    await portal.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Tests a database server that hangs, is then unreachable, and is then killed and restarted.
 * @param protocol the protocol of the portal's connection to the database server
 */
export async function testUnreachableServer(
  start: StartPortal,
  protocol: 'http' | 'ws' = 'http',
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-lost-'))
  let sqld = await startSqld(folder)
  const databaseUrl = sqld.url
  const port = Number(new URL(databaseUrl).port)
  const proxy = await startTcpProxy(port)
  const faults: Record<string, Pick<Fault, 'begin' | 'end'>> = {
    hangs: {
      begin: async () => void process.kill(sqld.pid, 'SIGSTOP'),
      end: async () => void process.kill(sqld.pid, 'SIGCONT'),
    },
    'cut off': { begin: async () => proxy.cut(), end: async () => proxy.restore() },
    killed: {
      begin: async () => {
        process.kill(sqld.pid, 'SIGKILL')
        await sqld.stop()
      },
      end: async () => {
        sqld = await startSqld(folder, port)
      },
    },
  }
  try {
    const portal = await start({ FOLDER: folder, DATABASE_URL: `${protocol}://127.0.0.1:${proxy.port}` })
    const descriptions: string[] = []
    try {
      for (const [name, fault] of Object.entries(faults))
        descriptions.push(
          `${name}: ${await testFault({ ...fault, readsContinue: false, databaseUrl }, portal)}`,
        )
    } finally {
      // A server that still hangs would not receive the stop signal.
      process.kill(sqld.pid, 'SIGCONT')
      await portal.stop()
    }
    return descriptions.join('; ')
  } finally {
    await proxy.stop()
    await sqld.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
