import type { verificationBody } from '@portal/contract/organisation-verifications'
import { toMajor } from '@portal/format/money'
import type * as z from 'zod'
import type { Call } from '../http/serve.ts'
import { liveScope, runOnceForKey } from '../idempotency/once-for-key.ts'
import { toUnprintableFault } from '../letters/printable.ts'
import { findOrganisation } from '../membership/store.ts'
import { findUnprintable, notifyOfUnprintable } from '../payments/unprintable-letters.ts'
import { readSettings } from '../settings/store.ts'
import { toTaxColumns } from '../settings/tax-line.ts'
import type { Caller } from './caller.ts'
import { readDeliveredReply, toVerification } from './verification-replies.ts'
import { findVerification, findVerificationByPayment } from './verification-store.ts'
import { verifyInTransaction } from './verify.ts'

export const NO_TAX = { taxName: null, taxBasisPoints: null }

type VerificationCall = Pick<Call, 'db' | 'ports' | 'header' | 'replyHeaders'> & {
  body: z.output<typeof verificationBody>
}

/**
 * Requires, before anything is charged, that the letter can be printed.
 * @throws Fault `LETTER_NOT_PRINTABLE`; staff are notified of the cause
 */
async function requirePrintable(
  { db, ports, body }: VerificationCall,
  { organisationId }: Caller,
): Promise<void> {
  const numbers = [body.certificate_number]
  const found = await findUnprintable(db.read, { userId: organisationId, numbers })
  const [problem] = found.values()
  if (!problem) return
  await db.write(tx => notifyOfUnprintable(tx, found, ports.clock.now()))
  throw toUnprintableFault(problem)
}

/**
 * Verifies one certificate for a member or an API key, once per idempotency key, and charges the balance for it.
 * @throws Fault `INSUFFICIENT_BALANCE`, `LETTER_NOT_PRINTABLE`, and those of `caller.admit`
 */
export async function requestVerification(call: VerificationCall, caller: Caller) {
  const { db, body, ports } = call
  const { organisationId } = caller
  await caller.admit(db.read)
  await requirePrintable(call, caller)
  const publicUrl = ports.environment.PUBLIC_URL
  const operation = { scope: liveScope(organisationId), action: 'verification' }
  return await runOnceForKey(call, operation, async tx => {
    const organisation = await caller.admit(tx)
    const { fee, tax, policies } = await readSettings(tx)
    const outcome = await verifyInTransaction(tx, call, {
      organisation,
      certificateNumber: body.certificate_number,
      reference: body.reference,
      purpose: body.purpose,
      feeMinor: fee.minor,
      unknownPolicy: policies.unknown_certificates,
      tax: { ...NO_TAX, ...toTaxColumns(tax) },
      requester: caller.requester,
      source: caller.source,
      batchId: null,
      at: ports.clock.now(),
    })
    if (outcome.kind === 'unprintable') throw toUnprintableFault(outcome.problem)
    const view =
      outcome.kind === 'already_paid'
        ? await findVerificationByPayment(tx, outcome)
        : await findVerification(tx, { organisationId, id: outcome.id })
    const updatedOrganisation = await findOrganisation(tx, { id: organisationId })
    if (!view || !updatedOrganisation) throw new Error('a verification has disappeared')
    const { certificate, letter } = await readDeliveredReply(tx, { paymentId: outcome.paymentId, publicUrl })
    return {
      verification: toVerification(view),
      certificate,
      letter,
      already_paid: outcome.kind === 'already_paid',
      balance: toMajor(updatedOrganisation.balanceMinor - updatedOrganisation.heldMinor),
    }
  })
}
