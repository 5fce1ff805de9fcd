import { type Random, random } from '@portal/fixtures/random'
import { CsvReader, type CsvRecord } from '@portal/format/csv-reader'
import Papa from 'papaparse'
import { expect, it } from 'vitest'

/* Random files, well-formed and malformed. The number in a failure's message is the seed that makes the file again. */

const FILES = 3000
const SEPARATORS = [',', ';', '\t'] as const
const BREAKS = ['\n', '\r\n', '\r'] as const
const LETTERS = ['a', 'B', '7', ' ', 'Ọ́', 'ñ', '😀', '-', "'", '/']

interface Shape {
  separator: string
  lineBreak: (typeof BREAKS)[number]
  width: number
}

const shapeOf = (chance: Random): Shape => ({
  separator: chance.pick(SEPARATORS),
  lineBreak: chance.pick(BREAKS),
  width: chance.int(2, 8),
})

const headerOf = ({ width }: Shape) => Array.from({ length: width }, (_, at) => `column ${at}`)

const textOf = (chance: Random, alphabet: readonly string[]) =>
  Array.from({ length: chance.int(0, 6) }, () => chance.pick(alphabet)).join('')

function read(text: string, chance: Random): CsvRecord[] {
  const reader = new CsvReader()
  const records: CsvRecord[] = []
  const longest = chance.pick([1, 3, 20, 1000])
  for (let at = 0; at < text.length; ) {
    const size = chance.int(1, longest)
    records.push(...reader.push(text.slice(at, at + size)))
    at += size
  }
  return [...records, ...reader.end()]
}

/**
 * A row for a writer of CSV. One field of it may have lines; then no cell has separators, since lines of a field that
 * look like rows are refused (decision 060).
 */
function rowOf(chance: Random, { separator, width }: Shape): string[] {
  const hasLines = chance.chance(0.2)
  const alphabet = [...LETTERS, '"', ...(hasLines ? [] : SEPARATORS)]
  const row = Array.from({ length: width }, () => textOf(chance, alphabet))
  if (hasLines) row[chance.int(0, width - 1)] = textOf(chance, [...LETTERS, '"', ...BREAKS])
  return row.map(cell => (hasLines ? cell.replaceAll(separator, '') : cell))
}

it('reads well-formed files as papaparse does', () => {
  for (let seed = 0; seed < FILES; seed++) {
    const chance = random(seed)
    const shape = shapeOf(chance)
    const { separator: delimiter, lineBreak: newline } = shape
    const rows = Array.from({ length: chance.int(0, 12) }, () => rowOf(chance, shape))
    const quotes = chance.chance(0.3) || headerOf(shape).map(() => chance.chance(0.3))
    const text = Papa.unparse([headerOf(shape), ...rows], { delimiter, newline, quotes })
    const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline })
    expect(errors, `seed ${seed}`).toEqual([])
    const records = read(`${text}${chance.chance(0.5) ? newline : ''}`, chance)
    expect(
      records.map(record => record.cells),
      `seed ${seed}: ${JSON.stringify(text)}`,
    ).toEqual(data)
    expect(records.some(record => record.damaged)).toBe(false)
  }
})

/** A line as no writer of CSV makes it: quotation marks, separators and line breaks anywhere. */
const brokenLine = (chance: Random, { separator, lineBreak }: Shape) =>
  textOf(chance, [
    ...LETTERS,
    '"',
    '"',
    '""',
    separator,
    separator,
    `"${separator}"`,
    lineBreak,
    `"${lineBreak}`,
  ])

/** What must not get lost: all but quotation marks, line breaks, and blanks, which may follow a closing mark. */
const content = (text: string) => text.replace(/["\r\n ]/g, '')

it('loses no line of malformed files: each is in a row, or refused by its number', () => {
  let damaged = 0
  for (let seed = 0; seed < FILES; seed++) {
    const chance = random(seed)
    const shape = shapeOf(chance)
    const text = [
      headerOf(shape).join(shape.separator),
      ...Array.from({ length: chance.int(1, 12) }, () =>
        chance.chance(0.5)
          ? brokenLine(chance, shape)
          : headerOf(shape)
              .map(() => textOf(chance, LETTERS))
              .join(shape.separator),
      ),
    ].join(shape.lineBreak)
    const lines = text.split(/\r\n|\r|\n/)
    if (lines.at(-1) === '') lines.pop()
    const records = read(text, chance)
    const message = `seed ${seed}: ${JSON.stringify(text)}`

    expect(records[0]?.line, message).toBe(1)
    records.forEach((record, at) => {
      const next = records[at + 1]?.line ?? lines.length + 1
      const own = lines.slice(record.line - 1, next - 1)
      if (record.damaged) {
        damaged++
        expect([own.length, record.cells], message).toEqual([1, own])
      } else expect(content(record.cells.join(shape.separator)), message).toBe(content(own.join('')))
    })
    // With fewer columns a line of a quoted field cannot be told from a row.
    if (shape.width < 4) continue
    const byLine = new Map(records.map(record => [record.line, record]))
    lines.forEach((line, at) => {
      const cells = line.split(shape.separator)
      if (line.includes('"') || cells.length < shape.width) return
      expect(byLine.get(at + 1)?.cells, message).toEqual(cells)
    })
  }
  expect(damaged).toBeGreaterThan(1000)
})
