import { bare, marks, printed, unplaced } from './letter-coverage.ts'

/*
 * What may be written where a letter prints it, as plain functions: forms, files and the API ask the same ones. A table
 * made from the letter's own faces (`letter-coverage.ts`) says what they can draw.
 */

const point = (hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))
const oneOf = (ranges: string) =>
  new RegExp(`^[${ranges.replace(/[0-9a-f]+/g, '\\u{$&}').replaceAll(' ', '')}]$`, 'u')

const PRINTED = oneOf(printed)
const MARKS = oneOf(marks)
const BARE = oneOf(bare)
const UNPLACED = new Set(unplaced.split(' ').map(pair => pair.split('+').map(point).join('')))
const LETTER = /^[\p{L}]$/u

/** Most marks on one letter: more reach into the line above. Vietnamese and Yoruba need two. */
const MOST_MARKS = 3
/** Most characters that a message names. */
const MOST_NAMED = 5

/** What most text is made of, and every face has. */
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/
const BLANKS = /[\t\n\r\p{Z}]+/gu
const LINE_ENDS = /\r\n?|[\n\u2028\u2029]/
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu
/** Controls, bidi controls, zero-width and tag characters, private use, surrogates and unassigned ones. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu

/** One line as it is stored: composed (NFC), each run of blanks and line ends one blank, none at either end. */
export function tidyLine(value: string): string {
  return PLAIN.test(value) ? value : value.normalize('NFC').replace(BLANKS, ' ').replace(/^ | $/g, '')
}

/** Several lines as they are stored, without empty ones. */
export const tidyLines = (value: string): string =>
  value
    .split(LINE_ENDS)
    .map(tidyLine)
    .filter(line => line !== '')
    .join('\n')

/** An address without empty parts between its commas; what has commas alone is empty. */
export function tidyAddress(value: string): string {
  const text = tidyLines(value)
  if (!/[\p{L}\p{N}]/u.test(text)) return ''
  return text.replace(/,(?:\s*,)+/g, ',').replace(/[\s,]+$/, '')
}

/** `U+0301` */
const codeOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

function listed(found: readonly string[]): string {
  const each = [...new Set(found)]
  const more = each.length - MOST_NAMED
  return each.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function prints(cluster: string): boolean {
  const [letter = '', ...on] = cluster
  if (!PRINTED.test(letter)) return false
  if (on.length === 0) return true
  if (!LETTER.test(letter) || BARE.test(letter) || on.length > MOST_MARKS) return false
  return on.every(mark => MARKS.test(mark) && !UNPLACED.has(letter + mark))
}

/** A cluster as a message shows it: a mark without a letter on a dotted circle. */
function shown(cluster: string): string {
  const seen = cluster.trimStart()
  return `${/^\p{M}/u.test(seen) ? '\u25cc' : ''}${seen} (${Array.from(seen, codeOf).join(' ')})`
}

/**
 * Why a text cannot be a name or stand in a letter: characters that are not seen. Line ends are.
 * @param label what the text is, as its form names it
 */
export function unseenProblem(label: string, value: string): string | undefined {
  if (PLAIN.test(value)) return undefined
  const found = value.replace(/[\t\n\r]/g, ' ').match(UNSEEN)
  return found
    ? `${label} contains invisible characters: ${listed(found.map(codeOf))}. Please remove them.`
    : undefined
}

/**
 * Why a letter cannot print a text, in words that name the characters; undefined when it can. Line ends, and text that is
 * not composed, are fine.
 * @param label what the text is, as its form names it
 */
export function letterTextProblem(label: string, value: string): string | undefined {
  if (PLAIN.test(value)) return undefined
  const unseen = unseenProblem(label, value)
  if (unseen) return unseen
  const clusters = value.normalize('NFC').replace(BLANKS, ' ').match(CLUSTER) ?? []
  const found = clusters.filter(cluster => !prints(cluster))
  return found.length > 0
    ? `${label} contains characters the letter cannot print: ${listed(found.map(shown))}`
    : undefined
}

const LINK = /:\/\/|www\.|\bhttps?:/i

/** Why a name is refused that a mail program or a reader would take for a link. `Booking.com` is a name. */
export function linkProblem(label: string, value: string): string | undefined {
  return LINK.test(value.normalize('NFKC')) ? `${label} must not contain a web address.` : undefined
}

/** Everything that a name of a person or an organisation must be: seen, printable, and no link. */
export const nameProblem = (label: string, value: string): string | undefined =>
  letterTextProblem(label, value) ?? linkProblem(label, value)
