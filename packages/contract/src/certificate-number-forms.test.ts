import { expect, test } from 'vitest'
import { otherForms, separatorWarning } from './certificate-number-forms.ts'

test('lists the other ways to write a number, those with uniform separators first', () => {
  expect(otherForms('UG/2019/90003')).toEqual([
    'UG-2019-90003',
    'UG201990003',
    'UG/2019-90003',
    'UG-2019/90003',
  ])
  expect(otherForms('AB-12345')).toEqual(['AB/12345', 'AB12345'])
})

test('lists, for each form with slashes or dashes, all the other forms with slashes or dashes', () => {
  const forms = ['UG/2019/90003', 'UG-2019-90003', 'UG-2019/90003', 'UG/2019-90003']
  for (const form of forms)
    for (const expected of forms.filter(item => item !== form)) expect(otherForms(form)).toContain(expected)
})

test('lists only uniform separators for a number with many parts, and nothing for a number without separators', () => {
  expect(otherForms('A/1/2/3/4/5/6/789')).toEqual(['A-1-2-3-4-5-6-789', 'A123456789'])
  for (const number of ['UG201990003', 'a/b', '']) expect(otherForms(number)).toEqual([])
})

test('warns about a number that is on record with other separators or is not in the standard form', () => {
  expect(separatorWarning('UG-2019-90003', 'UG/2019/90003')).toContain('On record as UG/2019/90003')
  expect(separatorWarning('UG-2019-90003', undefined)).toContain('Usually printed as UG/2019/90003')
  for (const number of ['UG/2019/90003', 'AB-12345'])
    expect(separatorWarning(number, undefined)).toBeUndefined()
})
