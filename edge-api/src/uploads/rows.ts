import { isCertificateNumber, normaliseCertificateNumber } from '@portal/contract/certificate-number'
import { graduationDateProblem } from '@portal/contract/graduation-date'
import { letterTextProblem, nameProblem, tidyLine } from '@portal/contract/printable-text'
import {
  joinProblems,
  labelProblem,
  readUploadHeader,
  type UploadField,
  type UploadHeader,
  uploadFields,
} from '@portal/contract/upload-columns'
import { type DateOrder, dateProblem, readDate } from '@portal/contract/upload-dates'
import { withoutApostrophe } from '@portal/format/csv'
import { addBounded, memoisePerWord } from '../bounded-map.ts'
import { Fault } from '../fault.ts'

/** Position in the file of each field of the template; -1 for `matric_number` if there is no such column. */
export type ColumnMap = readonly number[]

/**
 * Reads the header: column names in any spelling that registers use, in any order. Other columns are ignored and reported.
 * @throws Fault `INVALID_CSV` with the missing and repeated columns
 */
export function readHeader(cells: readonly string[]): UploadHeader & { columnMap: ColumnMap } {
  const header = readUploadHeader(cells)
  if (header.problem !== undefined) throw new Fault('INVALID_CSV', { message: header.problem })
  const columnMap = uploadFields.map(
    name => header.recognised.find(({ field }) => field === name)?.columnIndex ?? -1,
  )
  return { ...header, columnMap }
}

/** How to read the rows of one file. */
export interface RowFormat {
  columnMap: ColumnMap
  /** Number of columns in the header. */
  width: number
  dateOrder: DateOrder
  /** The current day in the institution's time zone, `YYYY-MM-DD`: a graduation date cannot be later. */
  today: string
}

/** The seven values of a row in the template's order; `''` for a missing one. */
export type RowValues = readonly string[]

export type ParsedRow = { values: RowValues; error?: undefined } | { values: RowValues; error: string }

const MISSING_VALUE_ERRORS: readonly (string | undefined)[] = [
  'Please enter a certificate number.',
  'Student name is required',
  undefined,
  'Course is required',
  'Graduation date is required',
  'Grade is required',
  'Department is required',
]
const DATE_COLUMN = uploadFields.indexOf('graduation_date')
const MAX_LENGTHS: readonly number[] = [100, 255, 100, 255, 255, 100, 255]
/** Maximum stored length of each value in a failed row, so that a damaged file cannot fill the database. */
const MAX_STORED_LENGTH = 300

/** The rules of the certificate form, by column. */
const FIELD_CHECKS: readonly (((value: string) => string | undefined) | undefined)[] = [
  value =>
    isCertificateNumber(normaliseCertificateNumber(value))
      ? undefined
      : 'Please enter a valid certificate number.',
  value => nameProblem('Student name', value),
  value => letterTextProblem('Matric number', value),
  value => letterTextProblem('Course', value),
  undefined,
  value => letterTextProblem('Grade', value),
  value => letterTextProblem('Department', value),
]

function lengthProblem(index: number, value: string): string | undefined {
  const maxLength = MAX_LENGTHS[index] ?? 255
  const field = uploadFields[index]
  return field && value.length > maxLength
    ? labelProblem(field, `Please use at most ${maxLength} characters.`)
    : undefined
}

/** Cleans a cell: puts it on one line and in composed form, and removes the apostrophe that exports add before formulas. */
const cleanCell = (cell: string): string => withoutApostrophe(tidyLine(cell))

interface CheckedCell {
  value: string
  problem: string | undefined
}

const problemAt = (index: number, value: string) =>
  FIELD_CHECKS[index]?.(value) ?? lengthProblem(index, value)

/** Fields whose values repeat from row to row, so that the results of checking them are cached. */
const REPEATING_FIELDS: readonly UploadField[] = ['course', 'grade', 'department']
/** Maximum number of cached values per field. */
const MAX_CACHED = 5000
const cachedCells = uploadFields.map(field =>
  REPEATING_FIELDS.includes(field) ? new Map<string, CheckedCell>() : undefined,
)

const NAME_COLUMN = uploadFields.indexOf('student_name')
/** Matches words that the rules of names allow, and that cannot be part of a link. */
const SIMPLE_WORD = /^[A-Za-z0-9][A-Za-z0-9'-]*$/
/**
 * True if the rules of names allow this word as it is. Cached, because most words repeat, and the rules check each character.
 */
const isUnchangedWord = memoisePerWord(
  word =>
    word !== '' &&
    // A combining mark at the start of a word would, within a name, combine with the space before it.
    !/^\p{M}/u.test(word) &&
    cleanCell(word) === word &&
    nameProblem('', word) === undefined,
)

const isPlainWord = (word: string) => SIMPLE_WORD.test(word) || isUnchangedWord(word)

/** Copies a text, because V8 would otherwise keep the whole piece of the file from which it was extracted. */
const copyString = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le')

/** Checks a cell by the rules of its field. */
function checkCell(index: number, cell: string): CheckedCell {
  if (index === NAME_COLUMN && cell.split(' ').every(isPlainWord))
    return { value: cell, problem: lengthProblem(index, cell) }
  const cache = cachedCells[index]
  const cached = cache?.get(cell)
  if (cached) return cached
  const isCacheable = cache !== undefined && cell.length <= MAX_STORED_LENGTH
  const text = isCacheable ? copyString(cell) : cell
  const value = cleanCell(text)
  const checked = { value, problem: value === '' ? MISSING_VALUE_ERRORS[index] : problemAt(index, value) }
  if (isCacheable) addBounded(cache, text, checked, MAX_CACHED)
  return checked
}

/** True for an empty line, which is not a row. */
export const isBlank = (cells: readonly string[]) => cells.every(cell => cell.trim() === '')

/**
 * Reads one row of the file, and checks it by the rules of the certificate form (specification, section 5). The number is
 * normalised, and the date converted to `YYYY-MM-DD`; `error` contains all problems.
 */
export function readRow(cells: readonly string[], format: RowFormat): ParsedRow {
  const checked = format.columnMap.map((position, index) => checkCell(index, cells[position] ?? ''))
  const values = checked.map(({ value }) => value)
  const date = readDate(values[DATE_COLUMN] ?? '', format.dateOrder)
  const error = joinProblems(listProblems(cells, checked, date, format))
  // Also done in rows with errors, because the file of failed rows does not contain the date order of this file.
  if (date !== undefined) values[DATE_COLUMN] = date
  if (error !== undefined) return { values: values.map(value => value.slice(0, MAX_STORED_LENGTH)), error }
  values[0] = normaliseCertificateNumber(values[0] ?? '')
  return { values }
}

/** Returns the text of a row's date as `readRow` reads it. */
export const dateOf = (cells: readonly string[], columnMap: ColumnMap) =>
  cleanCell(cells[columnMap[DATE_COLUMN] ?? -1] ?? '')

/** Returns the problems of a row: the first one of each field, as in the form. */
function listProblems(
  cells: readonly string[],
  checked: readonly CheckedCell[],
  date: string | undefined,
  { width, dateOrder, today }: RowFormat,
): string[] {
  // If there are too many cells, they may be shifted, so that no field is reliable.
  if (cells.length > width && !isBlank(cells.slice(width)))
    return [`This row has ${cells.length} cells, but the header has ${width}.`]
  const problems: string[] = []
  for (const [index, { value, problem }] of checked.entries()) {
    const found =
      index === DATE_COLUMN && value !== '' ? dateProblemOf(value, date, { dateOrder, today }) : problem
    if (found !== undefined) problems.push(found)
  }
  return problems
}

const dateProblemOf = (
  value: string,
  date: string | undefined,
  { dateOrder, today }: Pick<RowFormat, 'dateOrder' | 'today'>,
) => (date === undefined ? dateProblem(value, dateOrder) : graduationDateProblem(date, today))
