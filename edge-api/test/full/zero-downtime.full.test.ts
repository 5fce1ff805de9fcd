import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { migrations } from '../../src/db/migrations.ts'
import '../task-meta.ts'
import { type Account, newAccount } from '../portal.ts'
import { checkOutCommit, findCommitBeforeNewestMigration } from '../servers/previous-version.ts'
import { isInstalled, type ProxyName, proxies, startProxy } from '../servers/reverse-proxy.ts'
import {
  type ActivatedPortal,
  SOCKET_ACTIVATION,
  startActivatedPortal,
} from '../servers/socket-activation.ts'
import { isSqldAvailable, startSqld } from '../servers/sqld-server.ts'
import { testSecrets } from '../servers/worker-server.ts'
import { type Load, type LoadRequest, selectFailures, startLoad, waitForMore } from '../steady-load.ts'

/*
 * Tests restarts under load behind nginx and Caddy, with the configuration of deploy/: no call fails. The portal's socket stays
 * open, so calls wait in it until the next process accepts them.
 */

const CALLERS = 8
/** Number of responses before and after each restart. */
const MIN_RESPONSES = 200

const buildCommonVariables = () => ({
  ...testSecrets,
  TRUST_PROXY: '1',
  SEED: 'none',
  // Runs the portal without the payment service, as with a real gateway; no request of this load calls it.
  PAYMENT_URL: 'http://127.0.0.1:1',
  // Any of the processes may send the mail.
  MAIL_FOLDER: path.join(folder, 'mailbox'),
})

let folder: string
const stopFunctions: (() => Promise<void>)[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-downtime-'))
})
afterEach(async () => {
  for (const stop of stopFunctions.splice(0).reverse()) await stop()
  await rm(folder, { recursive: true, force: true })
})

async function makeFolder(name: string): Promise<string> {
  const created = path.join(folder, name)
  await mkdir(created, { recursive: true })
  return created
}

async function start(variables: Record<string, string>, checkout?: string): Promise<ActivatedPortal> {
  const portalFolder = await makeFolder(variables.PORT ?? '')
  const portal = await startActivatedPortal(
    portalFolder,
    { ...buildCommonVariables(), ...variables },
    checkout,
  )
  stopFunctions.push(() => portal.stop())
  return portal
}

/** Returns a function that builds, in turn, a read, a read with a session, a write, and a request for a page. */
function buildMixedRequests({ token, firstname, lastname, phone }: Account) {
  let requestCount = 0
  const host = { host: 'localhost' }
  const authorization = `Bearer ${token}`
  return (): LoadRequest => {
    requestCount++
    if (requestCount % 4 === 0) return { path: '/', headers: host }
    if (requestCount % 4 === 1) return { path: '/api/verification/settings', headers: host }
    if (requestCount % 4 === 2)
      return { path: '/api/verification/history', headers: { ...host, authorization } }
    return {
      method: 'PUT',
      path: '/api/auth/profile',
      headers: { ...host, authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ firstname, lastname, phone, address: `House ${requestCount}` }),
    }
  }
}

async function startLoadBehind(name: ProxyName, portals: readonly ActivatedPortal[]): Promise<Load> {
  const ports = portals.map(({ port }) => port)
  const url = `http://localhost:${ports[0]}`
  const account = await newAccount({}, { url, folder, paymentUrl: '', controlToken: '' })
  const proxy = await startProxy(name, ports)
  stopFunctions.push(() => proxy.stop())
  const load = startLoad(`https://localhost:${proxy.port}`, CALLERS, buildMixedRequests(account))
  stopFunctions.push(async () => {
    load.stop()
    await load.ended
  })
  await waitForMore(load, MIN_RESPONSES)
  return load
}

const formatSeconds = (milliseconds: readonly number[]) =>
  milliseconds.map(item => (item / 1000).toFixed(1)).join(', ')

/** Checks that every call got a response, and that none failed or was refused. @returns a summary */
function expectNoFailure({ outcomes }: Load): string {
  const unsuccessful = outcomes.filter(({ status }) => status !== 200)
  expect([...selectFailures(outcomes), ...unsuccessful]).toEqual([])
  const longest = Math.max(...outcomes.map(({ ms }) => ms))
  return `${outcomes.length} calls, none failed; the longest took ${(longest / 1000).toFixed(1)} s`
}

async function choosePort() {
  return { PORT: String(await freePort()) }
}

describe.each(proxies)('behind %s', name => {
  const isAvailable =
    isInstalled(name, name === 'nginx' ? 'nginx-light' : name) &&
    isInstalled('openssl') &&
    isInstalled(SOCKET_ACTIVATION, 'systemd')

  test.skipIf(!isAvailable)(
    'calls wait while the only process restarts',
    { tags: ['QUALITY-47'] },
    async ({ task }) => {
      const portal = await start(await choosePort())
      const load = await startLoadBehind(name, [portal])
      const durations: number[] = []
      for (let restart = 0; restart < 3; restart++) {
        durations.push(await portal.restart())
        await waitForMore(load, MIN_RESPONSES)
      }
      task.meta.measurement = `${name}: restarted in ${formatSeconds(durations)} s; ${expectNoFailure(load)}`
    },
  )

  test.skipIf(!isAvailable || !isSqldAvailable)(
    'no call fails while two processes restart one after the other',
    { tags: ['QUALITY-47'] },
    async ({ task }) => {
      const sqld = await startSqld(folder)
      stopFunctions.push(() => sqld.stop())
      const portals: ActivatedPortal[] = []
      for (let item = 0; item < 2; item++)
        portals.push(await start({ ...(await choosePort()), DATABASE_URL: sqld.url }))
      const load = await startLoadBehind(name, portals)
      const durations: number[] = []
      for (const portal of portals) {
        durations.push(await portal.restart())
        await waitForMore(load, MIN_RESPONSES)
      }
      task.meta.measurement = `${name}: restarted in ${formatSeconds(durations)} s; ${expectNoFailure(load)}`
    },
  )

  const previousCommit = isAvailable && isSqldAvailable ? findCommitBeforeNewestMigration() : undefined

  test.skipIf(!previousCommit)(
    'no call fails during an upgrade in which the previous version and this one share a database',
    { tags: ['QUALITY-47'] },
    async ({ task }) => {
      const sqld = await startSqld(folder)
      stopFunctions.push(() => sqld.stop())
      const previous = await checkOutCommit(previousCommit ?? '')
      stopFunctions.push(() => previous.remove())
      const readAppliedMigrations = async () => {
        const client = createClient({ url: sqld.url })
        const { rows } = await client.execute('select name from schema_migrations order by name')
        client.close()
        return rows.map(({ name }) => name)
      }
      const allMigrations = migrations.map(migration => migration.name)
      const portals: ActivatedPortal[] = []
      for (let item = 0; item < 2; item++)
        portals.push(await start({ ...(await choosePort()), DATABASE_URL: sqld.url }, previous.folder))
      expect(await readAppliedMigrations()).toEqual(allMigrations.slice(0, -1))
      const load = await startLoadBehind(name, portals)
      const durations: number[] = []
      for (const portal of portals) {
        durations.push(await portal.upgrade())
        // After the first restart, the other process of the previous version works on the migrated database.
        expect(await readAppliedMigrations()).toEqual(allMigrations)
        await waitForMore(load, MIN_RESPONSES)
      }
      task.meta.measurement = `${name}: restarted in ${formatSeconds(durations)} s; ${expectNoFailure(load)}`
    },
  )
})
