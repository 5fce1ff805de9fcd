import { expect, it } from 'vitest'
import { fold } from './folding.ts'

it.each([
  ['Adébáyọ̀ Ọláṣẹ́ńí', 'adebayo olaseni'],
  ['ADEBAYO', 'adebayo'],
  ['Ɗanladi Ƙofa', 'danladi kofa'],
  ['Große Øre', 'grosse ore'],
])('%s is searched as %s', (text, folded) => expect(fold(text)).toBe(folded))
