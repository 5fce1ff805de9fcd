/** Ways to pay in words, by the names that the gateways use for them. */
const WORDS: Readonly<Record<string, string>> = {
  card: 'debit and credit cards: Verve, Mastercard and Visa',
  bank: 'bank account',
  bank_transfer: 'bank transfer',
  ussd: 'USSD',
  qr: 'QR code',
  mobile_money: 'mobile money',
}

/** The ways to pay as the payment step names them; an API that does not report them takes cards. */
export function acceptedMethods(methods: readonly string[] = ['card']): string {
  const named = methods.flatMap(method => WORDS[method] ?? [])
  if (named.length === 0) return 'Shown on the payment page'
  const text = named.join('; ') + (named.length === methods.length ? '' : '; others on the payment page')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
