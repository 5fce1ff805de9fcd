import * as field from '@portal/contract/fields'
import {
  type Batch,
  batchItemStatuses,
  type organisationBatches as routes,
} from '@portal/contract/organisation-batches'
import { ORGANISATION_LIMITS } from '@portal/contract/organisation-shapes'
import { counted } from '@portal/format/counted'
import { toMajor } from '@portal/format/money'
import { batchCompletedNotice } from '@portal/format/organisation-notices'
import { CURRENCY } from './currency.ts'
import { Fault } from './fault.ts'
import { findIdByIdempotencyKey, requireValidKey, storeIdempotencyKey } from './idempotency.ts'
import { newPrefixedId } from './ids.ts'
import { archiveResponse } from './letter-files.ts'
import { pushNotification } from './notify.ts'
import { findMemberName, memberOrFail } from './organisation-access.ts'
import { recordEvent } from './organisation-event-log.ts'
import { recordActivity } from './organisation-movements.ts'
import type { MockBatch, MockBatchItem, MockOrganisation } from './organisation-types.ts'
import { availableOf, deliveredOf, findPaidVerification, verifyNumber } from './organisation-verifications.ts'
import { paginateRows } from './paginate-rows.ts'
import { isUnprintable } from './payments.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState } from './state.ts'

function batchOf(state: MockState, organisation: MockOrganisation, row: MockBatch): Batch {
  const { items, fee_minor, requested_by, ...rest } = row
  const counts = Object.fromEntries(
    batchItemStatuses.map(status => [status, items.filter(item => item.status === status).length]),
  ) as Batch['counts']
  const name = findMemberName(state, organisation, requested_by)
  return {
    ...rest,
    fee: toMajor(fee_minor),
    currency: CURRENCY,
    total: items.length,
    counts,
    held: toMajor(counts.pending * fee_minor),
    waiting_until: null,
    requested_by: { user_id: name === 'Former member' ? null : requested_by, name },
    livemode: true,
  }
}

/** Returns an item of a batch for each distinct number in a list; items with invalid numbers have an error message. */
export function buildItems(
  state: MockState,
  organisation: MockOrganisation,
  texts: readonly string[],
): MockBatchItem[] {
  const schema = field.certificateNumber()
  const items = new Map<string, MockBatchItem>()
  for (const text of texts) {
    const { success, data, error } = schema.safeParse(text)
    const certificate_number = success ? data : text.trim().slice(0, 100)
    if (items.has(certificate_number)) continue
    const paidVerification = success ? findPaidVerification(state, organisation, data) : undefined
    items.set(certificate_number, {
      certificate_number,
      status: success ? (paidVerification ? 'already_paid' : 'pending') : 'invalid',
      ...(!success && { message: error.issues[0]?.message ?? '' }),
      verification_id: paidVerification?.id ?? null,
    })
  }
  return [...items.values()]
}

/** Runs a batch to completion immediately, whereas the API runs it in the background. */
export function runBatch(
  state: MockState,
  organisation: MockOrganisation,
  batch: MockBatch,
  now: Date,
): void {
  for (const item of batch.items) {
    if (item.status !== 'pending') continue
    if (isUnprintable(state, item.certificate_number)) {
      item.status = 'invalid'
      continue
    }
    const verification = verifyNumber(state, organisation, {
      number: item.certificate_number,
      reference: null,
      purpose: batch.purpose,
      source: 'batch',
      batch_id: batch.id,
      requested_by: batch.requested_by,
      now,
    })
    item.verification_id = verification.id
    item.status = verification.result ?? 'not_found'
  }
  batch.status = 'completed'
  batch.completed_at = now.toISOString()
  recordEvent(organisation, { type: 'batch.completed', data: { id: batch.id, status: 'completed' }, now })
  const verified = batch.items.filter(item => item.status === 'verified').length
  const notice = batchCompletedNotice(batch.name, { verified, total: batch.items.length })
  const link = `/dashboard/organisations/${organisation.id}/batches/${batch.id}`
  pushNotification(state, batch.requested_by, notice, link, now)
}

/** Adds a batch without running it. */
export function addBatch(
  state: MockState,
  organisation: MockOrganisation,
  { now, ...order }: Pick<MockBatch, 'name' | 'purpose' | 'items' | 'requested_by'> & { now: Date },
): MockBatch {
  const { name, purpose, items, requested_by } = order
  const batch: MockBatch = {
    id: newPrefixedId('bat'),
    name,
    purpose,
    status: 'processing',
    fee_minor: state.fee.minor,
    requested_by,
    items,
    created_at: now.toISOString(),
    completed_at: null,
  }
  organisation.batches.unshift(batch)
  const details = `${name ?? batch.id}: ${counted(items.length, 'number')}`
  recordActivity(organisation, { user_id: requested_by, activity: 'Batch started', details, now })
  return batch
}

function batchOrFail(organisation: MockOrganisation, id: string): MockBatch {
  const found = organisation.batches.find(batch => batch.id === id)
  if (!found) throw new Fault('NOT_FOUND', undefined, 'There is no such batch.')
  return found
}

export const organisationBatches: HandlersOf<typeof routes> = {
  create(call) {
    const { state, params, body, user, now } = call
    const { organisation } = memberOrFail(call, params.id, 'verify', { change: true })
    requireValidKey(call)
    const earlierId = findIdByIdempotencyKey(call, JSON.stringify(body))
    const earlierBatch = organisation.batches.find(item => item.id === earlierId)
    if (earlierBatch) return { batch: batchOf(state, organisation, earlierBatch) }
    const running = organisation.batches.filter(item => item.status === 'processing').length
    if (running >= ORGANISATION_LIMITS.batches) throw new Fault('LIMIT_REACHED')
    const items = buildItems(state, organisation, body.certificate_numbers)
    const fee = state.fee.minor
    const totalFee = items.filter(item => item.status === 'pending').length * fee
    if (totalFee > 0 && (organisation.debt_minor > 0 || availableOf(organisation) < totalFee))
      throw new Fault('INSUFFICIENT_BALANCE')
    const batch = addBatch(state, organisation, { ...body, items, requested_by: user.id, now })
    storeIdempotencyKey(call, JSON.stringify(body), batch.id)
    const started = batchOf(state, organisation, batch)
    runBatch(state, organisation, batch, now)
    return { batch: totalFee > 0 ? started : batchOf(state, organisation, batch) }
  },
  list(call) {
    const { state, params, query } = call
    const { organisation } = memberOrFail(call, params.id, 'verify')
    const found = organisation.batches.filter(
      item => query.status === undefined || item.status === query.status,
    )
    const { rows, pagination } = paginateRows(found, query)
    return { batches: rows.map(row => batchOf(state, organisation, row)), pagination }
  },
  read(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'verify')
    return { batch: batchOf(call.state, organisation, batchOrFail(organisation, call.params.bat)) }
  },
  cancel(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'verify', { change: true })
    const batch = batchOrFail(organisation, call.params.bat)
    if (batch.status !== 'processing') throw new Fault('WRONG_STATE')
    for (const item of batch.items) if (item.status === 'pending') item.status = 'cancelled'
    Object.assign(batch, { status: 'cancelled', completed_at: call.now.toISOString() })
    return { batch: batchOf(call.state, organisation, batch) }
  },
  items(call) {
    const { state, params, query } = call
    const { organisation } = memberOrFail(call, params.id, 'verify')
    const batch = batchOrFail(organisation, params.bat)
    const found = batch.items.filter(item => query.status === undefined || item.status === query.status)
    const { rows, pagination } = paginateRows(found, query)
    return {
      items: rows.map(item => {
        const verification = organisation.verifications.find(({ id }) => id === item.verification_id)
        const { certificate, letter } = deliveredOf(state, {
          transaction_id: verification?.transaction_id ?? null,
        })
        return { ...item, certificate, letter }
      }),
      pagination,
    }
  },
  letters(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'verify')
    const { items } = batchOrFail(organisation, call.params.bat)
    const hasLetter = ({ status }: MockBatchItem) => status === 'verified' || status === 'already_paid'
    if (!items.some(hasLetter)) throw new Fault('NOT_FOUND', undefined, 'This batch has no letters.')
    return archiveResponse(call.now)
  },
}
