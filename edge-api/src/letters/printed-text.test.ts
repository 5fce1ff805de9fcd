import { marks, printed } from '@portal/contract/letter-coverage'
import { letterTextProblem } from '@portal/contract/printable-text'
import { makeSampler } from '@portal/fixtures/exhaustive'
import { buildLetter } from '@portal/letter/model'
import { buildLetterPdf } from '@portal/letter/pdf'
import { describe, expect, test } from 'vitest'
import { hasTool, measureInk, renderGreyPicture, runTool } from '../../test/letter-files.ts'

/* Checks the text that poppler extracts from a letter and the ink that it draws, for every script in the coverage table. */

/** A character that no typeface has. Its cell shows what the letter draws for missing characters. */
const UNASSIGNED = '\u0378'
/** Number of cells per letter: as many as fit at a readable type size. */
const CELLS = 80
const DPI = 200
/** Minimum ink of a character in pixels: a full stop has about 13, and the dot over an i about 8. */
const MIN_INK = 3

const certificate = {
  certificate_number: 'UG/2019/00123',
  student_name: 'Ada Obi',
  course: 'B.Sc. Botany',
  grade: 'Pass',
  graduation_date: '2019-07-31',
}

async function pdfWith(change: { name?: string; degree?: string; company?: string; opening?: string }) {
  const template = buildLetter({
    institution: { name: 'University', address: 'Senate House', logo: null },
    letterHolder: { name: 'Ngozi Okafor', address: 'Zenith Talent Ltd, Lagos' },
    certificate: {
      ...certificate,
      ...(change.name !== undefined && { student_name: change.name }),
      ...(change.degree !== undefined && { course: change.degree }),
    },
    refNumber: 'CV/2026/7M2K9QXA',
    issuedAt: new Date('2026-01-31T12:00:00Z'),
    signature: {
      name: 'Dr. Balogun',
      title: 'Deputy Registrar',
      for: 'Registrar',
      email: 'registrar@example.test',
      signature_image: null,
      stamp_image: null,
    },
  })
  const code = 'ABCDEFGHJKMN'
  const { bytes } = await buildLetterPdf({
    template: {
      ...template,
      ...(change.company !== undefined && { recipient: { company: change.company, address: [] } }),
      content: { ...template.content, ...(change.opening !== undefined && { opening: change.opening }) },
    },
    letter: {
      code,
      url: `https://x.test/letters/${code}`,
      status: 'valid',
    },
    issuedAt: new Date('2026-01-31T12:00:00Z'),
    images: { logo: null, signature: null, stamp: null },
    credential: 'a.b.c',
    signedAt: new Date('2026-01-31T12:00:00Z'),
  })
  return bytes
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" }

/** Returns the words of a PDF with their boxes in points from the top left corner, in reading order. */
function readWords(pdf: Uint8Array) {
  const { output } = runTool('pdftotext', ['-bbox', '{}', '-'], pdf)
  const word = /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/g
  return [...output.matchAll(word)].map(([, left, top, right, bottom, text = '']) => ({
    text: text.replace(/&(#?\w+);/g, (_, name: string) => entities[name] ?? '?'),
    box: { left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom) },
  }))
}

/**
 * Draws each text between two bars, with an unassigned character after every tenth text, and reads the texts back. The bars
 * define the cells: the box that poppler reports for a letter with marks does not include all its glyphs.
 * @returns the text and the ink of each cell, in order
 */
async function cellsOf(texts: readonly string[], part: 'company' | 'opening') {
  const cells = texts.flatMap((text, index) => (index % 10 === 9 ? [text, UNASSIGNED] : [text]))
  const pdf = await pdfWith({
    [part]: ['Begin', ...[...cells, UNASSIGNED].map(item => `| ${item}`), '|', 'End'].join(' '),
  })
  const words = readWords(pdf)
  const from = words.findIndex(({ text }) => text === 'Begin') + 1
  const until = words.findIndex(({ text }, index) => index >= from && text === 'End')
  const picture = renderGreyPicture(pdf, DPI)
  return words.slice(from, until).flatMap(({ text, box }, index, all) => {
    if (index % 2 === 0) return []
    // A cell at the start or end of a line has no bar on that side, and no other cell either.
    const [before, after] = [all[index - 1]?.box ?? box, all[index + 1]?.box ?? box]
    const middle = (box.top + box.bottom) / 2
    const isNextTo = (bar: typeof box) => bar.top < middle && middle < bar.bottom
    const bar = isNextTo(before) ? before : after
    const left = isNextTo(before) ? before.right : 0
    const right = isNextTo(after) ? after.left : bar.right + 600
    return [{ text, ...measureInk(picture, { top: bar.top, bottom: bar.bottom, left, right }, DPI) }]
  })
}

const charactersOf = (ranges: string) =>
  ranges.split(' ').map(range => {
    const [from = 0, to = from] = range.split('-').map(end => Number.parseInt(end, 16))
    return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))
  })
/** Splits texts into chunks of one letter each; `npm test` gets every third chunk. */
function splitIntoChunks<T>(all: readonly T[]): T[][] {
  const isSampled = makeSampler(3)
  return Array.from({ length: Math.ceil(all.length / CELLS) }, (_, index) =>
    all.slice(index * CELLS, (index + 1) * CELLS),
  ).filter((_, index) => isSampled(index))
}

/** Returns the code points of a text, so that a failure shows which characters differ. */
const codePoints = (text: string) => Array.from(text, item => item.codePointAt(0)?.toString(16)).join('+')

const names = [
  ['Yoruba', 'Adébáyọ̀ Ọláṣẹ́ńí ẹ̀gbẹ́ m̀bá'],
  ['Igbo', 'Ọnụ́ọha Ịfẹ́ọma ị́kwụ̀ ṅụ́ọ'],
  ['Hausa', 'Ɗanladi Ƙaura Ƴaƴa ɓauna Yar’adua'],
  ['Akan', 'Ɔ́sɛ̀i Ɛ̃hyɛ́ Kɔ̀fí'],
  ['Vietnamese', 'Nguyễn Thị Hạnh Đặng Ường'],
  ['Greek', 'Ελένη Παπαδοπούλου Άννα Ϊωάννου'],
  ['Cyrillic', 'Жуков Артём Йосиф Ёлкин Ї́ѓа́'],
] as const

const letters = ['o', 'E', 'ɛ', 'Ɔ', 'ı', 'ŋ', 'ə', 'ω', 'Κ', 'и', 'Ж']
const characters = charactersOf(printed).flatMap(range => range.filter(item => item.trim() !== ''))
const markedLetters = charactersOf(marks).flatMap(range =>
  range.flatMap(mark =>
    letters
      .filter(letter => letterTextProblem('x', letter + mark) === undefined)
      .map(letter => letter + mark),
  ),
)

describe.skipIf(!hasTool('pdftotext', '-v') || !hasTool('pdftoppm', '-v'))('poppler', () => {
  test.each(names)(
    'extracts names in %s as they were entered, composed or not',
    { tags: ['DATA-27'] },
    async (_, name) => {
      const composed = name.normalize('NFC')
      for (const form of ['NFC', 'NFD'] as const) {
        const entered = name.normalize(form)
        const pdf = await pdfWith({ name: entered, degree: entered, opening: `Begin ${entered} End` })
        const words = readWords(pdf).map(({ text }) => text)
        const until = words.indexOf('End')
        expect(words.slice(words.indexOf('Begin') + 1, until).map(codePoints)).toEqual(
          composed.split(' ').map(codePoints),
        )
        // The table shows each name in bold and in regular type, and the subject shows it in capitals.
        for (const word of composed.split(' ')) expect(words.filter(item => item === word)).toHaveLength(3)
        for (const word of composed.toUpperCase().normalize('NFC').split(' ')) expect(words).toContain(word)
      }
    },
  )

  test.each(['opening', 'company'] as const)(
    'draws every character in the coverage table, in the %s of the letter',
    { tags: ['DATA-27'] },
    async part => {
      for (const texts of splitIntoChunks(characters)) {
        const cells = await cellsOf(texts, part)
        const drawnCells = cells.filter(({ text }) => text !== UNASSIGNED)
        expect(drawnCells.map(({ text }) => codePoints(text))).toEqual(texts.map(codePoints))
        expect(drawnCells.filter(({ ink }) => ink < MIN_INK)).toEqual([])
        // The letter draws nothing for a missing character, so poppler reports no box for it.
        const missingCells = cells.filter(({ text }) => text === UNASSIGNED)
        expect(missingCells.length).toBeGreaterThan(texts.length / 10)
        expect(missingCells.filter(({ ink }) => ink > 0)).toEqual([])
      }
    },
  )

  test.each(['opening', 'company'] as const)(
    'draws every mark on letters of each script, in the %s of the letter',
    { tags: ['DATA-27'] },
    async part => {
      const unmarked = new Map((await cellsOf(letters, part)).map(cell => [cell.text, cell]))
      for (const texts of splitIntoChunks(markedLetters)) {
        const composed = (
          await cellsOf(
            texts.map(text => text.normalize('NFC')),
            part,
          )
        ).filter(({ text }) => text !== UNASSIGNED)
        expect(composed.map(({ text }) => codePoints(text))).toEqual(
          texts.map(text => codePoints(text.normalize('NFC'))),
        )
        // A mark makes the letter taller, or adds ink where it is next to a descender. The comparison allows for a different
        // typeface, which may draw the letter itself thinner.
        const cellsWithoutMark = composed.filter(({ ink, rows }, index) => {
          const letter = unmarked.get(texts[index]?.[0] ?? '')
          return !letter || (rows < letter.rows + 2 && ink < letter.ink + MIN_INK)
        })
        expect(cellsWithoutMark).toEqual([])
        const decomposedCells = await cellsOf(
          texts.map(text => text.normalize('NFD')),
          part,
        )
        expect(decomposedCells.filter(({ text }) => text !== UNASSIGNED)).toEqual(composed)
      }
    },
  )
})
