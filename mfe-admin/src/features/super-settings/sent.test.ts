import { demoInstitution } from '@portal/fixtures/institution'
import { buildLetter } from '@portal/letter/model'
import { expect, it } from 'vitest'
import { institutionValues } from './institution-form.ts'
import { institutionSent, letterSent } from './sent.ts'

it('leaves a field blank that the server does not send', () => {
  const { name, ...rest } = institutionValues(institutionSent({ name: 'Hope' }))
  expect(name).toBe('Hope')
  expect(new Set(Object.values(rest))).toEqual(new Set(['']))
})

it('keeps what the server sends', () => {
  const settings = { ...demoInstitution, accent: '#7a1f3d', updated_at: null }
  expect(institutionSent(settings)).toEqual(settings)
})

it('draws a letter of nothing at all', () => {
  const { subject, opening, closing, thanks, updated_at: _, ...signature } = letterSent({})
  const letter = buildLetter({
    institution: institutionSent({}),
    signature,
    texts: { subject, opening, closing, thanks },
    holder: { name: 'Hope', address: 'Hope, Ibadan' },
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
