import { expect, test } from 'vitest'
import { withoutAddressee } from './erased.ts'
import { buildLetter, type LetterInput } from './model.ts'

const input: LetterInput = {
  institution: { name: 'University of Ilé-Ifẹ̀', address: 'Road 1, Ifẹ̀', logo: null },
  letterHolder: { name: 'Ngozi Okafor (HR)', address: 'Zenith Talent Ltd, 12 Marina Road' },
  certificate: {
    certificate_number: 'UG/2019/00123',
    student_name: 'Adébáyọ̀ Ọláṣẹ́ńí',
    course: 'Law',
    grade: 'Pass',
    graduation_date: '2019-07-31',
  },
  refNumber: 'CV/2026/000001',
  issuedAt: new Date('2026-01-31T23:59:00Z'),
  signature: { name: 'A. Bello', title: '', for: '', email: '', signature_image: null, stamp_image: null },
}

const letterFor = (name: string, student: string, opening: string) =>
  buildLetter({
    ...input,
    letterHolder: { ...input.letterHolder, name },
    certificate: { ...input.certificate, student_name: student },
    texts: { subject: '{STUDENT}', opening, closing: 'For {HOLDER}.', thanks: '' },
  })

test("removes the addressee and the requester's name, and keeps the graduate's name", () => {
  const letter = buildLetter(input)
  const erased = withoutAddressee(letter, ['Ngozi Okafor (HR)'])
  expect(erased.recipient).toEqual({ company: 'Addressee erased on request', address: [] })
  expect(erased.content.opening).toBe(letter.content.opening.replace('Ngozi Okafor (HR)', 'the addressee'))
  expect(JSON.stringify(erased)).not.toMatch(/Ngozi|Zenith|Marina/)
  expect({ ...erased, recipient: null, content: { ...erased.content, opening: '' } }).toEqual({
    ...letter,
    recipient: null,
    content: { ...letter.content, opening: '' },
  })
})

test.each([
  [
    'a part of the graduate’s name',
    'Ada Obi',
    'Ada Obi-Eze',
    '{student}, asked by {holder}',
    'Ada Obi-Eze, asked by the addressee',
  ],
  [
    'more than the graduate’s name',
    'Ada Obi Eze',
    'Ada Obi',
    '{student}, asked by {holder}',
    'Ada Obi, asked by the addressee',
  ],
  ['the graduate’s name', 'Ada Obi', 'Ada Obi', '{student}, asked by {holder}', 'Ada Obi, asked by Ada Obi'],
  ['a part of a word', 'Ada', 'Bola', 'Adamant {holder}', 'Adamant the addressee'],
])("replaces only the requester's name in the text if it is %s", (_, holder, student, opening, expected) => {
  expect(withoutAddressee(letterFor(holder, student, opening), [holder]).content.opening).toBe(expected)
})

test('replaces a name in capitals with text in capitals', () => {
  expect(withoutAddressee(letterFor('Ọlá Obi', 'Bola', ''), ['Ọlá Obi']).content.closing).toBe(
    'For THE ADDRESSEE.',
  )
})
