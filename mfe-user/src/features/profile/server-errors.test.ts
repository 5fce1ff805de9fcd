import { ApiError } from '@portal/api/error'
import { expect, test } from 'vitest'
import { failureOf } from './server-errors.ts'

const names = ['current_password', 'new_password']

test('messages of the form’s fields stand at the fields', () => {
  const error = new ApiError('Please check the highlighted fields.', {
    status: 400,
    code: 'VALIDATION_ERROR',
    fields: { new_password: 'New password is required', other: 'x' },
  })
  expect(failureOf(error, names)).toEqual({
    fields: { new_password: 'New password is required' },
    message: null,
  })
})

test('a wrong current password stands at its field', { tags: ['SPEC-8.9'] }, () => {
  const error = new ApiError('Your current password is not correct.', {
    status: 400,
    code: 'INVALID_CURRENT_PASSWORD',
  })
  expect(failureOf(error, names)).toEqual({
    fields: { current_password: 'Your current password is not correct.' },
    message: null,
  })
})

test('everything else stands above the form', () => {
  const error = new ApiError('Busy.', { status: 503, code: 'DATABASE_UNAVAILABLE' })
  expect(failureOf(error, names)).toEqual({ fields: {}, message: 'Busy.' })
  expect(failureOf(new Error('Broken.'), names)).toEqual({ fields: {}, message: 'Broken.' })
})
