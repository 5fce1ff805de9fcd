import * as field from '@portal/contract/fields'
import {
  type Batch,
  batchItemStatuses,
  type organisationBatches,
} from '@portal/contract/organisation-batches'
import { ORGANISATION_LIMITS } from '@portal/contract/organisation-shapes'
import { paginate } from '@portal/contract/shapes'
import { toMajor } from '@portal/format/money'
import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { afterAnswer } from '../http/after-answer.ts'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { liveScope, onceForKey } from '../idempotency/once-for-key.ts'
import { newPrefixedId } from '../ids.ts'
import { recordChange } from '../logs/record-change.ts'
import { drainOutbox } from '../mail/outbox.ts'
import { memberOrFail } from '../membership/member-or-fail.ts'
import { requesterOf } from '../membership/requester.ts'
import { holdForItems, releaseItems } from '../organisation-money/hold-store.ts'
import { verifiedAmong } from '../payments/numbers-store.ts'
import { CURRENCY } from '../settings/rules.ts'
import { readSettings } from '../settings/store.ts'
import { taxColumns } from '../settings/tax-line.ts'
import { iso, isoOrNull } from '../wire.ts'
import { completeBatch, runBatches } from './batch-run.ts'
import {
  type BatchItemRow,
  cancelPending,
  changeBatch,
  countItems,
  countRunning,
  findBatch,
  findBatchById,
  insertBatch,
  insertItems,
  listBatches,
  listItems,
  progressOf,
  type ShownBatch,
  type ShownItem,
} from './batch-store.ts'
import { deliveredFor, NOTHING } from './verification-replies.ts'
import { findByPayment } from './verification-store.ts'

type Domain = typeof organisationBatches

const EXPORT_BATCH = 500

async function batchesOf(db: Reader, rows: readonly ShownBatch[]): Promise<Batch[]> {
  const progress = await progressOf(db, { ids: rows.map(({ batch }) => batch.id) })
  return rows.map(row => {
    const { batch } = row
    const { counts = {}, heldMinor = 0 } = progress.get(batch.id) ?? {}
    const all = Object.fromEntries(batchItemStatuses.map(status => [status, counts[status] ?? 0]))
    return {
      id: batch.id,
      name: batch.name,
      purpose: batch.purpose,
      status: batch.status,
      fee: toMajor(batch.feeMinor),
      currency: CURRENCY,
      total: batch.total,
      // All statuses are listed explicitly because the type of `fromEntries` does not guarantee them.
      counts: all as Batch['counts'],
      held: toMajor(heldMinor),
      waiting_until: isoOrNull(batch.waitingUntil),
      requested_by: batch.source === 'api' ? null : requesterOf({ ...row, requestedBy: batch.requestedBy }),
      livemode: batch.livemode,
      created_at: iso(batch.createdAt),
      completed_at: isoOrNull(batch.completedAt),
    }
  })
}

async function replyOf(db: Reader, organisationId: string, id: string): Promise<Batch> {
  const found = await findBatch(db, { organisationId, id })
  const [reply] = found ? await batchesOf(db, [found]) : []
  if (!reply) throw new Fault('NOT_FOUND', { message: 'There is no such batch.' })
  return reply
}

type NewItem = Pick<BatchItemRow, 'certificateNumber' | 'status' | 'message'>

/** The distinct numbers of a list, in order; invalid ones with the reason. */
function itemsOf(typed: readonly string[]): NewItem[] {
  const schema = field.certificateNumber()
  const items = new Map<string, NewItem>()
  for (const text of typed) {
    const { success, data, error } = schema.safeParse(text)
    const number = success ? data : text.trim().slice(0, 100)
    const message = success ? null : (error.issues[0]?.message ?? null)
    const status = success ? ('pending' as const) : ('invalid' as const)
    if (!items.has(number)) items.set(number, { certificateNumber: number, status, message })
  }
  return [...items.values()]
}

async function create(call: Call<Domain['create']>) {
  const { user, params, body, ports, address, requestId } = call
  const organisationId = params.id
  const scope = { scope: liveScope(organisationId), action: 'batch' }
  const reply = await onceForKey(call, scope, async tx => {
    const { organisation } = await memberOrFail(tx, user, organisationId, 'verify', { change: true })
    if ((await countRunning(tx, { organisationId })) >= ORGANISATION_LIMITS.batches)
      throw new Fault('LIMIT_REACHED')
    const typed = itemsOf(body.certificate_numbers)
    const numbers = typed.flatMap(item => (item.status === 'pending' ? [item.certificateNumber] : []))
    const paid = await verifiedAmong(tx, { userId: organisationId, numbers })
    const { fee, tax, policies } = await readSettings(tx)
    const at = ports.clock.now()
    const id = newPrefixedId('bat')
    await insertBatch(tx, {
      id,
      organisationId,
      name: body.name,
      purpose: body.purpose,
      status: 'processing',
      feeMinor: fee.minor,
      unknownPolicy: policies.unknown_certificates,
      ...taxColumns(tax),
      total: typed.length,
      requestedBy: user.id,
      ipAddress: address,
      requestId,
      source: 'portal',
      livemode: true,
      createdAt: at,
    })
    const rows: Parameters<typeof insertItems>[1][number][] = []
    for (const item of typed) {
      const earlier = paid.get(item.certificateNumber)
      const known = earlier && (await findByPayment(tx, { paymentId: earlier.payment.id }))
      rows.push({
        ...item,
        batchId: id,
        ...(earlier && { status: 'already_paid' as const, verificationId: known?.verification.id ?? null }),
      })
    }
    const pending = await insertItems(tx, rows)
    const held = await holdForItems(tx, { organisationId, items: pending, feeMinor: fee.minor, at })
    if (!held) throw new Fault('INSUFFICIENT_BALANCE')
    await recordChange(tx, call, {
      activity: 'Batch started',
      details: `${body.name ?? id}: ${typed.length} numbers`,
      organisationId,
    })
    const batch = await findBatchById(tx, { id })
    if (batch && pending.length === 0) await completeBatch(ports, tx, { batch, organisation, at })
    return { batch: await replyOf(tx, organisationId, id) }
  })
  afterAnswer(ports, 'batches_failed', async own => {
    await runBatches(ports, own)
    await drainOutbox(ports, own)
  })
  return reply
}

async function cancel(call: Call<Domain['cancel']>) {
  const { db, user, params, ports } = call
  return await db.write(async tx => {
    await memberOrFail(tx, user, params.id, 'verify', { change: true })
    const found = await findBatch(tx, { organisationId: params.id, id: params.bat })
    if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such batch.' })
    if (found.batch.status !== 'processing') throw new Fault('WRONG_STATE')
    const at = ports.clock.now()
    const items = await cancelPending(tx, { batchId: params.bat, message: null })
    await releaseItems(tx, { organisationId: params.id, items, at })
    await changeBatch(tx, params.bat, {
      status: 'cancelled',
      waitingUntil: null,
      leaseUntil: null,
      completedAt: at,
    })
    await recordChange(tx, call, {
      activity: 'Batch cancelled',
      details: found.batch.name ?? params.bat,
      organisationId: params.id,
    })
    return { batch: await replyOf(tx, params.id, params.bat) }
  })
}

async function itemRepliesOf(db: Reader, rows: readonly ShownItem[], publicUrl: string) {
  const paymentIds = rows.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId]))
  const delivered = await deliveredFor(db, { paymentIds, publicUrl })
  return rows.map(({ item, paymentId }) => {
    const { certificate, letter } = (paymentId !== null && delivered.get(paymentId)) || NOTHING
    return {
      certificate_number: item.certificateNumber,
      status: item.status,
      ...(item.message !== null && { message: item.message }),
      verification_id: item.verificationId,
      certificate,
      letter,
    }
  })
}

async function requireBatch({ db, user, params }: Pick<Call<Domain['read']>, 'db' | 'user' | 'params'>) {
  await memberOrFail(db.read, user, params.id, 'verify')
  const found = await findBatch(db.read, { organisationId: params.id, id: params.bat })
  if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such batch.' })
}

export const organisationBatchHandlers: HandlersOf<Domain> = {
  create,
  list: async ({ db, user, params, query }) => {
    await memberOrFail(db.read, user, params.id, 'verify')
    const { page, per_page: limit, status } = query
    const place = { limit, offset: (page - 1) * limit }
    const { rows, total } = await listBatches(db.read, { organisationId: params.id, status, ...place })
    return { batches: await batchesOf(db.read, rows), pagination: paginate(page, limit, total) }
  },
  read: async ({ db, user, params }) => {
    await memberOrFail(db.read, user, params.id, 'verify')
    return { batch: await replyOf(db.read, params.id, params.bat) }
  },
  cancel,
  items: withCsv(
    async call => {
      await requireBatch(call)
      const { db, params, query, ports } = call
      const { page, per_page: limit, status } = query
      const about = { batchId: params.bat, status }
      const rows = await listItems(db.read, { ...about, limit, offset: (page - 1) * limit })
      return {
        items: await itemRepliesOf(db.read, rows, ports.environment.PUBLIC_URL),
        pagination: paginate(page, limit, await countItems(db.read, about)),
      }
    },
    async function* (call) {
      await requireBatch(call)
      const { db, params, query, ports } = call
      for (let after: number | undefined; ; ) {
        const page = { batchId: params.bat, status: query.status, after, limit: EXPORT_BATCH }
        const rows = await listItems(db.read, page)
        const replies = await itemRepliesOf(db.read, rows, ports.environment.PUBLIC_URL)
        yield replies.map(({ certificate, letter, message = null, ...item }) => ({
          ...item,
          message,
          student_name: certificate?.student_name ?? null,
          course: certificate?.course ?? null,
          graduation_date: certificate?.graduation_date ?? null,
          grade: certificate?.grade ?? null,
          letter_code: letter?.code ?? null,
        }))
        after = rows.at(-1)?.item.seq
        if (rows.length < EXPORT_BATCH) return
      }
    },
  ),
}
