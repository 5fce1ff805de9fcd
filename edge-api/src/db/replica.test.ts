import type { Client } from '@libsql/client'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTemporaryDatabase, type TemporaryDatabase } from '../../test/temporary-database.ts'
import { type Database, openDatabase } from './database.ts'
import { ReplicaHealth } from './replica.ts'

/* Uses two databases that replicate only when a test requests it, so that the source of each response is known. */

let primary: TemporaryDatabase
let replica: TemporaryDatabase
let health: ReplicaHealth
/** Number of reads sent to the replica. */
let requests: number
/** Runs before each read of the replica. */
let fault: () => Promise<void>
let database: Database

const clientOf = (side: TemporaryDatabase) => side.database.client
const writeSetting = (side: TemporaryDatabase, value: string) =>
  clientOf(side).execute({
    sql: "insert or replace into settings (key, value, updated_at) values ('where', ?, 0)",
    args: [JSON.stringify(value)],
  })
const catchUp = (writes: number) => clientOf(replica).execute(`update write_counter set writes = ${writes}`)
const writeOnce = () => database.write(tx => tx.run(sql`update settings set updated_at = updated_at + 1`))

async function readFromReplicaOrPrimary(): Promise<unknown> {
  const reader = await database.replica?.()
  const [row] =
    (await reader?.all<{ value: string }>(sql`select value from settings where key = 'where'`)) ?? []
  return row && JSON.parse(row.value)
}

beforeEach(async () => {
  ;[primary, replica] = await Promise.all([createTemporaryDatabase(), createTemporaryDatabase()])
  await Promise.all([writeSetting(primary, 'primary'), writeSetting(replica, 'replica')])
  health = new ReplicaHealth()
  requests = 0
  fault = async () => undefined
  const batch: Client['batch'] = async (...args) => {
    requests++
    await fault()
    return clientOf(replica).batch(...args)
  }
  database = openDatabase(clientOf(primary), {
    serialiseWrites: false,
    replica: { client: { batch, close: () => undefined }, health },
  })
})
afterEach(() => Promise.all([primary.remove(), replica.remove()]))

test('each write transaction that a server commits is counted once', async () => {
  const count = async () =>
    (await clientOf(primary).execute('select writes from write_counter')).rows[0]?.writes
  const before = Number(await count())
  await writeOnce()
  await expect(
    database.write(async tx => {
      await tx.run(sql`update settings set updated_at = 0`)
      throw new Error('not this one')
    }),
  ).rejects.toThrow('not this one')
  await writeOnce()
  expect(await count()).toBe(before + 2)
})

test('reads from an up-to-date replica, and after a write only once the replica has caught up', {
  tags: ['RUNTIME-3'],
}, async () => {
  expect(await readFromReplicaOrPrimary()).toBe('replica')
  await writeOnce()
  expect(await readFromReplicaOrPrimary()).toBe('primary')
  await catchUp(1000)
  health.markResponded()
  expect(await readFromReplicaOrPrimary()).toBe('replica')
})

test('waits for a replica that is a moment behind', async () => {
  await writeOnce()
  fault = async () => {
    if (requests === 3) await catchUp(1000)
  }
  expect(await readFromReplicaOrPrimary()).toBe('replica')
  expect(requests).toBe(3)
})

test('a request whose first read went to the primary reads only from the primary, so that it never sees older data', async () => {
  const reader = await database.replica?.()
  const read = async () => {
    const rows = await reader?.all<{ value: string }>(sql`select value from settings where key = 'where'`)
    return rows?.[0]?.value
  }
  fault = () => Promise.reject(new Error('connection refused'))
  expect(await read()).toBe('"primary"')
  fault = async () => undefined
  health.markResponded()
  expect(await read()).toBe('"primary"')
})

test('a failing replica is not used for a while, and failures at the same time count as one', async () => {
  fault = () => Promise.reject(new Error('connection refused'))
  expect(
    await Promise.all([readFromReplicaOrPrimary(), readFromReplicaOrPrimary(), readFromReplicaOrPrimary()]),
  ).toEqual(Array(3).fill('primary'))
  expect(requests).toBe(3)
  expect(await readFromReplicaOrPrimary()).toBe('primary')
  expect(requests).toBe(3)

  const now = Date.now()
  expect(health.mayTry(now)).toBe(false)
  expect(health.mayTry(now + 600)).toBe(true)
  // While one request tries the replica, the others use the primary.
  expect(health.mayTry(now + 601)).toBe(false)
  health.markFailed(now + 600, now + 700)
  expect(health.mayTry(now + 1400)).toBe(false)
  expect(health.mayTry(now + 1800)).toBe(true)
  health.markResponded()
  expect(health.mayTry(now + 1801)).toBe(true)
})

test('a replica that hangs delays one read until the time limit, after which reads use the primary', {
  tags: ['RUNTIME-3'],
}, async () => {
  fault = () => new Promise(() => undefined)
  expect(await readFromReplicaOrPrimary()).toBe('primary')
  expect(await readFromReplicaOrPrimary()).toBe('primary')
  expect(requests).toBe(1)
})

test('an invalid query fails just as on the primary, and an unreachable primary is reported', async () => {
  const reader = await database.replica?.()
  await expect(reader?.all(sql`select nothing from nowhere`)).rejects.toThrow(/nowhere/)
  const offline = openDatabase(
    { ...stub, execute: () => Promise.reject(new TypeError('fetch failed')) },
    { serialiseWrites: false, replica: { client: { ...stub }, health: new ReplicaHealth() } },
  )
  const unreachable = await offline.replica?.()
  await expect(unreachable?.all(sql`select 1`)).rejects.toMatchObject({ cause: { message: 'fetch failed' } })
})

/** Stands for any method of a server that refuses every connection. */
const rejectAlways = () => Promise.reject(new Error('refused'))
const stub = { execute: rejectAlways, batch: rejectAlways, close: () => undefined } as unknown as Client
