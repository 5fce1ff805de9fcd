import { type Client, createClient } from '@libsql/client'
import { migrate } from '../../db/migrate.ts'

/*
 * A copy lacks erasures requested after it was made: restored, it would bring those accounts back. The erasures known to the
 * replaced database are carried over, and the scheduler repeats them.
 */

interface Erasure {
  id: string
  /** Milliseconds. */
  dueAt: number
}

/** Accounts that were or will be erased according to a database; undefined if it cannot be read. */
export async function erasuresIn(file: string): Promise<Erasure[] | undefined> {
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
 * Repeats the erasure of these accounts in a restored database, and of no others: some may have been cancelled since.
 * @returns how many of them the copy contained
 */
export async function repeatErasures(client: Client, erasures: readonly Erasure[]): Promise<number> {
  // A copy from before erasures has no columns for them.
  await migrate(client)
  const known = JSON.stringify(erasures)
  await client.execute({
    sql: `update users set erasure_due_at = null where erasure_due_at is not null
      and id not in (select value ->> 'id' from json_each(?))`,
    args: [known],
  })
  const { rowsAffected } = await client.execute({
    sql: `update users set erasure_due_at = one.value ->> 'dueAt' from json_each(?) as one
      where users.id = one.value ->> 'id' and users.erased_at is null`,
    args: [known],
  })
  return rowsAffected
}
