/** Labels of payment methods, by the names that gateways use. */
const LABELS: Readonly<Record<string, string>> = {
  card: 'debit and credit cards: Verve, Mastercard and Visa',
  bank: 'bank account',
  bank_transfer: 'bank transfer',
  ussd: 'USSD',
  qr: 'QR code',
  mobile_money: 'mobile money',
}

/** Returns the payment methods as text for the payment step. If the API is too old to report any, cards are assumed. */
export function formatAcceptedMethods(methods: readonly string[] = ['card']): string {
  const labels = methods.flatMap(method => LABELS[method] ?? [])
  if (labels.length === 0) return 'Shown on the payment page'
  const text = labels.join('; ') + (labels.length === methods.length ? '' : '; others on the payment page')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
