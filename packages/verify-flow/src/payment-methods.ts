/** Ways to pay in words, by the names that the gateways use for them. */
const WORDS: Readonly<Record<string, string>> = {
  card: 'Debit and credit cards: Verve, Mastercard and Visa',
  bank: 'Bank account',
  bank_transfer: 'Bank transfer',
  ussd: 'USSD',
  qr: 'QR code',
  mobile_money: 'Mobile money',
}
const ELSEWHERE = 'Shown on the payment page'

/** The ways to pay as the payment step names them; an API that does not report them takes cards. */
export function methodsText(methods: readonly string[] = ['card']): string {
  const named = methods.flatMap(method => WORDS[method] ?? [])
  if (named.length === 0) return ELSEWHERE
  return named.length === methods.length
    ? named.join('; ')
    : `${named.join('; ')}; others on the payment page`
}
