import { expect, test } from 'vitest'
import { methodsInBrief, methodsText } from './payment-methods.ts'

const cards = 'Debit and credit cards: Verve, Mastercard and Visa'
const elsewhere = 'Shown on the payment page'

test.each([
  [['card'], cards, 'Card'],
  // Older APIs do not report them.
  [undefined, cards, 'Card'],
  [['card', 'bank_transfer', 'ussd'], `${cards}; bank transfer; USSD`, 'Card, bank transfer, USSD'],
  [['bank_transfer'], 'Bank transfer', 'Bank transfer'],
  [['card', 'eft'], `${cards}; others on the payment page`, elsewhere],
  [['eft'], elsewhere, elsewhere],
  [[], elsewhere, elsewhere],
])('%o is "%s", in brief "%s"', (methods, text, brief) => {
  expect(methodsText(methods)).toBe(text)
  expect(methodsInBrief(methods)).toBe(brief)
})
