import { expect, test } from 'vitest'
import { newRowWarning, unusualGradeWarning } from './upload-warnings.ts'

test('warns about a number that is on record with other separators, about a new grade, or about both', () => {
  const usual = { onRecord: undefined, newGrade: null }
  expect(newRowWarning('UG/2019/90003', usual)).toBeUndefined()
  const gradeWarning = unusualGradeWarning('Frist Class')
  expect(newRowWarning('UG/2019/90003', { ...usual, newGrade: 'Frist Class' })).toBe(gradeWarning)
  const both = newRowWarning('UG-2019-90003', { onRecord: 'UG/2019/90003', newGrade: 'Frist Class' })
  expect(both).toMatch(/^On record as UG\/2019\/90003, /)
  expect(both?.endsWith(` ${gradeWarning}`)).toBe(true)
})
