import { expect, test } from 'vitest'
import { newRowWarning, unusualGrade } from './upload-warnings.ts'

test('warns of a number with other separators, of a new grade, or of both', () => {
  const usual = { onRecord: undefined, newGrade: null }
  expect(newRowWarning('UG/2019/90003', usual)).toBeUndefined()
  const grade = unusualGrade('Frist Class')
  expect(newRowWarning('UG/2019/90003', { ...usual, newGrade: 'Frist Class' })).toBe(grade)
  const both = newRowWarning('UG-2019-90003', { onRecord: 'UG/2019/90003', newGrade: 'Frist Class' })
  expect(both).toMatch(/^On record as UG\/2019\/90003, /)
  expect(both?.endsWith(` ${grade}`)).toBe(true)
})
