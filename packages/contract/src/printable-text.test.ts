import { describe, expect, test } from 'vitest'
import { certificateFields } from './admin-certificates.ts'
import { institutionUpdate, letterUpdate } from './admin-settings.ts'
import { userCreation, userUpdate } from './admin-users.ts'
import { profile, registration } from './auth.ts'
import {
  invisibleProblem,
  letterTextProblem,
  linkProblem,
  nameProblem,
  tidyAddress,
  tidyLine,
  tidyLines,
} from './printable-text.ts'

const unprintableMessage = (characters: string) =>
  `Name contains characters the letter cannot print: ${characters}`

describe('a letter', () => {
  test.each([
    ...['Adébáyọ̀ Ọláṣẹ́ńí', 'ẹ̀ ẹ́ ẹ̄ ọ̀ ọ́ ṣ́ ǹ ń m̀ ḿ n̄', 'E̩ e̩ ẹ̩̀ o̩ s̩', 'ị́ ị̀ ọ́ ụ̀ ṅ Ị́ Ụ̄', 'Ɓɓ Ɗɗ Ƙƙ Ƴƴ ’Yar’adua'],
    ...[
      'Ɔ́ ɛ̀ ŋ ʋ ɖ ə́',
      'Nguyễn Thị Hạnh',
      'Þórður Łukasz Şebnem Čapek',
      'Ελένη Παπαδοπούλου',
      'Жуков Артём Ёлкин',
    ],
    ...['O’Brien-Smith, Jr. (₦5.00 & “x”)', 'B.Sc. (Hons) — 2:1', 'Straße ǰ'],
  ])('can print %s, composed or decomposed', text => {
    for (const form of ['NFC', 'NFD'] as const)
      expect(letterTextProblem('Name', text.normalize(form))).toBeUndefined()
  })

  test.each([
    ['李 Obi', '李 (U+674E)'],
    ['محمد', 'م (U+0645), ح (U+062D), د (U+062F)'],
    ['राम', 'रा (U+0930 U+093E), म (U+092E)'],
    ['Ada 😀', '😀 (U+1F600)'],
    ['𝒜da', '𝒜 (U+1D49C)'],
    ['Ａｄａ', 'Ａ (U+FF21), ｄ (U+FF44), ａ (U+FF41)'],
    ['\u0301Ada', '◌́ (U+0301)'],
    ['Ada \u0323', '◌̣ (U+0323)'],
    ['Ad\ufffda', '\ufffd (U+FFFD)'],
    ['1\u0301', '1́ (U+0031 U+0301)'],
    ['ɐ', 'ɐ (U+0250)'],
    ['שלום ת', 'ש (U+05E9), ל (U+05DC), ו (U+05D5), ם (U+05DD), ת (U+05EA)'],
    ['한국대학교인증', '한 (U+D55C), 국 (U+AD6D), 대 (U+B300), 학 (U+D559), 교 (U+AD50) and 2 more'],
  ])('cannot print %s, and the error names the characters', { tags: ['DATA-26'] }, (text, characters) => {
    expect(letterTextProblem('Name', text)).toBe(unprintableMessage(characters))
  })

  test('cannot print a base letter with too many marks', () => {
    expect(letterTextProblem('Name', 'o\u0323\u0302\u0301')).toBeUndefined()
    expect(letterTextProblem('Name', 'z\u0301\u0302\u0303\u0304\u0306')).toContain('cannot print')
  })
})

describe('text in a letter', () => {
  test.each(
    [
      ...[
        0x00, 0x07, 0x0b, 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d,
        0x200e,
      ],
      ...[
        0x200f, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x206f, 0x3164, 0xd800, 0xdfff, 0xe000, 0xfdd0,
        0xfe0f, 0xfeff,
      ],
      ...[0xffff, 0xe0041, 0xe01ef, 0xf0000, 0x10fffe, 0x378],
    ].map(code => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`),
  )('must not contain invisible characters: %s', hex => {
    const invisible = String.fromCodePoint(Number.parseInt(hex.slice(2), 16))
    for (const text of [`Ada${invisible}Obi`, `${invisible}Ada`, `Ada${invisible}`]) {
      expect(letterTextProblem('Name', text)).toBe(
        `Name contains invisible characters: ${hex}. Please remove them.`,
      )
    }
  })

  test('may contain whitespace, which is collapsed, and letters with marks, which are composed', {
    tags: ['DATA-28'],
  }, () => {
    expect(tidyLine(' Ada\u00a0\u2003 Obi\t\n')).toBe('Ada Obi')
    expect(tidyLine('O\u0323\u0300')).toBe('\u1ecc\u0300')
    expect(tidyLines('12 Marina \r\n\n Lagos\u2028Nigeria')).toBe('12 Marina\nLagos\nNigeria')
    expect(invisibleProblem('Name', 'a\tb\r\nc')).toBeUndefined()
  })
})

test.each([
  [', ,', ''],
  ['—,\n,', ''],
  ['Acme Ltd, , ,Lagos ,', 'Acme Ltd,Lagos'],
  [', 1 Broad Street', ', 1 Broad Street'],
  ['Acme Ltd,\n1 Broad Street, Lagos', 'Acme Ltd,\n1 Broad Street, Lagos'],
])('removes empty parts of the address %j', (typed, expected) => expect(tidyAddress(typed)).toBe(expected))

describe('names', () => {
  test.each([
    'http://evil.test',
    'see HTTPS://x',
    'hxxp://x',
    'WWW.evil.test',
    'https:evil.test',
    'javascript://x',
    'www\u2024evil.test',
  ])('must not contain a web address: %s', { tags: ['DATA-29'] }, text =>
    expect(linkProblem('Name', `You won ${text}`)).toBe('Name must not contain a web address.'),
  )
  test.each([
    'O’Brien',
    "O'Brien",
    'Smith-Jones',
    'St. John’s',
    'M.Sc.',
    'Booking.com',
    'J.P. Morgan & Co.',
    'A/S Norske',
    'Wwande',
    '3:16 Ltd',
  ])('may be %s', text => expect(nameProblem('Name', text)).toBeUndefined())
})

describe('forms whose text is printed in a letter', () => {
  const readMessages = (
    form: {
      safeParse: (value: unknown) => {
        error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined
      }
    },
    body: object,
  ) =>
    Object.fromEntries(
      (form.safeParse(body).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
    )
  const person = {
    firstname: 'A',
    middlename: '李',
    lastname: 'B',
    email: 'a@b.test',
    phone: '08031234567',
    address: 'Acme, 李',
    password: 'Demo1234',
  }
  const cases = {
    registration: [registration, person, ['middlename', 'address']],
    profile: [profile, person, ['middlename', 'address']],
    'a new user': [userCreation, person, ['middlename', 'address']],
    'an edited user': [userUpdate, { ...person, firstname: '李' }, ['firstname', 'address']],
    'a certificate': [
      certificateFields,
      {
        certificate_number: 'UG/2019/00123',
        student_name: '李',
        matric_number: '李',
        course: '李',
        graduation_date: '2019-07-31',
        grade: '李',
        department: '李',
      },
      ['student_name', 'matric_number', 'course', 'grade', 'department'],
    ],
    'the institution': [
      institutionUpdate,
      {
        name: '李',
        short_name: '李',
        address: '李',
        support_email: 'a@b.test',
        support_phones: [],
        business_hours: '8',
        accent: null,
      },
      ['name', 'short_name', 'address'],
    ],
    'the letter': [
      letterUpdate,
      {
        name: '李',
        title: '李',
        for: '李',
        email: '李@b.test',
        subject: '李 {student} {number}',
        opening: '李',
        closing: '李',
        thanks: '李',
      },
      ['name', 'title', 'for', 'email', 'subject', 'opening', 'closing', 'thanks'],
    ],
  } as const
  test.each(Object.entries(cases))(
    'reject unprintable characters in every printed field: %s',
    (_, [form, body, fields]) => {
      const shownMessages = readMessages(form, body)
      expect(Object.keys(shownMessages).sort()).toEqual([...fields].sort())
      for (const field of fields)
        expect(shownMessages[field]).toContain('characters the letter cannot print: 李 (U+674E)')
    },
  )

  test('reject links in names and addresses', { tags: ['QUALITY-59', 'DATA-29'] }, () => {
    const link = 'Win http://evil.test'
    expect(
      readMessages(registration, {
        ...person,
        firstname: link,
        middlename: link,
        lastname: link,
        address: `${link}, Lagos`,
      }),
    ).toEqual({
      firstname: 'First name must not contain a web address.',
      middlename: 'Middle name must not contain a web address.',
      lastname: 'Last name must not contain a web address.',
      address: 'Address must not contain a web address.',
    })
  })
})
