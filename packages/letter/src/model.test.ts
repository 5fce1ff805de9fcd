import { verificationTemplate } from '@portal/contract/letter'
import { expect, test } from 'vitest'
import { groupLetterCode, typedAddress } from './code.ts'
import { buildLetter, type LetterInput } from './model.ts'
import { splitAddress } from './recipient.ts'

const input: LetterInput = {
  institution: { name: 'University of Ilé-Ifẹ̀', address: 'Road 1, Ifẹ̀', logo: null },
  letterHolder: {
    name: 'Ngozi  Okafor',
    address: 'Zenith Talent Ltd, 12 Marina Road, Lagos Island, Lagos, Nigeria',
  },
  certificate: {
    certificate_number: 'UG/2019/00123',
    student_name: ' Adébáyọ̀  Ọláṣẹ́ńí ',
    course: 'B.Sc. Computer Science',
    grade: 'Second Class Honours (Upper Division)',
    graduation_date: '2019-07-31',
  },
  refNumber: 'CV/2026/000001',
  issuedAt: new Date('2026-01-31T23:59:00Z'),
  signature: {
    name: 'A. Bello',
    title: 'Deputy Registrar',
    for: 'Registrar',
    email: 'records@example.edu.ng',
    signature_image: null,
    stamp_image: null,
  },
}

test('addresses the letter to the company and contains the register’s data', {
  tags: ['SPEC-1.7', 'SPEC-2.22', 'SPEC-3.6'],
}, () => {
  const letter = buildLetter(input)
  expect(verificationTemplate.parse(letter)).toEqual(letter)
  expect(letter.recipient).toEqual({
    company: 'Zenith Talent Ltd',
    address: ['12 Marina Road', 'Lagos Island', 'Lagos', 'Nigeria'],
  })
  expect(letter.subject).toBe('VERIFICATION OF CERTIFICATE: ADÉBÁYỌ̀ ỌLÁṢẸ́ŃÍ (UG/2019/00123)')
  expect(letter.content.opening).toContain('Ngozi Okafor')
  expect(letter.content.certificate_details).toEqual({
    sn: '1',
    name: 'Adébáyọ̀ Ọláṣẹ́ńí',
    degree: 'B.Sc. Computer Science',
    class: 'Second Class Honours (Upper Division)',
    date: 'July 31, 2019',
  })
})

test('fills in the placeholders of the institution’s texts', () => {
  const texts = {
    subject: 'RE: {STUDENT}',
    opening: 'Dear {holder}, {number} of {institution}: {course}, {grade}, {date}.',
    closing: 'No placeholder here.',
    thanks: '{Unknown} {student}',
  }
  const letter = buildLetter({ ...input, texts })
  expect(letter.subject).toBe('RE: ADÉBÁYỌ̀ ỌLÁṢẸ́ŃÍ')
  expect(letter.content).toMatchObject({
    opening:
      'Dear Ngozi Okafor, UG/2019/00123 of University of Ilé-Ifẹ̀: B.Sc. Computer Science, ' +
      'Second Class Honours (Upper Division), July 31, 2019.',
    closing: 'No placeholder here.',
    thanks: '{Unknown} Adébáyọ̀ Ọláṣẹ́ńí',
  })
  // Without texts of its own, the letter has the default texts.
  expect(buildLetter({ ...input, texts: undefined })).toEqual(buildLetter(input))
})

test('writes out the date of issue, in the institution’s time zone', () => {
  expect(buildLetter(input).header.date).toBe('February 1, 2026')
  const before = new Date('2026-01-31T22:59:59Z')
  expect(buildLetter({ ...input, issuedAt: before }).header.date).toBe('January 31, 2026')
})

test('keeps a graduation date in an unknown format as it is recorded', () => {
  const certificate = { ...input.certificate, graduation_date: 'July 2019' }
  expect(buildLetter({ ...input, certificate }).content.certificate_details.date).toBe('July 2019')
})

test.each([
  ['Acme', { company: 'Acme', address: [] }],
  [' , 1 Broad Street', { company: 'Ada Obi', address: ['1 Broad Street'] }],
  ['Acme,, Lagos ,', { company: 'Acme', address: ['Lagos'] }],
  ['Acme\nLine 1\nLagos', { company: 'Acme', address: ['Line 1', 'Lagos'] }],
  ['A, 1, 2, 3, 4, 5, 6, 7', { company: 'A', address: ['1', '2', '3', '4', '5, 6, 7'] }],
])('splits the address %j into company and lines', { tags: ['SPEC-1.7'] }, (address, expected) => {
  expect(splitAddress(address, 'Ada Obi')).toEqual(expected)
})

test('groups the code in fours, and leaves it out of the address that people type', () => {
  expect(groupLetterCode('ABCDEFGHJKMN')).toBe('ABCD-EFGH-JKMN')
  expect(typedAddress('https://verify.example/letters/ABCDEFGHJKMN', 'ABCDEFGHJKMN')).toBe(
    'verify.example/letters',
  )
  expect(typedAddress('http://localhost:8080/letters/ABCD', 'ABCD')).toBe('localhost:8080/letters')
})
