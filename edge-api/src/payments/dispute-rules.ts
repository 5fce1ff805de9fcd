import { DISPUTE_FEE, type Entry, withoutZeros } from './rules.ts'

/* Ledger entries of disputes, in minor units, which add up to zero. */

/** Returns the ledger entries for money that a payer disputes; whether it will be lost is still open. */
export const bookDispute = (minor: number): Entry[] => [
  { account: 'disputes', minor, reason: 'dispute_opened' },
  { account: 'gateway_clearing', minor: -minor, reason: 'dispute_opened' },
]

/** Returns the ledger entries for a dispute that ended without taking any money. */
export const bookEndedDispute = (minor: number): Entry[] => [
  { account: 'gateway_clearing', minor, reason: 'dispute_ended' },
  { account: 'disputes', minor: -minor, reason: 'dispute_ended' },
]

/**
 * Returns the ledger entries for the part of a payment that a dispute took: first from the amount owed to the payer, if the
 * part covers all of that, and then from revenue.
 * @param heldMinor how much of the part was reserved as disputed
 * @param owedMinor amount owed to the payer, if the part covers all of it; otherwise 0
 */
export function bookDisputeLost(
  minor: number,
  { heldMinor, owedMinor }: { heldMinor: number; owedMinor: number },
): Entry[] {
  const reason = 'dispute_lost'
  const heldPartMinor = Math.min(heldMinor, minor)
  return withoutZeros([
    { account: 'disputes', minor: -heldPartMinor, reason },
    { account: 'gateway_clearing', minor: heldPartMinor - minor, reason },
    { account: 'refund_payable', minor: owedMinor, reason },
    { account: 'revenue', minor: minor - owedMinor, reason },
  ])
}

/** Returns the ledger entries for an amount that a dispute took and the gateway later returned. */
export const bookDisputeWon = (minor: number): Entry[] => [
  { account: 'gateway_clearing', minor, reason: 'dispute_won' },
  { account: 'revenue', minor: -minor, reason: 'dispute_won' },
]

/** Returns the ledger entries for the gateway's fee for a dispute. */
export const bookDisputeFee = (minor: number): Entry[] => [
  { account: 'fees', minor, reason: DISPUTE_FEE },
  { account: 'gateway_clearing', minor: -minor, reason: DISPUTE_FEE },
]
