import { isCertificateNumber, normaliseCertificateNumber } from '@portal/contract/certificate-number'
import { letterTextProblem, nameProblem, tidyLine } from '@portal/contract/letter-text'
import { Fault } from '../fault.ts'

/** Header of the template, in its order. */
export const COLUMNS = [
  'certificate_number',
  'student_name',
  'matric_number',
  'course',
  'graduation_date',
  'grade',
  'department',
] as const
export type ColumnName = (typeof COLUMNS)[number]

const OPTIONAL: readonly ColumnName[] = ['matric_number']

/** Where each column of the template stands in the file; -1 for `matric_number` when it is missing. */
export type ColumnMap = readonly number[]

/** `Certificate No.`, `CERTIFICATE_NUMBER` and `certificate number` are one name. */
const plain = (header: string) =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
const names = new Map(COLUMNS.map((name, index) => [plain(name), index]))

/**
 * Reads the header: names in any case and order, with blanks or underscores; other columns are left alone.
 * @throws Fault `INVALID_CSV` naming what is missing or stands there twice
 */
export function readHeader(cells: readonly string[]): ColumnMap {
  const map: number[] = COLUMNS.map(() => -1)
  cells.forEach((cell, position) => {
    const index = names.get(plain(cell))
    if (index === undefined) return
    if (map[index] !== -1)
      throw new Fault('INVALID_CSV', { message: `The header names ${COLUMNS[index]} twice.` })
    map[index] = position
  })
  const missing = COLUMNS.filter((name, index) => map[index] === -1 && !OPTIONAL.includes(name))
  if (missing.length === 0) return map
  throw new Fault('INVALID_CSV', {
    message:
      missing.length > 3
        ? 'The first line must name the columns of the template.'
        : `The header has no column ${missing.join(', ')}. Please compare it with the template.`,
  })
}

/** The seven values of a row in the template's order; `''` where there is none. */
export type RowValues = readonly string[]

export type ReadRow = { values: RowValues; error?: undefined } | { values: RowValues; error: string }

const REQUIRED: readonly (string | undefined)[] = [
  'Please enter a certificate number.',
  'Student name is required',
  undefined,
  'Course is required',
  'Graduation date is required',
  'Grade is required',
  'Department is required',
]
const LONGEST: readonly number[] = [100, 255, 100, 255, 255, 100, 255]
/** What is kept of a value that failed, so that a damaged file cannot fill the database. */
const KEPT = 300

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/
const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/
const WRITTEN = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([A-Za-z]{3,9})\.?,?[ -](\d{4})$/

function monthOf(word: string): number {
  const lower = word.toLowerCase()
  if (lower === 'sept') return 9
  return MONTHS.findIndex(month => lower === month || lower === month.slice(0, 3)) + 1
}

/** A date as `YYYY-MM-DD` from `YYYY-MM-DD`, `DD/MM/YYYY` or `D MMM YYYY`; undefined for anything else or no real day. */
export function readDate(text: string): string | undefined {
  let match = ISO.exec(text)
  let [year, month, day] = match ? [Number(match[1]), Number(match[2]), Number(match[3])] : [0, 0, 0]
  if (!match) {
    match = DAY_FIRST.exec(text)
    if (match) [day, month, year] = [Number(match[1]), Number(match[2]), Number(match[3])]
  }
  if (!match) {
    match = WRITTEN.exec(text)
    if (match) [day, month, year] = [Number(match[1]), monthOf(match[2] ?? ''), Number(match[3])]
  }
  if (!match || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** What a letter prints, by column: the same rules as the form's. */
const PROBLEMS: readonly (((value: string) => string | undefined) | undefined)[] = [
  undefined,
  value => nameProblem('Student name', value),
  value => letterTextProblem('Matric number', value),
  value => letterTextProblem('Course', value),
  undefined,
  value => letterTextProblem('Grade', value),
  value => letterTextProblem('Department', value),
]

/** On one line, composed, and without the apostrophe that exports put before formulas. */
function clean(cell: string): string {
  const text = tidyLine(cell)
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text
}

/** True for a line without anything on it, which is no row. */
export const isBlank = (cells: readonly string[]) => cells.every(cell => cell.trim() === '')

/**
 * One row of the file, checked by the rules of the certificate form (specification, section 5) and with its number
 * normalised and its date as `YYYY-MM-DD`; `error` is the first thing wrong.
 */
export function readRow(cells: readonly string[], map: ColumnMap, width: number): ReadRow {
  const values = map.map(position => clean(cells[position] ?? ''))
  const error = problemOf(cells, values, width)
  return error === undefined ? { values } : { values: values.map(value => value.slice(0, KEPT)), error }
}

/** The first thing wrong with a row; of one that is right the number and the date are put into their form in `values`. */
function problemOf(cells: readonly string[], values: string[], width: number): string | undefined {
  if (cells.length > width && !isBlank(cells.slice(width)))
    return `This line has ${cells.length} cells, the header has ${width}.`
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? ''
    if (value === '') {
      const message = REQUIRED[index]
      if (message !== undefined) return message
      continue
    }
    if (index === 0 && !isCertificateNumber(normaliseCertificateNumber(value)))
      return 'Please enter a valid certificate number.'
    if (value.includes('�')) return `${COLUMNS[index]} has characters that cannot be read.`
    const problem = PROBLEMS[index]?.(value)
    if (problem !== undefined) return problem
    const longest = LONGEST[index] ?? 255
    if (value.length > longest) return `${COLUMNS[index]}: please use at most ${longest} characters.`
  }
  const date = readDate(values[4] ?? '')
  if (date === undefined) return 'Please enter the graduation date as YYYY-MM-DD, DD/MM/YYYY or D MMM YYYY.'
  values[0] = normaliseCertificateNumber(values[0] ?? '')
  values[4] = date
  return undefined
}
