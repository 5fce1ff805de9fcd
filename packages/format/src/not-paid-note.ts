/** Reasons by error code, in the words of the error catalogue. */
const reasons: Readonly<Record<string, string>> = {
  PAYMENT_CANCELLED: 'Payment was cancelled. ',
  PAYMENT_TIMEOUT: 'Payment timed out. ',
  INSUFFICIENT_FUNDS: 'Insufficient funds. ',
  INVALID_CARD: 'Invalid card details. ',
  CARD_DECLINED: 'Card was declined. ',
}

/** Returns an explanation of why a payment was not completed: its status and the reason. `code` is a payment error code. */
export const notPaidNote = (code = ''): { title: string; text: string } => ({
  title: 'Payment Failed',
  text: `${reasons[code] ?? ''}Nothing was charged.`,
})
