/** The reason for each error code, in the wording of the catalogue's messages. */
const reasons: Readonly<Record<string, string>> = {
  PAYMENT_CANCELLED: 'Payment was cancelled. ',
  PAYMENT_TIMEOUT: 'Payment timed out. ',
  INSUFFICIENT_FUNDS: 'Insufficient funds. ',
  INVALID_CARD: 'Invalid card details. ',
  CARD_DECLINED: 'Card was declined. ',
}

/** Explains why a payment did not complete: its status, and the reason. `code` is one of the payment codes. */
export const notPaidNote = (code = ''): { title: string; text: string } => ({
  title: 'Payment Failed',
  text: `${reasons[code] ?? ''}Nothing was charged.`,
})
