import { DISPUTE_FEE, type Entry, withoutZeros } from './rules.ts'

/* Ledger rows of disputes, in minor units, which add up to zero. */

/** Ledger rows for money that a payer disputes, which may be lost or kept. */
export const bookDispute = (minor: number): Entry[] => [
  { account: 'disputes', minor, reason: 'dispute_opened' },
  { account: 'gateway_clearing', minor: -minor, reason: 'dispute_opened' },
]

/** Ledger rows for a dispute that ended without taking money. */
export const bookDisputeEnded = (minor: number): Entry[] => [
  { account: 'gateway_clearing', minor, reason: 'dispute_ended' },
  { account: 'disputes', minor: -minor, reason: 'dispute_ended' },
]

/**
 * Ledger rows for the part of a payment that a dispute took: first the amount owed to the payer, if that covers all of it,
 * then revenue.
 * @param held the part of it that was held as disputed
 * @param owed to the payer, if its refunds are all covered; otherwise 0
 */
export function bookDisputeLost(minor: number, { held, owed }: { held: number; owed: number }): Entry[] {
  const reason = 'dispute_lost'
  const fromHeld = Math.min(held, minor)
  return withoutZeros([
    { account: 'disputes', minor: -fromHeld, reason },
    { account: 'gateway_clearing', minor: fromHeld - minor, reason },
    { account: 'refund_payable', minor: owed, reason },
    { account: 'revenue', minor: minor - owed, reason },
  ])
}

/** Ledger rows for an amount that a dispute took and the gateway returned. */
export const bookDisputeWon = (minor: number): Entry[] => [
  { account: 'gateway_clearing', minor, reason: 'dispute_won' },
  { account: 'revenue', minor: -minor, reason: 'dispute_won' },
]

/** The gateway's fee for a dispute. */
export const bookDisputeFee = (minor: number): Entry[] => [
  { account: 'fees', minor, reason: DISPUTE_FEE },
  { account: 'gateway_clearing', minor: -minor, reason: DISPUTE_FEE },
]
