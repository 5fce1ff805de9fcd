/** Disputes of transactions. Both control calls and the merchant can change them, and each change sends a webhook. */
import { and, desc, eq, gte, lt } from 'drizzle-orm'
import { iso, toMajor } from './presenting.ts'
import { insertDelivery } from './records.ts'
import { type Db, type Dispute, disputes, type Transaction } from './schema.ts'
import type { Service } from './service.ts'
import { randomId } from './signing.ts'

/** Default time that a merchant has to answer a dispute, as at Paystack in Nigeria. */
const ANSWER_MS = 16 * 60 * 60 * 1000

export async function findDispute(db: Db, disputeId: string): Promise<Dispute | undefined> {
  const [row] = await db.select().from(disputes).where(eq(disputes.disputeId, disputeId)).limit(1)
  return row
}

async function findNewestDispute(db: Db, transactionId: string): Promise<Dispute | undefined> {
  const [row] = await db
    .select()
    .from(disputes)
    .where(eq(disputes.transactionId, transactionId))
    .orderBy(desc(disputes.createdAt), desc(disputes.disputeId))
    .limit(1)
  return row
}

/** Lists disputes, newest first, after the last one of the previous page. */
export async function listDisputes(
  db: Db,
  { from, after, limit }: { from: number; after: string | undefined; limit: number },
): Promise<Dispute[]> {
  const cursorRow = after === undefined ? undefined : await findDispute(db, after)
  return db
    .select()
    .from(disputes)
    .where(and(gte(disputes.createdAt, from), cursorRow && lt(disputes.createdAt, cursorRow.createdAt)))
    .orderBy(desc(disputes.createdAt), desc(disputes.disputeId))
    .limit(limit)
}

export const presentDispute = (row: Dispute) => ({
  dispute_id: row.disputeId,
  request_id: row.requestId,
  transaction_id: row.transactionId,
  status: row.status,
  amount: toMajor(row.amount),
  currency: row.currency,
  fee: toMajor(row.fee),
  category: row.category,
  reason: row.reason,
  answer: row.answer === null ? null : JSON.parse(row.answer),
  file: row.file === null ? null : JSON.parse(row.file),
  due_at: iso(row.dueAt),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
  mode: 'test',
})

/** Sends a webhook about a dispute to the merchant, with the same simulated faults as other webhooks. */
async function sendWebhook(service: Service, row: Dispute, event: string): Promise<void> {
  const now = service.now().getTime()
  const eventId = `evt_${crypto.randomUUID()}`
  const body = { event_id: eventId, event, ...presentDispute(row), created_at: iso(now) }
  const fault = service.faults.nextFault(service.faults.scenarioFor(undefined), 'webhook', row.requestId)
  const delivery = {
    eventId,
    event,
    transactionId: row.transactionId,
    requestId: row.requestId,
    raw: JSON.stringify(body),
    badSignature: fault === 'badsig',
    status: fault === 'drop' ? ('dropped' as const) : ('pending' as const),
    nextAttemptAt: now,
    createdAt: now,
  }
  await insertDelivery(service.db, delivery)
  if (fault === 'dup') await insertDelivery(service.db, delivery)
  service.webhooks.deliverSoon(row.transactionId)
}

/** Changes a dispute, and sends a webhook if `event` is given. @returns the changed dispute */
export async function changeDispute(
  service: Service,
  row: Dispute,
  changes: Partial<Dispute>,
  event?: string,
): Promise<Dispute> {
  const updated = { ...row, ...changes, updatedAt: service.now().getTime() }
  await service.db.update(disputes).set(updated).where(eq(disputes.disputeId, row.disputeId))
  if (event) await sendWebhook(service, updated, event)
  return updated
}

export interface DisputeCommand {
  action: 'open' | 'remind' | 'resolve'
  dispute_id?: string | undefined
  amount?: number | undefined
  fee?: number | undefined
  due_in_seconds?: number | undefined
  category?: string | undefined
  reason?: string | undefined
  outcome?: Dispute['status'] | undefined
}

/** Opens a dispute of a transaction, sends a reminder about it, or ends it. @returns undefined if there is no such dispute */
export async function controlDispute(
  service: Service,
  transaction: Transaction,
  command: DisputeCommand,
): Promise<Dispute | undefined> {
  const now = service.now().getTime()
  const dueAt = now + (command.due_in_seconds === undefined ? ANSWER_MS : command.due_in_seconds * 1000)
  if (command.action === 'open') {
    const row: Dispute = {
      disputeId: `DSP${randomId(20)}`,
      transactionId: transaction.transactionId,
      requestId: transaction.requestId,
      status: 'OPEN',
      amount: command.amount === undefined ? transaction.amountPaid : Math.round(command.amount * 100),
      currency: transaction.paidCurrency,
      fee: Math.round((command.fee ?? 0) * 100),
      category: command.category ?? 'chargeback',
      reason: command.reason ?? 'The cardholder does not recognise this payment.',
      answer: null,
      file: null,
      dueAt,
      createdAt: now,
      updatedAt: now,
    }
    await service.db.insert(disputes).values(row)
    await sendWebhook(service, row, 'dispute.opened')
    return row
  }
  const found = command.dispute_id
    ? await findDispute(service.db, command.dispute_id)
    : await findNewestDispute(service.db, transaction.transactionId)
  if (!found) return undefined
  if (command.action === 'remind') return changeDispute(service, found, {}, 'dispute.reminded')
  const status = command.outcome ?? 'LOST'
  const fee = command.fee === undefined ? found.fee : Math.round(command.fee * 100)
  const reopened = status === 'OPEN' ? { dueAt } : {}
  return changeDispute(service, found, { status, fee, ...reopened }, 'dispute.resolved')
}
