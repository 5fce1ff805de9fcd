import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { emailOnly, passwordChange, profile, registration } from './auth.ts'
import * as field from './fields.ts'

/* The validation rules in section 5 of the specification, verbatim. Forms and server share these schemas. */

/** Returns the first error message for a value, or undefined if the value is valid. */
const firstMessage = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message

/** Returns every error message for a form's values, by field. */
function readFieldMessages(schema: z.ZodType, form: object): Record<string, string> {
  const issues = schema.safeParse(form).error?.issues ?? []
  return Object.fromEntries(issues.map(issue => [issue.path.join('.'), issue.message]))
}

describe('required fields have their own messages', () => {
  test('in a registration, where the middle name is optional', { tags: ['SPEC-5.2'] }, () => {
    expect(readFieldMessages(registration, {})).toEqual({
      firstname: 'First name is required',
      lastname: 'Last name is required',
      email: 'Email is required',
      phone: 'Phone number is required',
      address: 'Address is required',
      password: 'Password is required',
    })
  })

  test('in a profile, which has no email', { tags: ['SPEC-5.7'] }, () => {
    expect(readFieldMessages(profile, { firstname: ' ', lastname: '', phone: '', address: ', ,' })).toEqual({
      firstname: 'First name is required',
      lastname: 'Last name is required',
      phone: 'Phone number is required',
      address: 'Address is required',
    })
    expect(profile.shape).not.toHaveProperty('email')
  })

  test('in a password change and in a request to reset a password', {
    tags: ['SPEC-5.5'],
  }, () => {
    expect(readFieldMessages(passwordChange, {})).toEqual({
      current_password: 'Current password is required',
      new_password: 'New password is required',
    })
    expect(readFieldMessages(emailOnly, { email: ' ' })).toEqual({ email: 'Email address is required' })
    expect(readFieldMessages(emailOnly, { email: 'x' })).toEqual({
      email: 'Please enter a valid email address',
    })
  })
})

describe('an email address', () => {
  test.each(['a@b.co', 'first.last+tag@sub.example.test'])(
    '%s is valid and converted to lowercase',
    value => {
      expect(field.email().parse(` ${value.toUpperCase()} `)).toBe(value)
    },
  )
  test.each([
    ...['a', 'a@b', '@b.co', 'a b@c.co', 'a@b.c', 'a@@b.co'],
    ...['a@b..co', 'a@.b.co', 'a@-b.co', 'a..b@c.co', '.a@b.co', 'a.@b.co'],
  ])('%s is invalid', value => {
    expect(firstMessage(field.email(), value)).toBe('Please enter a valid email address')
  })
  test.each(['a@erased.invalid', 'A@ERASED.INVALID', 'a@b.ｉｎｖａｌｉｄ', 'a@x.y.invalid'])(
    '%s is invalid, because its domain is reserved',
    value => {
      expect(firstMessage(field.email(), value)).toBe('Please enter a valid email address')
    },
  )
  test('may have a domain that only resembles the reserved one', () => {
    for (const value of ['a@invalid.co', 'a@b.invalids', 'invalid@b.co'])
      expect(field.email().parse(value)).toBe(value)
  })
  test.each(['0000', '0007', '200B', '202E', '2066', 'D800'])(
    'may not contain the invisible character U+%s',
    hex => {
      const invisible = String.fromCharCode(Number.parseInt(hex, 16))
      for (const value of [`a${invisible}@b.co`, `a@b${invisible}.co`, `a@b.co${invisible}m`])
        expect(firstMessage(field.email(), value)).toBe('Please enter a valid email address')
    },
  )
  test('may contain letters of any script', () => {
    expect(field.email().parse('ọlá@imọlẹ.test')).toBe('ọlá@imọlẹ.test')
  })
})

describe('a new password', { tags: ['SPEC-5.3', 'SPEC-9.6'] }, () => {
  test.each([
    ['', 'Password is required'],
    ['a', 'Password must be at least 8 characters long'],
    ['abcdefgh', 'Password must contain at least one uppercase letter'],
    ['ABCDEFGH', 'Password must contain at least one lowercase letter'],
    ['Abcdefgh', 'Password must contain at least one number'],
  ])('%j is rejected with the message of the first rule that it breaks: %s', (value, message) =>
    expect(firstMessage(field.newPassword(), value)).toBe(message),
  )

  test('needs no special characters, and keeps its spaces', () => {
    expect(field.newPassword().parse('Abcdefg1')).toBe('Abcdefg1')
    expect(field.newPassword().parse(' Abcdef1 ')).toBe(' Abcdef1 ')
  })
})

describe('a phone number', { tags: ['SPEC-5.4', 'SPEC-9.6'] }, () => {
  test.each([
    '08031234567',
    '8031234567',
    '2348031234567',
    '+234 803 123 4567',
    '0703-123-4567',
    '(0)9112345678',
    '+44 20 7946 0958',
    '1234567890123456',
  ])('%s is valid', value => expect(firstMessage(field.phone(), value)).toBeUndefined())

  test.each(['12', 'phone', '+0803', '12345678901234567', '0803123456x'])('%s is invalid', value =>
    expect(firstMessage(field.phone(), value)).toBe('Please enter a valid phone number'),
  )
})

describe('a certificate number', { tags: ['SPEC-5.6'] }, () => {
  test.each(['UG/2019/00123', 'PG/12/345', 'CCED/ABC/2020/001', 'HND/123', 'AB123', 'A-B/C', '12345'])(
    '%s is valid',
    value => expect(firstMessage(field.certificateNumber(), value)).toBeUndefined(),
  )
  test('is trimmed and converted to uppercase', () =>
    expect(field.certificateNumber().parse(' ug/2019/00123 ')).toBe('UG/2019/00123'))
  test.each(['X 1', 'AB12', 'UG_2019', 'ÄB12345', 'UG/2019/00123!'])('%s is invalid', value =>
    expect(firstMessage(field.certificateNumber(), value)).toBe('Please enter a valid certificate number.'),
  )
  test.each(['', '  ', undefined])('%j counts as missing', value =>
    expect(firstMessage(field.certificateNumber(), value)).toBe('Please enter a certificate number.'),
  )
})

describe('a transaction ID', () => {
  test('is converted to uppercase and reduced to A-Z, 0-9, hyphen and underscore, at most 50 characters', {
    tags: ['SPEC-5.10', 'SPEC-9.6'],
  }, () => {
    expect(field.normaliseTransactionId(' cvf0-ab_1!é ')).toBe('CVF0-AB_1')
    expect(field.normaliseTransactionId('x'.repeat(60))).toHaveLength(50)
  })
  test('is looked up without the dashes that screens show', () =>
    expect(field.transactionId().parse('cvf0-1234')).toBe('CVF01234'))
})

describe('a date', () => {
  test.each(['2019-02-29', '2019-7-1', '31/07/2019', 'soon'])('rejects %s', value =>
    expect(firstMessage(field.date(), value)).toBe('Please enter a date as YYYY-MM-DD.'),
  )
  test('accepts 2020-02-29', () => expect(field.date().parse('2020-02-29')).toBe('2020-02-29'))
})
