import { bare, marks, printed, unplaced } from './letter-coverage.ts'

/*
 * Rules for text that is printed on letters, as plain functions shared by forms, uploads and the API. The generated table
 * `letter-coverage.ts` lists what the fonts can draw.
 */

const parseCodePoint = (hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))
const characterClass = (ranges: string) =>
  new RegExp(`^[${ranges.replace(/[0-9a-f]+/g, '\\u{$&}').replaceAll(' ', '')}]$`, 'u')

const PRINTABLE_CHARACTERS = characterClass(printed)
const MARKS = characterClass(marks)
const LETTERS_WITHOUT_MARKS = characterClass(bare)
const UNPLACED_MARKS = new Set(unplaced.split(' ').map(pair => pair.split('+').map(parseCodePoint).join('')))
const LETTER = /^[\p{L}]$/u

/** Maximum number of marks on one letter; more would reach into the line above. Vietnamese and Yoruba need two. */
const MAX_MARKS = 3
/** Maximum number of characters that an error message lists. */
const MAX_LISTED_CHARACTERS = 5

/** Text of common characters only, which every font has. */
const PLAIN_TEXT = /^(?:[!-~]+(?: [!-~]+)*)?$/
const BLANKS = /[\t\n\r\p{Z}]+/gu
const LINE_ENDS = /\r\n?|[\n\u2028\u2029]/
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu
/** Control, bidi control, zero-width and tag characters, private use, surrogates and unassigned code points. */
const INVISIBLE_CHARACTER = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu

/** Normalises a line of text: composes letters with their marks (NFC), and collapses and trims whitespace. */
export function tidyLine(value: string): string {
  return PLAIN_TEXT.test(value) ? value : value.normalize('NFC').replace(BLANKS, ' ').replace(/^ | $/g, '')
}

/** Normalises text of several lines and removes empty lines. */
export const tidyLines = (value: string): string =>
  value
    .split(LINE_ENDS)
    .map(tidyLine)
    .filter(line => line !== '')
    .join('\n')

/** Normalises an address and removes empty parts between its commas. */
export function tidyAddress(value: string): string {
  const text = tidyLines(value)
  if (!/[\p{L}\p{N}]/u.test(text)) return ''
  return text.replace(/,(?:\s*,)+/g, ',').replace(/[\s,]+$/, '')
}

/** Formats a code point as `U+0301`. */
const codeOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

function listInWords(found: readonly string[]): string {
  const distinct = [...new Set(found)]
  const unlisted = distinct.length - MAX_LISTED_CHARACTERS
  return distinct.slice(0, MAX_LISTED_CHARACTERS).join(', ') + (unlisted > 0 ? ` and ${unlisted} more` : '')
}

function canPrint(cluster: string): boolean {
  const [letter = '', ...attached] = cluster
  if (!PRINTABLE_CHARACTERS.test(letter)) return false
  if (attached.length === 0) return true
  if (!LETTER.test(letter) || LETTERS_WITHOUT_MARKS.test(letter) || attached.length > MAX_MARKS) return false
  return attached.every(mark => MARKS.test(mark) && !UNPLACED_MARKS.has(letter + mark))
}

/** Describes a letter and its marks for an error message; a mark without a letter is shown on a dotted circle. */
function describeCluster(cluster: string): string {
  const visible = cluster.trimStart()
  return `${/^\p{M}/u.test(visible) ? '\u25cc' : ''}${visible} (${Array.from(visible, codeOf).join(' ')})`
}

/**
 * Returns an error message if text has invisible characters; line breaks are allowed.
 * @param label the name of the field in its form
 */
export function invisibleProblem(label: string, value: string): string | undefined {
  if (PLAIN_TEXT.test(value)) return undefined
  const invisibleCharacters = value.replace(/[\t\n\r]/g, ' ').match(INVISIBLE_CHARACTER)
  return invisibleCharacters
    ? `${label} contains invisible characters: ${listInWords(invisibleCharacters.map(codeOf))}. Please remove them.`
    : undefined
}

/**
 * Returns an error message that names the characters a letter cannot print; undefined if it can print all of them. Line breaks
 * and decomposed text are allowed.
 * @param label the name of the field in its form
 */
export function letterTextProblem(label: string, value: string): string | undefined {
  if (PLAIN_TEXT.test(value)) return undefined
  const invisible = invisibleProblem(label, value)
  if (invisible) return invisible
  const clusters = value.normalize('NFC').replace(BLANKS, ' ').match(CLUSTER) ?? []
  const unprintableClusters = clusters.filter(cluster => !canPrint(cluster))
  return unprintableClusters.length > 0
    ? `${label} contains characters the letter cannot print: ${listInWords(unprintableClusters.map(describeCluster))}`
    : undefined
}

const LINK = /:\/\/|www\.|\bhttps?:/i

/** Returns an error message if mail clients would show the text as a link. Names such as `Booking.com` are allowed. */
export function linkProblem(label: string, value: string): string | undefined {
  return LINK.test(value.normalize('NFKC')) ? `${label} must not contain a web address.` : undefined
}

/** Returns an error message if the name of a person or organisation is a link or has invisible or unprintable characters. */
export const nameProblem = (label: string, value: string): string | undefined =>
  letterTextProblem(label, value) ?? linkProblem(label, value)
