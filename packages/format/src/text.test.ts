import { expect, test } from 'vitest'
import { companyName, fullName, initials, truncate } from './text.ts'

test('truncates long text and adds an ellipsis', { tags: ['SPEC-9.9'] }, () => {
  expect(truncate('Verified certificate', 8)).toBe('Verified…')
  expect(truncate('Verified certificate', 9)).toBe('Verified…')
  expect(truncate('exact', 5)).toBe('exact')
})

test('never separates a tone mark from its vowel', () => {
  expect(truncate('ọ̀ọ̀ọ̀', 3)).toBe('ọ̀ọ̀ọ̀')
  expect(truncate('ọ̀ọ̀ọ̀', 2)).toBe('ọ̀ọ̀…')
})

test('returns up to two initials, skipping small words', () => {
  expect(initials('Adébáyọ̀ Ọláṣẹ́ńí')).toBe('AỌ')
  expect(initials('o\u0323\u0300la\u0301 (e\u0323ni)')).toBe('O\u0323\u0300E\u0323')
  expect(initials('University of Lagos')).toBe('UL')
  expect(initials('ada')).toBe('A')
  expect(initials('Tunde "Bello"')).toBe('TB')
  expect(initials('  ')).toBe('')
})

test('returns the part of an address before the first comma as the company', { tags: ['SPEC-1.7'] }, () => {
  expect(companyName(' Acme Ltd , 1 Broad Street, Lagos')).toBe('Acme Ltd')
  expect(companyName('Acme Ltd')).toBe('Acme Ltd')
  expect(companyName('')).toBe('')
})

test('joins the parts of a name, leaving out missing ones', () => {
  expect(fullName({ firstname: 'Ada', middlename: null, lastname: 'Obi' })).toBe('Ada Obi')
  expect(fullName({ firstname: 'Ada', middlename: 'Ngozi', lastname: 'Obi' })).toBe('Ada Ngozi Obi')
})
