import { expect, it } from 'vitest'
import { fold } from './folding.ts'

it.each([
  ['Adébáyọ̀ Ọláṣẹ́ńí', 'adebayo olaseni'],
  ['ADEBAYO', 'adebayo'],
  ['Ɗanladi Ƙofa', 'danladi kofa'],
  ['Große Øre', 'grosse ore'],
])('folds %s to %s', (text, folded) => expect(fold(text)).toBe(folded))
