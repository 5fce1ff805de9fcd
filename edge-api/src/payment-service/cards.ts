/** Test cards and their outcomes. Source: ISO 8583 response codes as Nigerian gateways use them. */

export type Status = 'PENDING' | 'PROCESSING' | 'APPROVED' | 'FAILED' | 'CANCELLED' | 'EXPIRED'

/** The meaning of a code: the transaction's status, and a message for the payer. */
export type CodeMeaning = { status: Status; message: string }

/** All codes that this gateway reports, except the empty one (no attempt yet), which means PENDING. */
export const codes = {
  '00': { status: 'APPROVED', message: 'Approved' },
  '05': { status: 'FAILED', message: 'Declined by your bank' },
  '09': { status: 'PROCESSING', message: 'In progress' },
  '14': { status: 'FAILED', message: 'Invalid card number' },
  '51': { status: 'FAILED', message: 'Insufficient funds' },
  '54': { status: 'FAILED', message: 'Expired card' },
  '68': { status: 'PROCESSING', message: 'No answer from your bank yet' },
  '91': { status: 'FAILED', message: 'Your bank could not be reached' },
  Z0: { status: 'PROCESSING', message: 'Waiting for your bank to confirm' },
  Z5: { status: 'EXPIRED', message: 'The time to pay ran out' },
  Z6: { status: 'CANCELLED', message: 'Cancelled' },
} as const satisfies Record<string, CodeMeaning>

export type Code = keyof typeof codes

export function isCode(value: string): value is Code {
  return Object.hasOwn(codes, value)
}

/** Returns the message for a stored code. The empty code, of a transaction without an attempt, means "Not paid yet". */
export function codeMessage(code: string): string {
  return isCode(code) ? codes[code].message : 'Not paid yet'
}

export type TestCard = { number: string; code: Code; requiresOtp: boolean; effect: string }

export const testOtp = '123456'
export const maxOtpTries = 3

export const testCards: readonly TestCard[] = [
  { number: '5060990000000000019', code: '00', requiresOtp: false, effect: 'Approved' },
  {
    number: '5060990000000000027',
    code: '00',
    requiresOtp: true,
    effect: 'One-time password, then approved',
  },
  { number: '5060990000000000514', code: '51', requiresOtp: false, effect: 'Insufficient funds' },
  { number: '5060990000000000142', code: '14', requiresOtp: false, effect: 'Invalid card' },
  { number: '5060990000000000050', code: '05', requiresOtp: false, effect: 'Declined' },
  { number: '5060990000000000548', code: '54', requiresOtp: false, effect: 'Expired card' },
  { number: '5060990000000000910', code: '91', requiresOtp: false, effect: 'Bank not reachable' },
  { number: '5060990000000000688', code: '68', requiresOtp: false, effect: 'No answer; stays pending' },
  { number: '5060990000000000704', code: 'Z0', requiresOtp: false, effect: 'Stays pending at the bank' },
]

function findTestCard(number: string): TestCard | undefined {
  return testCards.find(card => card.number === number)
}

/** Groups the digits of a card number: `5060990000000000019` becomes `5060 9900 0000 0000 019`. */
export function groupDigits(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ')
}

/** True if the check digit of a card number is correct (ISO/IEC 7812). */
export function passesLuhnCheck(number: string): boolean {
  let sum = 0
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i])
    const doubledDigit = i % 2 === 1 ? digit * 2 : digit
    sum += doubledDigit > 9 ? doubledDigit - 9 : doubledDigit
  }
  return /^\d+$/.test(number) && sum % 10 === 0
}

export type CardField = 'number' | 'expiry' | 'cvv'
export type CardErrors = Partial<Record<CardField, string>>
export type CardInput = Record<CardField, string>
export type CardCheck =
  | { ok: true; card: TestCard; first6: string; last4: string }
  | { ok: false; errors: CardErrors; keepNumber: boolean }

/**
 * Checks the input of the card page. Only the numbers of test cards are accepted, so that a real card is never stored.
 * `keepNumber` means that the number belongs to a test card and may be shown again.
 */
export function checkCard(input: CardInput, now: Date): CardCheck {
  const number = input.number.replace(/[\s-]/g, '')
  const card = findTestCard(number)
  const errors: CardErrors = {}
  if (number === '') errors.number = 'Enter the card number'
  else if (!/^\d{12,19}$/.test(number) || !passesLuhnCheck(number)) errors.number = 'Check the card number'
  else if (!card) errors.number = 'This is a test gateway: use one of the test cards'
  const expiry = expiryError(input.expiry, now)
  if (expiry) errors.expiry = expiry
  const cvv = input.cvv.trim()
  if (cvv === '') errors.cvv = 'Enter the security code'
  else if (!/^\d{3,4}$/.test(cvv)) errors.cvv = 'The security code has 3 or 4 digits'
  if (!card || Object.keys(errors).length > 0) return { ok: false, errors, keepNumber: card !== undefined }
  return { ok: true, card, first6: number.slice(0, 6), last4: number.slice(-4) }
}

function expiryError(text: string, now: Date): string | undefined {
  if (text.trim() === '') return 'Enter the expiry date'
  const match = /^\s*(\d{1,2})\s*[/-]?\s*(\d{2}|20\d{2})\s*$/.exec(text)
  const month = Number(match?.[1])
  const year = Number(match?.[2]) % 100
  if (!match || month < 1 || month > 12) return 'Enter the expiry date as MM/YY'
  // A card is valid until its month has ended in every time zone.
  const endOfValidity = Date.UTC(2000 + year, month, 1, 12)
  return endOfValidity > now.getTime() ? undefined : 'This card has expired'
}
