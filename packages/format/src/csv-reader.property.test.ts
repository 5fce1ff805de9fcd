import fc, { type GeneratorValue } from 'fast-check'
import Papa from 'papaparse'
import { expect, it } from 'vitest'
import { CsvReader, type CsvRecord } from './csv-reader.ts'

/*
 * Reads random files, well-formed and malformed, generated from a fixed seed. A failure reports the smallest file that fails.
 */

const RUNS = { numRuns: 1500, seed: 1 }
const SEPARATORS = [',', ';', '\t'] as const
const LINE_BREAKS = ['\n', '\r\n', '\r'] as const
const LETTERS = ['a', 'B', '7', ' ', 'Ọ́', 'ñ', '😀', '-', "'", '/']

interface Shape {
  separator: string
  lineBreak: (typeof LINE_BREAKS)[number]
  width: number
}

const shape: fc.Arbitrary<Shape> = fc.record({
  separator: fc.constantFrom(...SEPARATORS),
  lineBreak: fc.constantFrom(...LINE_BREAKS),
  width: fc.integer({ min: 2, max: 8 }),
})

const headerOf = ({ width }: Shape) => Array.from({ length: width }, (_, index) => `column ${index}`)

const textOf = (alphabet: readonly string[]) =>
  fc.array(fc.constantFrom(...alphabet), { maxLength: 6 }).map(parts => parts.join(''))

/** Maximum length in characters of the chunks in which a file is read. */
const maxChunkLength = fc.constantFrom(1, 3, 20, 1000)

function read(text: string, gen: GeneratorValue): CsvRecord[] {
  const reader = new CsvReader()
  const records: CsvRecord[] = []
  const max = gen(() => maxChunkLength)
  for (let position = 0; position < text.length; ) {
    const size = gen(fc.integer, { min: 1, max })
    records.push(...reader.push(text.slice(position, position + size)))
    position += size
  }
  return [...records, ...reader.end()]
}

/**
 * Generates a row for a CSV writer. If a field spans several lines, no cell in the row contains separators, because a line
 * inside a field that looks like a row would be rejected (decision 060).
 */
function rowOf({ separator, width }: Shape): fc.Arbitrary<string[]> {
  const cells = (alphabet: readonly string[]) =>
    fc.array(textOf(alphabet), { minLength: width, maxLength: width })
  const withLines = fc
    .tuple(cells([...LETTERS, '"']), fc.nat(width - 1), textOf([...LETTERS, '"', ...LINE_BREAKS]))
    .map(([row, column, lines]) => row.with(column, lines).map(cell => cell.replaceAll(separator, '')))
  return fc.oneof(
    { weight: 4, arbitrary: cells([...LETTERS, '"', ...SEPARATORS]) },
    { weight: 1, arbitrary: withLines },
  )
}

it('parses well-formed files like papaparse', { tags: ['DATA-19'] }, () => {
  const file = shape.chain(fileShape =>
    fc.record({
      shape: fc.constant(fileShape),
      rows: fc.array(rowOf(fileShape), { maxLength: 12 }),
      quotes: fc.array(fc.boolean(), { minLength: fileShape.width, maxLength: fileShape.width }),
      endsWithLineBreak: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(file, fc.gen(), ({ shape: fileShape, rows, quotes, endsWithLineBreak }, gen) => {
      const { separator: delimiter, lineBreak: newline } = fileShape
      const text = Papa.unparse([headerOf(fileShape), ...rows], { delimiter, newline, quotes })
      const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline })
      expect(errors).toEqual([])
      const records = read(`${text}${endsWithLineBreak ? newline : ''}`, gen)
      expect(records.map(record => record.cells)).toEqual(data)
      expect(records.some(record => record.damaged)).toBe(false)
    }),
    RUNS,
  )
})

/** Generates a malformed line, with quotation marks, separators and line breaks anywhere. */
const brokenLine = ({ separator, lineBreak }: Shape) =>
  textOf([...LETTERS, '"', '"', '""', separator, separator, `"${separator}"`, lineBreak, `"${lineBreak}`])

const plainLine = ({ separator, width }: Shape) =>
  fc.array(textOf(LETTERS), { minLength: width, maxLength: width }).map(cells => cells.join(separator))

/** Returns the content that reading must preserve: everything except quotation marks, line breaks and spaces. */
const significantText = (text: string) => text.replace(/["\r\n ]/g, '')

it('loses no lines of malformed files: each is either part of a row or rejected with its line number', {
  tags: ['DATA-19'],
}, () => {
  let damaged = 0
  const file = shape.chain(fileShape =>
    fc.record({
      shape: fc.constant(fileShape),
      rows: fc.array(fc.oneof(brokenLine(fileShape), plainLine(fileShape)), { minLength: 1, maxLength: 12 }),
    }),
  )
  fc.assert(
    fc.property(file, fc.gen(), ({ shape: fileShape, rows }, gen) => {
      const text = [headerOf(fileShape).join(fileShape.separator), ...rows].join(fileShape.lineBreak)
      const lines = text.split(/\r\n|\r|\n/)
      if (lines.at(-1) === '') lines.pop()
      const records = read(text, gen)

      expect(records[0]?.line).toBe(1)
      records.forEach((record, index) => {
        const next = records[index + 1]?.line ?? lines.length + 1
        const recordLines = lines.slice(record.line - 1, next - 1)
        if (record.damaged) {
          damaged++
          expect([recordLines.length, record.cells]).toEqual([1, recordLines])
        } else
          expect(significantText(record.cells.join(fileShape.separator))).toBe(
            significantText(recordLines.join('')),
          )
      })
      // With fewer columns, a line within a quoted field cannot be told apart from a row.
      if (fileShape.width < 4) return
      const byLine = new Map(records.map(record => [record.line, record]))
      lines.forEach((line, index) => {
        const cells = line.split(fileShape.separator)
        if (line.includes('"') || cells.length < fileShape.width) return
        expect(byLine.get(index + 1)?.cells).toEqual(cells)
      })
    }),
    RUNS,
  )
  expect(damaged).toBeGreaterThan(500)
})
