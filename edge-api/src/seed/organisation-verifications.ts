import { DEMO_FEE_MINOR } from '@portal/fixtures/institution'
import { demoPurpose } from '@portal/fixtures/organisations'
import type { Persona } from '@portal/fixtures/personas'
import { findByNumber } from '../certificates/store.ts'
import type { Tx } from '../db/database.ts'
import { findOrganisation } from '../membership/store.ts'
import { NO_TAX } from '../organisations/request-verification.ts'
import { type VerifyingCall, verifyInTransaction } from '../organisations/verify.ts'

/** The demo's organisation, as needed while its past is being created. */
export interface DemoOrganisation {
  id: string
  call: VerifyingCall
}

/** Returns the columns of the activity log that identify an actor. */
export const actorColumns = ({ id, email }: Persona) => ({ userId: id, userEmail: email })

const toRequester = ({ id, email }: Persona) => ({
  userId: id,
  email,
  address: null,
  requestId: null,
})

/** Verifies a number for the demo's organisation. @returns the outcome */
export async function verifyNumber(
  db: Tx,
  { id, call }: DemoOrganisation,
  order: Pick<
    Parameters<typeof verifyInTransaction>[2],
    'certificateNumber' | 'reference' | 'source' | 'batchId' | 'heldItemSeq' | 'at'
  > & { by: Persona },
) {
  const organisation = await findOrganisation(db, { id })
  if (!organisation) throw new Error('no demo organisation')
  const { by, ...ordered } = order
  const outcome = await verifyInTransaction(db, call, {
    ...ordered,
    organisation,
    purpose: demoPurpose,
    feeMinor: DEMO_FEE_MINOR,
    unknownPolicy: 'free',
    tax: NO_TAX,
    requester: toRequester(by),
  })
  if (outcome.kind === 'unprintable')
    throw new Error(`a demo letter that cannot be printed: ${order.certificateNumber}`)
  return outcome
}

/** Returns the numbers of certificates in the register, newest first. */
export async function listNewestNumbers(
  db: Tx,
  { numbers, count }: { numbers: readonly string[]; count: number },
): Promise<string[]> {
  const found: string[] = []
  for (const certificateNumber of numbers.toReversed()) {
    if (found.length === count) break
    if (await findByNumber(db, { certificateNumber })) found.push(certificateNumber)
  }
  return found
}
