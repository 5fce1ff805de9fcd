import { certificateNumber } from '@portal/contract/fields'
import { DEMO_FEE_MINOR } from '@portal/fixtures/institution'
import { demoOrganisationBatch, demoPurpose } from '@portal/fixtures/organisations'
import { personas } from '@portal/fixtures/personas'
import { counted } from '@portal/format/counted'
import type { Tx } from '../db/database.ts'
import { newPrefixedId } from '../ids.ts'
import { recordLogEntry } from '../logs/store.ts'
import { holdForItems, releaseItems } from '../organisation-money/hold-store.ts'
import {
  changeBatch,
  insertBatch,
  insertItems,
  listPendingItems,
  setItem,
} from '../organisations/batch-store.ts'
import { NO_TAX } from '../organisations/request-verification.ts'
import { findVerificationByPayment } from '../organisations/verification-store.ts'
import { actorColumns, type DemoOrganisation, verifyNumber } from './organisation-verifications.ts'

const { name } = demoOrganisationBatch

/** Returns the reason why a text cannot be a certificate number; undefined if it can. */
const findNumberProblem = (number: string) => certificateNumber().safeParse(number).error?.issues[0]?.message

/**
 * Creates a finished batch in which most numbers are found, one was already paid for, one is unknown, and one is not a
 * certificate number.
 */
export async function runDemoBatch(
  db: Tx,
  team: DemoOrganisation,
  { numbers, at }: { numbers: readonly string[]; at: number },
): Promise<void> {
  const id = newPrefixedId('bat')
  const { id: organisationId } = team
  const requested = demoOrganisationBatch.certificateNumbers(numbers)
  const total = requested.length
  await insertBatch(db, {
    id,
    organisationId,
    name,
    purpose: demoPurpose,
    status: 'processing',
    feeMinor: DEMO_FEE_MINOR,
    unknownPolicy: 'free',
    ...NO_TAX,
    total,
    requestedBy: personas.recruiter.id,
    source: 'portal',
    livemode: true,
    createdAt: at,
  })
  const pending = await insertItems(
    db,
    requested.map(number => {
      const message = findNumberProblem(number)
      return message === undefined
        ? { batchId: id, certificateNumber: number, status: 'pending' as const }
        : { batchId: id, certificateNumber: number, status: 'invalid' as const, message }
    }),
  )
  const isHeld = await holdForItems(db, { organisationId, itemSeqs: pending, feeMinor: DEMO_FEE_MINOR, at })
  if (!isHeld) throw new Error('the demo balance does not cover its batch')
  await recordLogEntry(db, {
    ...actorColumns(personas.recruiter),
    activity: 'Batch started',
    details: `${name}: ${counted(total, 'number')}`,
    organisationId,
    at,
  })
  for (const { seq, certificateNumber: number } of await listPendingItems(db, {
    batchId: id,
    limit: total,
  })) {
    const by = personas.recruiter
    const order = {
      certificateNumber: number,
      reference: null,
      source: 'batch' as const,
      batchId: id,
      heldItemSeq: seq,
      by,
      at,
    }
    const outcome = await verifyNumber(db, team, order)
    if (outcome.kind === 'done')
      await setItem(db, seq, { status: outcome.result, verificationId: outcome.id })
    else {
      const earlierVerification = await findVerificationByPayment(db, outcome)
      await setItem(db, seq, {
        status: 'already_paid',
        verificationId: earlierVerification?.verification.id ?? null,
      })
    }
    if (outcome.kind === 'already_paid' || outcome.paymentId === null)
      await releaseItems(db, { organisationId, itemSeqs: [seq], at })
  }
  await changeBatch(db, id, { status: 'completed', completedAt: at, leaseUntil: null, waitingUntil: null })
}
