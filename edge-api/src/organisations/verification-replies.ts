import type { LetterLink } from '@portal/contract/letter'
import type { OrganisationVerification } from '@portal/contract/organisation-shapes'
import type { VerifiedCertificate } from '@portal/contract/shapes'
import { toMajor } from '@portal/format/money'
import type { Reader } from '../db/database.ts'
import type { Call } from '../http/serve.ts'
import { toLetterLink } from '../letters/rules.ts'
import { type LetterWithCertificate, listLettersOfItems } from '../letters/store.ts'
import { toRequester } from '../membership/requester.ts'
import { CURRENCY } from '../settings/rules.ts'
import { buildSpecimen } from '../test-mode/specimen.ts'
import { readSpecimenTemplate } from '../test-mode/template.ts'
import { getTemplate } from '../verification/rules.ts'
import { letterCertificate } from '../verification/store.ts'
import { iso, isoOrNull } from '../wire.ts'
import { readFulfilments, type VerificationRow, type VerificationView } from './verification-store.ts'

export function toVerification(row: VerificationView): OrganisationVerification {
  const { verification: request, transactionId } = row
  return {
    id: request.id,
    certificate_number: request.certificateNumber,
    reference: request.reference,
    purpose: request.purpose,
    status: request.status,
    result: request.result,
    amount: toMajor(request.amountMinor),
    currency: CURRENCY,
    transaction_id: transactionId,
    batch_id: request.batchId,
    requested_by: request.source === 'api' ? null : toRequester({ ...row, requestedBy: request.requestedBy }),
    source: request.source,
    livemode: request.livemode,
    created_at: iso(request.createdAt),
    completed_at: isoOrNull(request.completedAt),
  }
}

export interface DeliveredReply {
  certificate: VerifiedCertificate | null
  letter: LetterLink | null
  issuedLetter: LetterWithCertificate | undefined
}

export const NOTHING_DELIVERED: DeliveredReply = { certificate: null, letter: null, issuedLetter: undefined }

/** Returns the delivered certificates and letters, by payment. */
export async function readDeliveredReplies(
  db: Reader,
  { paymentIds, publicUrl }: { paymentIds: readonly string[]; publicUrl: string },
): Promise<Map<string, DeliveredReply>> {
  const fulfilments = await readFulfilments(db, { paymentIds })
  const verified = [...fulfilments].filter(([, { outcome }]) => outcome === 'verified')
  const letters = await listLettersOfItems(db, {
    itemIds: verified.map(([, fulfilment]) => fulfilment.paymentItemId),
  })
  return new Map(
    verified.map(([paymentId, fulfilment]) => {
      const issuedLetter = letters.get(fulfilment.paymentItemId)
      const letter = issuedLetter ? toLetterLink(issuedLetter, publicUrl) : null
      return [paymentId, { certificate: letterCertificate(fulfilment, issuedLetter), letter, issuedLetter }]
    }),
  )
}

/** Returns the certificate and letter that one payment delivered; both are null for a verification without a payment. */
export async function readDeliveredReply(
  db: Reader,
  { paymentId, publicUrl }: { paymentId: string | null; publicUrl: string },
): Promise<DeliveredReply> {
  if (paymentId === null) return NOTHING_DELIVERED
  return (
    (await readDeliveredReplies(db, { paymentIds: [paymentId], publicUrl })).get(paymentId) ??
    NOTHING_DELIVERED
  )
}

/** Returns the result of a verification in test mode, which is a specimen. */
async function readSpecimenReply(db: Reader, row: VerificationRow, publicUrl: string) {
  const specimen = buildSpecimen(row, publicUrl)
  if (!specimen) return { certificate: null, letter: null, verification_template: null }
  return { ...specimen, verification_template: await readSpecimenTemplate(db) }
}

/** Returns the reply about one verification, with its result. */
export async function readVerificationReply(
  { db, ports }: Pick<Call, 'db' | 'ports'>,
  view: VerificationView,
) {
  const publicUrl = ports.environment.PUBLIC_URL
  const { paymentId, livemode } = view.verification
  if (!livemode)
    return {
      verification: toVerification(view),
      ...(await readSpecimenReply(db.read, view.verification, publicUrl)),
    }
  const { certificate, letter, issuedLetter } = await readDeliveredReply(db.read, { paymentId, publicUrl })
  return {
    verification: toVerification(view),
    certificate,
    letter,
    verification_template: issuedLetter ? getTemplate(issuedLetter) : null,
  }
}
