import { demoInstitution } from '@portal/fixtures/institution'
import { buildLetter } from '@portal/letter/model'
import { expect, it } from 'vitest'
import { completeInstitution, completeLetter } from './complete-settings.ts'
import { toInstitutionValues } from './institution-form.ts'

it('leaves a field blank if the server does not send it', () => {
  const { name, ...rest } = toInstitutionValues(completeInstitution({ name: 'Hope' }))
  expect(name).toBe('Hope')
  expect(new Set(Object.values(rest))).toEqual(new Set(['']))
})

it('keeps the values that the server sends', () => {
  const settings = {
    ...demoInstitution,
    accent: '#7a1f3d',
    bank_details: ['Demo Bank'],
    updated_at: null,
    version: 3,
  }
  expect(completeInstitution(settings)).toEqual(settings)
})

it('builds a letter from an empty response', () => {
  const { subject, opening, closing, thanks, updated_at: _, version: __, ...signature } = completeLetter({})
  const letter = buildLetter({
    institution: completeInstitution({}),
    signature,
    texts: { subject, opening, closing, thanks },
    letterHolder: { name: 'Hope', address: 'Hope, Ibadan' },
    certificate: {
      certificate_number: 'UG/2019/00123',
      student_name: 'Ada Obi',
      course: 'B.Sc. Physics',
      grade: 'Pass',
      graduation_date: '2019-01-01',
    },
    refNumber: 'R/1',
    issuedAt: new Date('2020-01-01T00:00:00Z'),
  })
  expect(letter.subject).toBe('')
})
