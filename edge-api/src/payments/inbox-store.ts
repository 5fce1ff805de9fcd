import { and, asc, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { webhookInbox } from '../db/schema/payments.ts'
import { isDue } from '../db/time-conditions.ts'
import { MAX_CALLBACK_ATTEMPTS } from '../queues/backoff.ts'
import { isNotDeferred } from '../queues/deferral-store.ts'

/** Stores a callback before it is answered. A repeated one is not stored again. */
export async function insertCallback(
  db: Tx,
  callback: {
    provider: string
    eventKey: string
    reference: string | undefined
    disputeId?: string | undefined
    raw: string
    receivedAt: number
  },
): Promise<void> {
  await db
    .insert(webhookInbox)
    .values({
      ...callback,
      reference: callback.reference ?? null,
      providerDisputeId: callback.disputeId ?? null,
      verified: true,
    })
    .onConflictDoNothing()
}

/** Finds a stored callback that has not been processed yet. */
export async function findOpenCallback(
  db: Reader,
  { provider, eventKey }: { provider: string; eventKey: string },
): Promise<{ id: number; reference: string | null } | undefined> {
  const [row] = await db
    .select({ id: webhookInbox.id, reference: webhookInbox.reference })
    .from(webhookInbox)
    .where(
      and(
        eq(webhookInbox.provider, provider),
        eq(webhookInbox.eventKey, eventKey),
        isNull(webhookInbox.processedAt),
      ),
    )
    .limit(1)
  return row
}

/**
 * Lists stored callbacks that have not been processed yet: the oldest first or, if `newestFirst` is true, the newest. Callbacks
 * received since `before` are left out, because the requests that received them may still be processing them.
 */
export async function listOpenCallbacks(
  db: Reader,
  { before, now, limit, newestFirst }: { before: number; now: number; limit: number; newestFirst: boolean },
): Promise<{ id: number; provider: string; reference: string | null }[]> {
  return db
    .select({ id: webhookInbox.id, provider: webhookInbox.provider, reference: webhookInbox.reference })
    .from(webhookInbox)
    .where(
      and(
        isNull(webhookInbox.processedAt),
        isDue(webhookInbox.receivedAt, before, now - before),
        isNotDeferred('callbacks', webhookInbox.id, now),
        lt(webhookInbox.attempts, MAX_CALLBACK_ATTEMPTS),
      ),
    )
    .orderBy((newestFirst ? desc : asc)(webhookInbox.receivedAt))
    .limit(limit)
}

/** Counts an attempt to process a callback. If `processedAt` is set, also marks the callback as processed. */
export async function recordCallbackAttempt(
  db: Tx,
  { id, processedAt }: { id: number; processedAt: number | null },
) {
  await db
    .update(webhookInbox)
    .set({ attempts: sql`attempts + 1`, processedAt })
    .where(eq(webhookInbox.id, id))
}
