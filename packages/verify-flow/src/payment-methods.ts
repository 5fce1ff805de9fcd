/** Ways to pay in words, by the names that the gateways use for them. */
const WORDS: Readonly<Record<string, string>> = {
  card: 'card',
  bank: 'bank account',
  bank_transfer: 'bank transfer',
  ussd: 'USSD',
  qr: 'QR code',
  mobile_money: 'mobile money',
}
const CARDS = 'debit and credit cards: Verve, Mastercard and Visa'
const ELSEWHERE = 'Shown on the payment page'

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The ways to pay as the payment step names them; an API that does not report them takes cards. */
export function methodsText(methods: readonly string[] = ['card']): string {
  const named = methods.flatMap(method => (method === 'card' ? CARDS : (WORDS[method] ?? [])))
  if (named.length === 0) return ELSEWHERE
  const others = named.length === methods.length ? '' : '; others on the payment page'
  return sentence(named.join('; ') + others)
}

/** The same in a word or two: "Card" where cards alone are taken. */
export function methodsInBrief(methods: readonly string[] = ['card']): string {
  const named = methods.map(method => WORDS[method])
  return named.length === 0 || named.includes(undefined) ? ELSEWHERE : sentence(named.join(', '))
}
