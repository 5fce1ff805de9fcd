import { expect, test } from 'vitest'
import { otherForms, separatorWarning } from './certificate-number-forms.ts'

test('lists the same parts with other separators, uniform separators first', () => {
  expect(otherForms('UG/2019/90003')).toEqual([
    'UG-2019-90003',
    'UG201990003',
    'UG/2019-90003',
    'UG-2019/90003',
  ])
  expect(otherForms('AB-12345')).toEqual(['AB/12345', 'AB12345'])
})

test('is symmetric between slashes and dashes', () => {
  const forms = ['UG/2019/90003', 'UG-2019-90003', 'UG-2019/90003', 'UG/2019-90003']
  for (const one of forms)
    for (const other of forms.filter(each => each !== one)) expect(otherForms(one)).toContain(other)
})

test('limits the forms of numbers with many parts and returns none for numbers without separators', () => {
  expect(otherForms('A/1/2/3/4/5/6/789')).toEqual(['A-1-2-3-4-5-6-789', 'A123456789'])
  for (const number of ['UG201990003', 'a/b', '']) expect(otherForms(number)).toEqual([])
})

test('warns about a number that exists with other separators or differs from the standard form', () => {
  expect(separatorWarning('UG-2019-90003', 'UG/2019/90003')).toContain('On record as UG/2019/90003')
  expect(separatorWarning('UG-2019-90003', undefined)).toContain('Usually printed as UG/2019/90003')
  for (const number of ['UG/2019/90003', 'AB-12345'])
    expect(separatorWarning(number, undefined)).toBeUndefined()
})
