import type { Tx } from '../db/database.ts'
import { findOrganisation } from '../membership/store.ts'
import { listPaymentItems, type Payment } from './store.ts'

/** Returns what a payment is for: its certificate numbers, or the description of a top-up. */
export async function listPaymentSubjects(db: Tx, payment: Payment): Promise<string[]> {
  if (payment.purpose === 'topup') {
    const organisation = await findOrganisation(db, { id: payment.organisationId ?? '' })
    return [`Top-up of ${organisation?.name ?? 'an organisation'}`]
  }
  return (await listPaymentItems(db, { paymentId: payment.id })).map(item => item.certificateNumber)
}
