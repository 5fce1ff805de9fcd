import { demoInstitution } from '@portal/fixtures/institution'
import { expect, it, test } from 'vitest'
import { institutionForm, toInstitutionValues } from './institution-form.ts'

const { logo: _, ...profile } = demoInstitution
const values = toInstitutionValues({
  ...demoInstitution,
  accent: null,
  bank_details: [],
  updated_at: null,
  version: 1,
})

it('sends unchanged values exactly as they were stored', () => {
  expect(institutionForm.parse(values)).toEqual({ ...profile, accent: null, bank_details: [] })
})

test.each([
  [{ phone_1: '', phone_2: '' }, { support_phones: [] }],
  [{ phone_1: ' ', phone_2: '08012345678' }, { support_phones: ['08012345678'] }],
  [{ accent: ' #7A1F3D ' }, { accent: '#7a1f3d' }],
  [{ accent: '' }, { accent: null }],
  [{ bank_details: ' Demo Bank \r\n\n0000012345\n' }, { bank_details: ['Demo Bank', '0000012345'] }],
])('converts %j to %j', (typed, sent) => {
  expect(institutionForm.parse({ ...values, ...typed })).toMatchObject(sent)
})

test.each([
  [{ phone_2: '12' }, 'phone_2', 'Please enter a valid phone number'],
  [{ accent: 'green' }, 'accent', 'Please enter a colour as #RRGGBB, for example #0E5B3F.'],
  [{ bank_details: 'a line\n'.repeat(7) }, 'bank_details', 'Please enter at most six lines.'],
  [{ name: '' }, 'name', 'Institution name is required'],
])('rejects %j with an error at the field %s', (typed, field, message) => {
  expect(institutionForm.safeParse({ ...values, ...typed }).error?.issues).toMatchObject([
    { path: [field], message },
  ])
})
