/** Reasons by error code, in the words of the error catalogue. */
const reasons: Readonly<Record<string, string>> = {
  PAYMENT_CANCELLED: 'Payment was cancelled. ',
  PAYMENT_TIMEOUT: 'Payment timed out. ',
  INSUFFICIENT_FUNDS: 'Insufficient funds. ',
  INVALID_CARD: 'Invalid card details. ',
  CARD_DECLINED: 'Card was declined. ',
}

/** Explains why a payment did not complete. `code` is one of the payment codes. */
export const notPaidNote = (code = ''): string =>
  `${reasons[code] ?? 'The payment was not completed. '}Nothing was charged.`
