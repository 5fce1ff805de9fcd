import { certificateNumber } from '@portal/contract/fields'
import { DEMO_FEE_MINOR } from '@portal/fixtures/institution'
import { personas } from '@portal/fixtures/personas'
import type { Tx } from '../db/database.ts'
import { newPrefixedId } from '../ids.ts'
import { record } from '../logs/store.ts'
import { holdForItems, releaseItems } from '../organisation-money/hold-store.ts'
import {
  changeBatch,
  insertBatch,
  insertItems,
  listPendingItems,
  setItem,
} from '../organisations/batch-store.ts'
import { NO_TAX } from '../organisations/request-verification.ts'
import { findByPayment } from '../organisations/verification-store.ts'
import { actor, type Team, verifyNumber } from './organisation-verifications.ts'

const SIZE = 25
const NO_NUMBER = '(see attached)'
const NAME = 'Graduate intake'

/** A finished batch: most are found, one was paid for before, one is unknown, and one is no certificate number. */
export async function runDemoBatch(
  db: Tx,
  team: Team,
  { numbers, at }: { numbers: readonly string[]; at: number },
): Promise<void> {
  const id = newPrefixedId('bat')
  const { id: organisationId } = team
  await insertBatch(db, {
    id,
    organisationId,
    name: NAME,
    purpose: 'Employment check',
    status: 'processing',
    feeMinor: DEMO_FEE_MINOR,
    unknownPolicy: 'free',
    ...NO_TAX,
    total: SIZE,
    requestedBy: personas.recruiter.id,
    source: 'portal',
    livemode: true,
    createdAt: at,
  })
  const fresh = numbers.slice(-(SIZE - 3))
  const requested = [...fresh, numbers[0] ?? '', 'UG/2016/90500']
  const pending = await insertItems(db, [
    ...requested.map(number => ({ batchId: id, certificateNumber: number, status: 'pending' as const })),
    {
      batchId: id,
      certificateNumber: NO_NUMBER,
      status: 'invalid' as const,
      message: certificateNumber().safeParse(NO_NUMBER).error?.issues[0]?.message ?? null,
    },
  ])
  const held = await holdForItems(db, { organisationId, items: pending, feeMinor: DEMO_FEE_MINOR, at })
  if (!held) throw new Error('the demo balance does not cover its batch')
  await record(db, {
    ...actor(personas.recruiter),
    activity: 'Batch started',
    details: `${NAME}: ${SIZE} numbers`,
    organisationId,
    at,
  })
  for (const { seq, certificateNumber: number } of await listPendingItems(db, { batchId: id, limit: SIZE })) {
    const by = personas.recruiter
    const about = {
      certificateNumber: number,
      reference: null,
      source: 'batch' as const,
      batchId: id,
      heldFor: seq,
      by,
      at,
    }
    const done = await verifyNumber(db, team, about)
    if (done.kind === 'done') await setItem(db, seq, { status: done.result, verificationId: done.id })
    else {
      const earlier = await findByPayment(db, done)
      await setItem(db, seq, { status: 'already_paid', verificationId: earlier?.verification.id ?? null })
    }
    if (done.kind === 'already_paid' || done.paymentId === null)
      await releaseItems(db, { organisationId, items: [seq], at })
  }
  await changeBatch(db, id, { status: 'completed', completedAt: at, leaseUntil: null, waitingUntil: null })
}
