import { findUser } from '../accounts/store.ts'
import type { Tx } from '../db/database.ts'
import type { ItemOutcome } from '../db/schema/payment-states.ts'
import { issueLetters } from '../letters/issue.ts'
import { findLetterProblem, notifyUnprintable } from '../letters/printable.ts'
import { toSnapshot } from '../letters/snapshot.ts'
import { readSettings } from '../settings/store.ts'
import { insertFulfilments } from './money-store.ts'
import { findDuplicates, findValidOfPayment } from './numbers-store.ts'
import { outcomeOfItem, resolutionOf, type UndeliveredReason } from './rules.ts'
import { listPaymentItems, type Payment } from './store.ts'

/** Finds the account to which a payment belongs. */
export async function findPayer(db: Tx, payment: Payment) {
  const payer = await findUser(db, { id: payment.userId })
  if (!payer) throw new Error('the user of a payment does not exist')
  return payer
}

export type Payer = Awaited<ReturnType<typeof findPayer>>

/** The delivery for one item of a payment. */
export interface DeliveredItem {
  id: string
  minor: number
  certificateNumber: string
  outcome: ItemOutcome
  reason?: UndeliveredReason
}

/**
 * Reads all data that the delivery of a payment depends on, except the payment itself; from a database server, in one request.
 */
export async function readDelivery(db: Tx, payment: Payment) {
  const key = { paymentId: payment.id, userId: payment.userId, startedAt: payment.createdAt }
  const [payer, items, certificatesByNumber, duplicates, settings] = await Promise.all([
    findPayer(db, payment),
    listPaymentItems(db, key),
    findValidOfPayment(db, key),
    findDuplicates(db, key),
    readSettings(db),
  ])
  return { payer, items, certificatesByNumber, duplicates, settings }
}

export type DeliveryFacts = Awaited<ReturnType<typeof readDelivery>>

/** Decides what to deliver for each item of a payment. */
export function planDelivery(
  payment: Payment,
  { payer, items, certificatesByNumber, duplicates, settings }: DeliveryFacts,
) {
  const results = items.map(item => {
    const certificate = certificatesByNumber.get(item.certificateNumber)
    const problem = findLetterProblem({ certificate, holder: payer, settings })
    const result = outcomeOfItem({
      isFound: certificate !== undefined,
      isPrintable: problem === undefined,
      policy: payment.unknownPolicy,
      isDuplicate: duplicates.has(item.certificateNumber),
    })
    const unprintable = result.reason === 'letter_not_printable' ? { certificate, problem } : undefined
    return {
      item,
      result,
      unprintable,
      verifiedCertificate: result.outcome === 'verified' ? certificate : undefined,
    }
  })
  const resolution = resolutionOf(results.map(({ result }) => result.outcome))
  return { payer, settings, results, resolution }
}

export type Delivery = ReturnType<typeof planDelivery>

/** Stores what is delivered for the items of a payment, with the letters. */
export async function deliver(
  db: Tx,
  { payment, delivery, at }: { payment: Payment; delivery: Delivery; at: number },
): Promise<DeliveredItem[]> {
  const { payer, settings, results } = delivery
  await insertFulfilments(
    db,
    results.map(({ item, result, verifiedCertificate, unprintable }) => ({
      paymentItemId: item.id,
      paymentId: payment.id,
      userId: item.userId,
      certificateNumber: item.certificateNumber,
      outcome: result.outcome,
      // If the letter cannot be printed, the certificate is not verified, but it was found.
      certificateId: (verifiedCertificate ?? unprintable?.certificate)?.id ?? null,
      snapshot: verifiedCertificate ? toSnapshot(verifiedCertificate) : null,
      at,
    })),
  )
  await issueLetters(db, {
    items: results.flatMap(({ item, verifiedCertificate }) =>
      verifiedCertificate ? [{ ...item, certificate: verifiedCertificate }] : [],
    ),
    holder: payer,
    settings,
    at,
  })
  for (const { item, unprintable } of results) {
    if (!unprintable?.problem) continue
    await notifyUnprintable(db, { number: item.certificateNumber, problem: unprintable.problem, at })
  }
  return results.map(({ item, result }) => ({
    id: item.id,
    minor: item.amountMinor,
    certificateNumber: item.certificateNumber,
    ...result,
  }))
}
