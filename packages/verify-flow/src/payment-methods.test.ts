import { expect, test } from 'vitest'
import { methodsText } from './payment-methods.ts'

const cards = 'Debit and credit cards: Verve, Mastercard and Visa'

test.each([
  [['card'], cards],
  // Older APIs do not report them.
  [undefined, cards],
  [['card', 'bank_transfer', 'ussd'], `${cards}; Bank transfer; USSD`],
  [['bank_transfer'], 'Bank transfer'],
  [['card', 'eft'], `${cards}; others on the payment page`],
  [['eft'], 'Shown on the payment page'],
  [[], 'Shown on the payment page'],
])('%o is "%s"', (methods, text) => {
  expect(methodsText(methods)).toBe(text)
})
