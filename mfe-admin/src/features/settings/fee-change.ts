import { formatMoney } from '@portal/format/money'

/** Changes larger than this share of the current fee need confirmation. */
const LARGE_CHANGE_SHARE = 0.2

const toMinorUnits = (major: number) => Math.round(major * 100)

/** Returns true if the gateway would refuse a single payment at this fee; a fee of 0 needs no payment. */
export const isBelowMinimum = (fee: number, minimum: number) =>
  fee > 0 && toMinorUnits(fee) < toMinorUnits(minimum)

/** Returns true for a change of more than a fifth, or from or to 0. Amounts are in major units. */
export function needsConfirmation(from: number, to: number): boolean {
  const [before, after] = [toMinorUnits(from), toMinorUnits(to)]
  if (before === after) return false
  return before === 0 || after === 0 || Math.abs(after - before) > before * LARGE_CHANGE_SHARE
}

const NUMBERS_TO_NINETEEN =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen`.split(/\s+/)
const TENS = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SCALES: readonly [number, string][] = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
  [100, 'hundred'],
]

function numberInWords(count: number): string {
  const scale = SCALES.find(([size]) => count >= size)
  if (scale) {
    const [size, name] = scale
    const rest = count % size
    const restInWords = rest === 0 ? '' : `${rest < 100 ? ' and' : ''} ${numberInWords(rest)}`
    return `${numberInWords(Math.floor(count / size))} ${name}${restInWords}`
  }
  if (count < 20) return NUMBERS_TO_NINETEEN[count] ?? ''
  const unit = count % 10
  return `${TENS[Math.floor(count / 10)]}${unit === 0 ? '' : `-${NUMBERS_TO_NINETEEN[unit]}`}`
}

/** Formats a naira amount, given in major units, in figures and in words, so that an extra zero is noticed. */
export function feeInWords(fee: number, currency: string): string {
  const kobo = toMinorUnits(fee) % 100
  const naira = numberInWords(Math.floor(toMinorUnits(fee) / 100))
  return `${formatMoney(fee, currency)} (${naira} naira${kobo === 0 ? '' : ` and ${numberInWords(kobo)} kobo`})`
}
