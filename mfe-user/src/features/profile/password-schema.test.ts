import { expect, test } from 'vitest'
import { type PasswordValues, passwordForm } from './password-schema.ts'

function errorsOf(values: PasswordValues): Record<string, string> {
  const { error } = passwordForm.safeParse(values)
  return Object.fromEntries((error?.issues ?? []).map(issue => [issue.path.join('.'), issue.message]))
}

test('an empty form has an error at every field', { tags: ['SPEC-5.8'] }, () => {
  expect(errorsOf({ current_password: '', new_password: '', confirm_password: '' })).toEqual({
    current_password: 'Current password is required',
    new_password: 'New password is required',
    confirm_password: 'Please confirm your new password',
  })
})

test.each([
  ['Ab1', 'Password must be at least 8 characters long'],
  ['abcdefg1', 'Password must contain at least one uppercase letter'],
  ['ABCDEFG1', 'Password must contain at least one lowercase letter'],
  ['Abcdefgh', 'Password must contain at least one number'],
])('%s gets the message of the first rule that it breaks', { tags: ['SPEC-5.3'] }, (password, message) => {
  const errors = errorsOf({ current_password: 'x', new_password: password, confirm_password: password })
  expect(errors).toEqual({ new_password: message })
})

test('a mismatch is reported together with other errors', { tags: ['SPEC-5.8'] }, () => {
  const errors = errorsOf({ current_password: '', new_password: 'Abcdefg1', confirm_password: 'Abcdefg2' })
  expect(errors).toEqual({
    current_password: 'Current password is required',
    confirm_password: 'Passwords do not match',
  })
})

test('a valid form is accepted, and its password keeps spaces', () => {
  const values = { current_password: ' x ', new_password: ' Abcdefg1 ', confirm_password: ' Abcdefg1 ' }
  expect(passwordForm.parse(values)).toEqual(values)
})
