/* Dates of a certificate upload. Shared by the API, the mocks and the upload screen. */

/** Order of day and month in `03/04/2019`: day first (`dmy`, 3 April) or month first (`mdy`, March 4). */
export const dateOrders = ['dmy', 'mdy'] as const
export type DateOrder = (typeof dateOrders)[number]

/** Order assumed for dates with the year last, unless another is stated or chosen. */
export const DEFAULT_ORDER: DateOrder = 'dmy'

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
]

// Spreadsheets and databases export dates with the time 00:00, which is accepted; any other time is rejected.
const MIDNIGHT = '(?:[T ](?:00?:00(?::00(?:\\.0+)?)?Z?|12:00(?::00)? ?AM))?$'
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${MIDNIGHT}`, 'i')
const YEAR_LAST = new RegExp(`^(\\d{1,2})[/.-](\\d{1,2})[/.-](\\d{4})${MIDNIGHT}`, 'i')
const MONTH_IN_WORDS = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([A-Za-z]{3,9})\.?,?[ -](\d{4})$/

function parseMonthName(word: string): number {
  const lower = word.toLowerCase()
  if (lower === 'sept') return 9
  return MONTHS.findIndex(month => lower === month || lower === month.slice(0, 3)) + 1
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function toIsoDate(year: number, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/**
 * Converts `YYYY-MM-DD`, `DD/MM/YYYY` (or `MM/DD/YYYY`, depending on `order`) or `D MMM YYYY` to `YYYY-MM-DD`.
 * @returns undefined for any other text, or a day that does not exist
 */
export function readDate(text: string, order: DateOrder = DEFAULT_ORDER): string | undefined {
  let match = YEAR_FIRST.exec(text)
  if (match) return toIsoDate(Number(match[1]), Number(match[3]), Number(match[4]))
  match = YEAR_LAST.exec(text)
  if (match) {
    const [firstNumber, secondNumber, year] = [Number(match[1]), Number(match[2]), Number(match[3])]
    return order === 'dmy'
      ? toIsoDate(year, secondNumber, firstNumber)
      : toIsoDate(year, firstNumber, secondNumber)
  }
  match = MONTH_IN_WORDS.exec(text)
  return match ? toIsoDate(Number(match[3]), parseMonthName(match[2] ?? ''), Number(match[1])) : undefined
}

const oppositeOrder = (order: DateOrder): DateOrder => (order === 'dmy' ? 'mdy' : 'dmy')
const orderNames = { dmy: 'the day first', mdy: 'the month first' } as const

/** True for text in the form of a date. Called for text that `readDate` rejects in both orders, e.g. `31/02/2019`. */
const isImpossibleDate = (text: string) =>
  YEAR_FIRST.test(text) || YEAR_LAST.test(text) || parseMonthName(MONTH_IN_WORDS.exec(text)?.[2] ?? '') > 0

/** Returns why `readDate` cannot read a value, as a sentence for the uploader. */
export function dateProblem(text: string, order: DateOrder): string {
  const opposite = oppositeOrder(order)
  if (readDate(text, opposite) !== undefined)
    return `${text} is not a date with ${orderNames[order]}. If the file has ${orderNames[opposite]}, please choose that date order.`
  if (/^\d{5}(?:\.\d+)?$/.test(text))
    return `${text} is how a spreadsheet stores a date. Please format the column as a date and save the CSV again.`
  if (/^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}\b|^\d{1,2}\D{1,4}[A-Za-z]{3,9}\D{1,3}\d{2}$/.test(text))
    return 'Please write the year of the graduation date with four digits.'
  if (isImpossibleDate(text)) return `There is no such day as ${text}. Please correct the graduation date.`
  if (/\d:\d/.test(text)) return 'Please leave the time out of the graduation date.'
  return `Please enter the graduation date as YYYY-MM-DD, ${order === 'dmy' ? 'DD/MM/YYYY' : 'MM/DD/YYYY'} or D MMM YYYY.`
}

/** A date in the file, with the number of its line. */
export interface DateInFile {
  text: string
  row: number
}

/** Collects evidence of the date order of a file; one example of each kind is enough. */
export class DateOrderEvidence {
  /** A date that is valid only with the day first, and one that is valid only with the month first. */
  readonly conclusive: { dmy?: DateInFile; mdy?: DateInFile } = {}
  /** A date that is valid in both orders, but means a different day in each. */
  ambiguous: DateInFile | undefined

  add(text: string, row: number): void {
    if (this.ambiguous && this.conclusive.dmy && this.conclusive.mdy) return
    const match = YEAR_LAST.exec(text)
    if (!match || match[1] === match[2]) return
    const dmy = readDate(text, 'dmy')
    const mdy = readDate(text, 'mdy')
    if (dmy === mdy) return
    if (dmy !== undefined && mdy !== undefined) this.ambiguous ??= { text, row }
    else this.conclusive[dmy === undefined ? 'mdy' : 'dmy'] ??= { text, row }
  }

  /** A date that shows the order, or one that can be read in both orders. */
  get example(): DateInFile | undefined {
    return this.ambiguous ?? this.conclusive.dmy ?? this.conclusive.mdy
  }

  /** Returns why the date order must be chosen before the file can be imported; undefined if it need not be. */
  describeConflict(order: DateOrder): string | undefined {
    const opposite = oppositeOrder(order)
    const contradicting = this.conclusive[opposite]
    const expected = this.conclusive[order]
    const supporting = expected ?? this.ambiguous
    if (!contradicting || !supporting) return undefined
    const lines = [
      { ...contradicting, finding: `has ${orderNames[opposite]}` },
      { ...supporting, finding: expected ? `has ${orderNames[order]}` : 'can be read in two ways' },
    ]
    const findings = lines
      .toSorted((a, b) => a.row - b.row)
      .map(({ row, text, finding }) => `row ${row} ${finding} (${text})`)
      .join(', ')
    return `The date order is not clear: ${findings}. Nothing was imported. Please choose a date order, day first or month first, or correct the file.`
  }
}
