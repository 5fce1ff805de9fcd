/* Ledger entries of organisations' balances, in minor units. A balance is a liability, so credits are negative. */

export interface BalanceEntry {
  account: 'organisation_balances' | 'organisation_debts'
  minor: number
  reason: string
}

/** Returns the organisation's ledger entries for a credit, of which the amount `debtPaid` was used to pay debt. */
export const buildCreditEntries = (reason: string, minor: number, debtPaidMinor: number): BalanceEntry[] => [
  { account: 'organisation_balances', minor: -minor, reason },
  ...(debtPaidMinor > 0
    ? [
        { account: 'organisation_balances' as const, minor: debtPaidMinor, reason: 'debt_settled' },
        { account: 'organisation_debts' as const, minor: -debtPaidMinor, reason: 'debt_settled' },
      ]
    : []),
]

/** Returns the organisation's ledger entries for a chargeback: the part taken from the balance, and the new debt. */
export const buildChargebackEntries = ({
  takenMinor,
  owedMinor,
}: {
  takenMinor: number
  owedMinor: number
}): BalanceEntry[] => [
  ...(takenMinor > 0
    ? [{ account: 'organisation_balances' as const, minor: takenMinor, reason: 'chargeback' }]
    : []),
  ...(owedMinor > 0
    ? [{ account: 'organisation_debts' as const, minor: owedMinor, reason: 'chargeback' }]
    : []),
]

/** Returns the organisation's ledger entries for an amount taken from the balance. */
export const buildDebitEntries = (reason: string, minor: number): BalanceEntry[] => [
  { account: 'organisation_balances', minor, reason },
]
