import { expect, test } from 'vitest'
import { isCertificateNumber, normaliseCertificateNumber, normaliseSearch } from './certificate-number.ts'
import { suggestCertificateNumber } from './certificate-number-suggestion.ts'

const NUMBER = 'UG/2019/00123'

test.each([
  ['lower case', 'ug/2019/00123'],
  ['spaces at both ends', ' \t UG/2019/00123 \r\n'],
  ['a no-break space', '\u00a0UG/2019/00123\u202f'],
  ['spaces around slashes', 'UG / 2019 /\u00a000123'],
  ['line breaks around slashes', 'UG/\n2019\r\n/00123'],
  ['zero-width characters', '\u200bUG/\u200d2019/\ufeff00\u2060123\u200c'],
  ['bidi controls', '\u202aUG/\u200e2019/\u206800123\u2069\u202c\u061c'],
  ['soft hyphens', 'UG/20\u00ad19/00123'],
  ['variation selectors', 'UG/2019/00123\ufe0f'],
  ['full-width letters, digits and slashes', 'ＵＧ／２０１９／００１２３'],
  ['mathematical digits', 'UG/𝟐𝟎𝟏𝟗/𝟎𝟎𝟏𝟐𝟑'],
  ['a fraction slash', 'UG\u20442019\u204400123'],
  ['a division slash', 'UG\u22152019\u221500123'],
  ['backslashes', 'UG\\2019\\00123'],
  ['full-width backslashes', 'UG＼2019＼00123'],
  ['repeated slashes', 'UG//2019/ / /00123'],
  ['a full stop', 'UG/2019/00123.'],
  ['a comma and a space', 'UG/2019/00123, '],
  ['a semicolon', 'UG/2019/00123;'],
  ['quotes', '"UG/2019/00123"'],
  ['typographic quotes and a full stop', '“UG/2019/00123.”'],
  ['the apostrophe with which spreadsheets mark text', "'UG/2019/00123"],
])('normalises %s', (_, typed) => expect(normaliseCertificateNumber(typed)).toBe(NUMBER))

test.each(['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\ufe63', '\uff0d'])(
  'reads the dash %s as a hyphen',
  dash => expect(normaliseCertificateNumber(`ug/cs${dash}00123`)).toBe('UG/CS-00123'),
)

test.each([
  ['spaces instead of slashes', 'UG 2019 00123'],
  ['a space inside a part', 'UG/2019/00 123'],
  ['a range', 'UG/2019/00123 - 00125'],
  ['two numbers', 'UG/2019/00123 / PG/2020/00001'],
  ['a footnote', 'UG/2019/00123²'],
  ['a vulgar fraction', 'UG/2019/00123½'],
  ['a circled digit', 'UG/2019/0012③'],
  ['a Roman numeral', 'UG/2019/Ⅷ00123'],
  ['a number cut off with three dots', 'UG/2019/001...'],
  ['a number cut off with an ellipsis character', 'UG/2019/001…'],
  ['a sharp s', 'UG/2019/ß00123'],
  ['a dotless i', 'UG/2019/ı00123'],
  ['Cyrillic letters', 'UG/2019/ОО123'],
  ['Arabic digits', 'UG/٢٠١٩/00123'],
  ['an accent', 'ÚG/2019/00123'],
])('does not turn %s into a valid number', (_, typed) => {
  expect(isCertificateNumber(normaliseCertificateNumber(typed))).toBe(false)
})

test.each([
  'UG-2019-00123',
  'UG–2019–00123',
  'UG 2019 00123',
  'UG2019 00123',
  'UG201900123',
  'UG2019/00123',
  'UG/201900123',
  'UG/2019-00123',
  'UG/2019/00 123',
  'UG 2019 00 123',
  'UG.2019.00123',
  'UG_2019_00123',
  'UG:2019:00123',
  'UG/2O19/OO123',
  'ug/2o19/oo123',
  'UG/20l9/00I23',
  'UG2OI9OOI23',
  'UG/UG/2019/00123',
  'UGUG/2019/00123',
  'UG-UG-2019-00123',
  'UG/2019/00123/',
  '/UG/2019/00123',
  'UG/2019/ОО123',
  'Certificate No: UG/2019/00123',
  '1. UG/2019/00123',
  'UG/2019/00123 Ada Obi',
  'UG/2019/00123 (copy)',
])('suggests UG/2019/00123 for %s', typed => {
  expect(suggestCertificateNumber(typed)).toBe(NUMBER)
})

test.each([
  ['CCED-ABC-2020-001', 'CCED/ABC/2020/001'],
  ['HND 123', 'HND/123'],
  ['PG-12-345', 'PG/12/345'],
  ['CCED/2018/OOI', 'CCED/2018/001'],
  ['UG/2019/CSC 00123', 'UG/2019/CSC/00123'],
])('suggests for %s the number %s', (typed, suggestion) =>
  expect(suggestCertificateNumber(typed)).toBe(suggestion),
)

test.each([
  NUMBER,
  'PG/12/345',
  'CCED/ABC/2020/001',
  'HND/123',
  'UG/L100/2019/00123',
  'UG/OIL/2019/00123',
  'UG/2019/CSC-00123',
  'UG/2019/00123-00125',
  'UG-2019-00123-00125',
  'UG/2019/00123 / PG/2020/00001',
  'AB123',
  'A-B/C',
  '12345',
  'B.SC 2019',
  'Ada Obi',
  'UG',
  '',
  'UG/2019/001...x',
  'UG/2019/'.repeat(30),
])('suggests nothing for %s', typed => expect(suggestCertificateNumber(typed)).toBeUndefined())

/** Creates a seeded generator of random numbers, so that failures can be reproduced. */
function createRandom(seed: number) {
  let state = seed
  return (max: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * max)
  }
}

const pick = <T>(values: readonly T[], random: (max: number) => number): T => {
  const value = values[random(values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

function makeCanonicalNumber(random: (max: number) => number): string {
  const digits = (count: number) => Array.from({ length: count }, () => random(10)).join('')
  const middle = pick([[], [String(1950 + random(100))], ['CSC', '2019'], ['A1-B', '12']], random)
  return [pick(['UG', 'PG', 'CCED', 'HND'], random), ...middle, digits(3 + random(5))].join('/')
}

const UNUSUAL_CHARACTERS = [
  ...' \t\n\u00a0/\\.,;\'"“-–—−_:0Ol1IuGgß²½…',
  '\u200b',
  '\u202e',
  '\u00ad',
  '／',
  '１',
  'Ａ',
  'О',
  '\0',
  '\ud800',
]

test('normalises every way of typing a canonical number to that number', () => {
  const random = createRandom(62)
  for (let round = 0; round < 3000; round++) {
    const number = makeCanonicalNumber(random)
    expect(isCertificateNumber(number)).toBe(true)
    expect(normaliseCertificateNumber(number)).toBe(number)
    const decorated = [...number]
      .map(item => (item === '/' ? pick(['/', ' / ', '\\', '\u2044', '／', '/\u00a0', '//'], random) : item))
      .map(item => pick([item, item.toLowerCase(), `${item}\u200b`, `\u00ad${item}`], random))
      .join('')
    expect(
      normaliseCertificateNumber(
        `${pick(['', ' ', '"'], random)}${decorated}${pick(['', '.', ';\n'], random)}`,
      ),
    ).toBe(number)
  }
})

test('normalising is idempotent, and suggestions are canonical', () => {
  const random = createRandom(17)
  for (let round = 0; round < 20_000; round++) {
    const base = pick(['', makeCanonicalNumber(random), 'UG-2019-00123'], random)
    const inserted = Array.from({ length: random(6) }, () => pick(UNUSUAL_CHARACTERS, random))
    const position = random(base.length + 1)
    const typed = base.slice(0, position) + inserted.join('') + base.slice(position)
    const number = normaliseCertificateNumber(typed)
    expect(normaliseCertificateNumber(number), JSON.stringify(typed)).toBe(number)
    expect(normaliseSearch(normaliseSearch(typed)), JSON.stringify(typed)).toBe(normaliseSearch(typed))
    const suggestion = suggestCertificateNumber(typed)
    if (suggestion === undefined) continue
    expect(suggestion).not.toBe(number)
    expect(isCertificateNumber(suggestion)).toBe(true)
    expect(normaliseCertificateNumber(suggestion)).toBe(suggestion)
    expect(suggestCertificateNumber(suggestion), JSON.stringify(typed)).toBeUndefined()
  }
})

test('suggestions depend only on the input, not on existing numbers', {
  tags: ['DATA-25'],
}, () => {
  const random = createRandom(5)
  for (let round = 0; round < 1000; round++) {
    const serial = String(random(100_000)).padStart(5, '0')
    expect(suggestCertificateNumber(`UG-2019-${serial}`)).toBe(`UG/2019/${serial}`)
  }
})

test('leaves text that is too long for a number unchanged', () => {
  for (const text of ['x '.repeat(300), `UG${'/ '.repeat(100_000)}`, `${'. '.repeat(100_000)}x`]) {
    expect(normaliseCertificateNumber(text)).toBe(text)
    expect(suggestCertificateNumber(text)).toBeUndefined()
  }
})

test.each([
  [' ug / 2019 ', 'UG/2019'],
  ['UG\\2019\\00123.', NUMBER],
  ['ug\u200b/2019', 'UG/2019'],
  ['Adébáyọ̀ Ọláṣẹ́ńí', 'Adébáyọ̀ Ọláṣẹ́ńí'],
  ['B.Sc. Physics / Mathematics', 'B.Sc. Physics / Mathematics'],
  ['  Ada  ', 'Ada'],
  ['ada@demo.test', 'ada@demo.test'],
])('normalises the search term %s to %s', (typed, text) => expect(normaliseSearch(typed)).toBe(text))
