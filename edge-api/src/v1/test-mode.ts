/** The balance that test mode reports, in kobo: fictitious, because nothing is charged. */
export const TEST_BALANCE = {
  balanceMinor: 100_000_000,
  heldMinor: 0,
  debtMinor: 0,
  lowBalanceAlertMinor: null,
}
