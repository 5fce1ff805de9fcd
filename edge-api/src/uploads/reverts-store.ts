import { and, eq, inArray } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { users } from '../db/schema/accounts.ts'
import { registerJobs } from '../db/schema/register-jobs.ts'

/** A revert of an upload or job that is waiting, running or done. */
export interface Revert {
  /** Email address of the author; null once the account has been erased. */
  authorEmail: string | null
  /** When the revert was done; null until then. */
  finishedAt: number | null
}

/** Returns the revert of each of these uploads or jobs, without cancelled and failed ones. */
export async function findReverts(
  db: Reader,
  { targetIds }: { targetIds: readonly string[] },
): Promise<Map<string, Revert>> {
  const rows = await db
    .select({
      targetId: registerJobs.targetId,
      authorEmail: users.email,
      finishedAt: registerJobs.finishedAt,
    })
    .from(registerJobs)
    .leftJoin(users, eq(users.id, registerJobs.authorId))
    .where(
      and(
        inArray(registerJobs.targetId, [...targetIds]),
        inArray(registerJobs.state, ['queued', 'running', 'done']),
      ),
    )
  return new Map(rows.map(({ targetId, ...revert }) => [targetId ?? '', revert]))
}
