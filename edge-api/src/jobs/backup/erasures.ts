import { type Client, createClient } from '@libsql/client'
import { migrate } from '../../db/migrate.ts'

/*
 * A copy lacks the erasures of accounts that were requested after it was made, so restoring it would bring back their personal
 * data. The erasures in the replaced database are therefore carried over, and the scheduler repeats them.
 */

interface Erasure {
  id: string
  /** In milliseconds since 1970. */
  dueAt: number
}

/** Returns the accounts that have been or will be erased according to a database, or undefined if it cannot be read. */
export async function readErasures(file: string): Promise<Erasure[] | undefined> {
  const client = createClient({ url: `file:${file}` })
  try {
    const { rows } = await client.execute(
      'select id, coalesce(erased_at, erasure_due_at) as at from users where coalesce(erased_at, erasure_due_at) is not null',
    )
    return rows.map(({ id, at }) => ({ id: String(id), dueAt: Number(at) }))
  } catch {
    return undefined
  } finally {
    client.close()
  }
}

/**
 * Schedules the erasure of exactly these accounts in a restored database. Other scheduled erasures in the copy are dropped,
 * because they may have been cancelled since.
 * @returns how many of these accounts the copy contained
 */
export async function scheduleErasures(client: Client, erasures: readonly Erasure[]): Promise<number> {
  // An old copy may lack the columns for erasures.
  await migrate(client)
  const list = JSON.stringify(erasures)
  await client.execute({
    sql: `update users set erasure_due_at = null where erasure_due_at is not null
      and id not in (select value ->> 'id' from json_each(?))`,
    args: [list],
  })
  const { rowsAffected } = await client.execute({
    sql: `update users set erasure_due_at = erasure.value ->> 'dueAt' from json_each(?) as erasure
      where users.id = erasure.value ->> 'id' and users.erased_at is null`,
    args: [list],
  })
  return rowsAffected
}
