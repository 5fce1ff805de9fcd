import type { verificationBody } from '@portal/contract/organisation-verifications'
import type { WebhookEventType } from '@portal/contract/organisation-webhooks'
import { toMajor } from '@portal/format/money'
import type * as z from 'zod'
import type { Tx } from '../db/database.ts'
import type { Call } from '../http/serve.ts'
import { runOnceForKey, testScope } from '../idempotency/once-for-key.ts'
import { newPrefixedId } from '../ids.ts'
import { recordEvent } from '../organisation-events/record-event.ts'
import type { Caller } from '../organisations/caller.ts'
import { toVerification } from '../organisations/verification-replies.ts'
import {
  findVerification,
  insertVerification,
  type VerificationRow,
} from '../organisations/verification-store.ts'
import type { Ports } from '../ports.ts'
import { CHANGE_DELAY_MS, hintFor, outcomeOf, simulateError, TEST_BALANCE } from '../test-mode/numbers.ts'
import { buildSpecimen } from '../test-mode/specimen.ts'

type NewVerification = Pick<VerificationRow, 'organisationId' | 'certificateNumber'> &
  Partial<Pick<VerificationRow, 'reference' | 'purpose' | 'batchId'>>

/** Returns the row of a verification in test mode, which is free of charge and has no payment. */
export function createTestRow(request: NewVerification, at: number) {
  const { status, result, change } = outcomeOf(request.certificateNumber)
  return {
    id: newPrefixedId('ver'),
    reference: null,
    purpose: null,
    batchId: null,
    ...request,
    status,
    result,
    amountMinor: 0,
    paymentId: null,
    requestedBy: null,
    source: 'api' as const,
    livemode: false,
    createdAt: at,
    completedAt: status === 'completed' ? at : null,
    dueAt: change ? at + CHANGE_DELAY_MS : null,
  }
}

/** Records an event about a verification in test mode. */
export const recordTestEvent = (
  tx: Tx,
  ports: Ports,
  {
    organisationId,
    id,
    status,
    certificateNumber,
    reference,
  }: Pick<VerificationRow, 'organisationId' | 'id' | 'certificateNumber' | 'reference'> & { status: string },
  { type, at }: { type: WebhookEventType; at: number },
) =>
  recordEvent(tx, ports, {
    organisationId,
    type,
    livemode: false,
    data: { id, status, certificate_number: certificateNumber, reference },
    dedupeKey: `${id}:${type}`,
    at,
  })

type RequestCall = Pick<Call, 'db' | 'ports' | 'header' | 'replyHeaders'> & {
  body: z.output<typeof verificationBody>
}

/**
 * Verifies a number in test mode, once for each idempotency key; reads neither the register nor the balance.
 * @throws Fault the error that the number simulates, and those of `caller.admit`
 */
export async function requestTestVerification(call: RequestCall, caller: Caller) {
  const { db, body, ports } = call
  const { organisationId } = caller
  await caller.admit(db.read)
  const operation = { scope: testScope(organisationId), action: 'verification' }
  return await runOnceForKey(call, operation, async tx => {
    await caller.admit(tx)
    simulateError(body.certificate_number)
    const at = ports.clock.now()
    const row = createTestRow(
      {
        organisationId,
        certificateNumber: body.certificate_number,
        reference: body.reference,
        purpose: body.purpose,
      },
      at,
    )
    await insertVerification(tx, row)
    const type = row.status === 'completed' ? 'verification.completed' : 'verification.awaiting_consent'
    await recordTestEvent(tx, ports, row, { type, at })
    const stored = await findVerification(tx, { organisationId, id: row.id })
    if (!stored) throw new Error('a verification has disappeared')
    const hint = hintFor(body.certificate_number)
    return {
      verification: toVerification(stored),
      ...(buildSpecimen(row, ports.environment.PUBLIC_URL) ?? { certificate: null, letter: null }),
      already_paid: false,
      balance: toMajor(TEST_BALANCE.balanceMinor),
      ...(hint !== undefined && { hint }),
    }
  })
}
