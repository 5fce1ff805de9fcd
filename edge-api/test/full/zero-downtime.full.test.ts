import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { WAIT_HANGS } from '@portal/fixtures/hang-guards'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { releasesFolder } from '../../../scripts/shipping/folder.mjs'
import { copyToWorkIn } from '../../../tools/generate/test-copy.ts'
import { type Account, newAccount } from '../portal.ts'
import { type RunningPortal, startPortal, testEnvironment } from '../servers/portal-server.ts'
import { isInstalled, startProxy } from '../servers/reverse-proxy.ts'
import { sqldIsHere, startSqld } from '../servers/sqld-server.ts'
import { testSecrets } from '../servers/worker-server.ts'
import { failures, type Load, type LoadRequest, startLoad } from '../steady-load.ts'

/*
 * Restarts under load behind Caddy, with the configuration of deploy/: no call fails. On a file, one process stops before the next
 * one starts, and Caddy holds the calls in between.
 */

const here = isInstalled('caddy') && isInstalled('openssl')
const CALLERS = 8
/** Answers before and after each restart. */
const ENOUGH = 200

const common = { ...testSecrets, TRUST_PROXY: '1', SEED: 'none' }

let folder: string
const running: (() => Promise<void>)[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-downtime-'))
})
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop()
  await rm(folder, { recursive: true, force: true })
})

async function start(variables: Record<string, string>): Promise<RunningPortal> {
  const own = path.join(folder, variables.PORT ?? '')
  await mkdir(own, { recursive: true })
  const portal = await startPortal({ FOLDER: own, ...common, ...variables })
  running.push(() => portal.stop())
  return portal
}

/** A read, a read with a session, a page, and a write, in turn. */
function mixture({ token, firstname, lastname, phone }: Account) {
  let turn = 0
  const host = { host: 'localhost' }
  const authorization = `Bearer ${token}`
  return (): LoadRequest => {
    turn++
    if (turn % 4 === 0) return { path: '/', headers: host }
    if (turn % 4 === 1) return { path: '/api/verification/settings', headers: host }
    if (turn % 4 === 2) return { path: '/api/verification/history', headers: { ...host, authorization } }
    return {
      method: 'PUT',
      path: '/api/auth/profile',
      headers: { ...host, authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ firstname, lastname, phone, address: `House ${turn}` }),
    }
  }
}

async function more({ outcomes }: Load, count: number): Promise<void> {
  const until = outcomes.length + count
  const deadline = Date.now() + WAIT_HANGS
  while (outcomes.length < until) {
    if (Date.now() > deadline) throw new Error(`only ${outcomes.length} of ${until} answers`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

async function loadBehindCaddy(portals: readonly RunningPortal[]): Promise<Load> {
  const [first] = portals
  if (!first) throw new Error('no portal')
  const account = await newAccount({}, first)
  const proxy = await startProxy(
    'caddy',
    portals.map(({ url }) => Number(new URL(url).port)),
  )
  running.push(() => proxy.stop())
  const load = startLoad(`https://localhost:${proxy.port}`, CALLERS, mixture(account))
  running.push(async () => {
    load.stop()
    await load.ended
  })
  await more(load, ENOUGH)
  return load
}

/** Every call got its answer: none failed, and none was refused. */
function expectNoFailure({ outcomes }: Load, what: string) {
  const others = outcomes.filter(({ status }) => status !== 200)
  expect([...failures(outcomes), ...others]).toEqual([])
  const longest = Math.max(...outcomes.map(({ ms }) => ms))
  console.log(`${what}: ${outcomes.length} calls, 0 failed, the longest took ${Math.round(longest)} ms`)
}

test.skipIf(!here)('one process on a file restarts: calls are held', { tags: ['QUALITY-47'] }, async () => {
  const variables = { PORT: String(await freePort()), PAYMENT_PORT: String(await freePort()) }
  let portal = await start(variables)
  const load = await loadBehindCaddy([portal])
  for (let restart = 0; restart < 3; restart++) {
    await portal.stop()
    portal = await start(variables)
    await more(load, ENOUGH)
  }
  expectNoFailure(load, 'three restarts on a file')
})

test.skipIf(!here || !sqldIsHere)('two processes restart in turn', { tags: ['QUALITY-47'] }, async () => {
  const sqld = await startSqld(folder)
  running.push(() => sqld.stop())
  const database = { DATABASE_URL: sqld.url }
  const ports = await Promise.all([freePort(), freePort()])
  const startOn = (port: number) => start({ ...database, PORT: String(port) })
  const portals: RunningPortal[] = []
  for (const port of ports) portals.push(await startOn(port))
  const load = await loadBehindCaddy(portals)
  for (const [index, port] of ports.entries()) {
    await portals[index]?.stop()
    portals[index] = await startOn(port)
    await more(load, ENOUGH)
  }
  expectNoFailure(load, 'a rolling restart on a database server')
})

const MIGRATION = '9999_added_by_the_test'

/** The next version: this checkout with another migration. It has its own files, so it runs next to this one. */
async function nextVersion() {
  const copy = await copyToWorkIn()
  running.push(copy.remove)
  const file = copy.at('edge-api/src/db/migrations.ts')
  const text = await readFile(file, 'utf8')
  const added = `  { name: '${MIGRATION}', statements: ['alter table users add column added_by_the_test text'] },\n]`
  await writeFile(file, text.replace(/\]\s*$/, added))
  await writeFile(
    copy.at('serve.mjs'),
    `import { startProcesses } from './scripts/lib/portal.mjs'
const processes = startProcesses(process.env)
process.on('SIGTERM', () => processes.stop(0).then(() => process.exit(0)))
await processes.ready
console.log('ready http://localhost:' + process.env.PORT)`,
  )
  return {
    async start(variables: Record<string, string>) {
      const own = path.join(folder, `next-${variables.PORT}`)
      await mkdir(own, { recursive: true })
      const started = await copy.start('serve.mjs', {
        ...(await testEnvironment(own)),
        RELEASES_FOLDER: releasesFolder(),
        ...common,
        ...variables,
      })
      running.push(() => started.stop())
    },
  }
}

test.skipIf(!here || !sqldIsHere)(
  'an upgrade: old and new processes serve one database in between',
  {
    tags: ['QUALITY-47'],
  },
  async () => {
    const sqld = await startSqld(folder)
    running.push(() => sqld.stop())
    const next = await nextVersion()
    const ports = [await freePort(), await freePort()]
    const variables = (port: number) => ({ DATABASE_URL: sqld.url, PORT: String(port) })
    const portals: RunningPortal[] = []
    for (const port of ports) portals.push(await start(variables(port)))
    const load = await loadBehindCaddy(portals)
    for (const [index, port] of ports.entries()) {
      await portals[index]?.stop()
      await next.start(variables(port))
      // After the first, the old process works on the migrated database.
      await more(load, ENOUGH)
    }
    expectNoFailure(load, 'an upgrade on a database server')
    const client = createClient({ url: sqld.url })
    const { rows } = await client.execute('select name from schema_migrations order by name desc limit 1')
    client.close()
    expect(rows[0]?.name).toBe(MIGRATION)
  },
)
