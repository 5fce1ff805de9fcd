import { formatMethods } from '@portal/format/payment-methods'
import { expect, test } from 'vitest'
import { formatAcceptedMethods } from './accepted-methods.ts'

const cards = 'Debit and credit cards: Verve, Mastercard and Visa'

test.each([
  [['card'], cards, 'Card'],
  // Older versions of the API do not report the methods.
  [undefined, cards, 'Card'],
  [['card', 'bank_transfer', 'ussd'], `${cards}; bank transfer; USSD`, 'Card, bank transfer, USSD'],
  [['bank_transfer'], 'Bank transfer', 'Bank transfer'],
  [['ussd', 'qr'], 'USSD; QR code', 'USSD, QR'],
  [['card', 'apple_pay'], `${cards}; others on the payment page`, 'Card, apple pay'],
  [[], 'Shown on the payment page', 'Shown before you pay'],
])('formats %o as "%s", and in brief as "%s"', (methods, text, brief) => {
  expect(formatAcceptedMethods(methods)).toBe(text)
  expect(formatMethods(methods)).toBe(brief)
})
