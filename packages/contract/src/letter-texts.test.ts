import { describe, expect, it, test } from 'vitest'
import { letterUpdate } from './admin-settings.ts'
import { defaultLetterTexts, fillPlaceholders, placeholderProblem, placeholdersIn } from './letter-texts.ts'

const values = {
  holder: 'Zenith Talent',
  number: 'UG/2019/00123',
  student: 'Adébáyọ̀ Ọláṣẹ́ńí',
  institution: 'University of Ilé-Ifẹ̀',
  course: 'B.Sc. Economics',
  grade: 'Pass',
  date: 'July 31, 2019',
}

describe('placeholders', () => {
  it('are filled in, in capitals if the placeholder is in capitals', () => {
    expect(fillPlaceholders('{STUDENT} ({number}), {student}', values)).toBe(
      'ADÉBÁYỌ̀ ỌLÁṢẸ́ŃÍ (UG/2019/00123), Adébáyọ̀ Ọláṣẹ́ńí',
    )
  })

  it('are not filled in inside values', () => {
    expect(fillPlaceholders('{student} {course}', { ...values, student: '{course} $& {grade}' })).toBe(
      '{course} $& {grade} B.Sc. Economics',
    )
  })

  test.each([
    ['{number} and {student}', undefined],
    ['no placeholder at all', undefined],
    ['{name}', '{name} is not a known placeholder.'],
    ['{Number}', '{Number} is not a known placeholder.'],
    ['{}', '{} is not a known placeholder.'],
    ['{constructor}', '{constructor} is not a known placeholder.'],
    ['{number', 'A brace is not closed or not opened.'],
    ['{{number}}', 'A brace is not closed or not opened.'],
  ])('are checked in %j, with the problem %s', (text, problem) => {
    if (problem === undefined) expect(placeholderProblem(text)).toBeUndefined()
    else expect(placeholderProblem(text)).toContain(problem)
  })

  it('are found in lower case and in capitals', () => {
    expect(placeholdersIn(['{STUDENT}', 'x {number} {oops}'])).toEqual(new Set(['student', 'number']))
  })
})

it('the default texts are valid', () => {
  const signatory = { name: 'A. Bello', title: 'Registrar', for: '', email: 'a@b.test' }
  expect(letterUpdate.parse({ ...signatory, ...defaultLetterTexts })).toEqual({
    ...signatory,
    ...defaultLetterTexts,
  })
})
