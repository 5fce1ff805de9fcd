import { fold } from '@portal/format/folding'
import { expect, it } from 'vitest'
import { parseSearch, toSearchText } from './search.ts'

it('matches all words in any order, without regard to case and diacritics', () => {
  expect(parseSearch('  Ọláṣẹ́ńí   ADEBAYO ')).toEqual({
    kind: 'match',
    expression: '"olaseni" AND "adebayo"',
  })
})

it('searches for the whole text if a word is too short for the index', () => {
  expect(parseSearch('B.A. of Law')).toEqual({ kind: 'match', expression: '"b.a. of law"' })
})

it('treats search operators as ordinary text', () => {
  expect(parseSearch('a"b" OR NEAR(x)*')).toMatchObject({ expression: '"a""b"" or near(x)*"' })
})

it('text in the format of a number matches numbers first', () => {
  expect(parseSearch('ug/2019/001')).toMatchObject({
    number: { from: 'UG/2019/001' },
    expression: '"ug/2019/001"',
  })
  expect(parseSearch('2019/001')).not.toHaveProperty('number')
  expect(parseSearch('law/ethics')).not.toHaveProperty('number')
})

it('matches fewer than three characters at the start of a number, and everything for a blank search', () => {
  expect(parseSearch('ug')).toEqual({ kind: 'prefix', from: 'UG', before: 'UG\u{10ffff}' })
  expect(parseSearch(' ')).toEqual({ kind: 'all' })
})

it('folding number, name and course one by one gives the same result as folding the whole text', () => {
  const names = [
    'ADÉBÁYỌ̀ Ọláṣẹ́ńí',
    'Nguyễn  Văn\nA',
    ' \u0301a ΟΔΟΣ Σ',
    'İpek Straße',
    'Ada Obi',
    '\u00a0ɓala',
  ]
  for (const name of [...names, ...names])
    expect(toSearchText('UG/É/1', name, 'Law & Æsthetics')).toBe(
      fold(['UG/É/1', name.replaceAll('\n', ' '), 'Law & Æsthetics'].join('\n')),
    )
})
