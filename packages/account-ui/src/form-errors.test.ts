import { ApiError } from '@portal/api/error'
import { describe, expect, it } from 'vitest'
import { showFormError } from './form-errors.ts'

function createFakeForm(values: Record<string, string>) {
  const shownErrors: [name: string, message: string | undefined, focused: boolean][] = []
  return {
    shown: shownErrors,
    getValues: () => values,
    setError: (name: string, error: { message?: string }, options?: { shouldFocus?: boolean }) => {
      shownErrors.push([name, error.message, options?.shouldFocus ?? false])
    },
  }
}

/** Casts the fake form, which has only the functions that are used, to react-hook-form's type. */
const asForm = (form: ReturnType<typeof createFakeForm>) =>
  form as unknown as Parameters<typeof showFormError>[0]

describe('showFormError', () => {
  it('shows the server’s field errors and focuses the first of these fields', () => {
    const form = createFakeForm({ course: '', grade: '' })
    const fields = { course: 'Course is required', grade: 'Grade is required' }
    showFormError(asForm(form), new ApiError('Please check.', { status: 400, fields }))
    expect(form.shown).toEqual([
      ['course', 'Course is required', true],
      ['grade', 'Grade is required', false],
    ])
  })

  it('shows the error for the nested field address.city at the form field city', () => {
    const form = createFakeForm({ name: '', city: '' })
    const fields = { 'address.city': 'City is required', 'address.planet': 'Unknown' }
    showFormError(asForm(form), new ApiError('Please check.', { status: 400, fields }))
    expect(form.shown).toEqual([['city', 'City is required', true]])
  })

  it('shows any other failure above the fields', () => {
    const form = createFakeForm({ course: '' })
    const message = 'A certificate with this number already exists.'
    showFormError(asForm(form), new ApiError(message, { status: 409 }))
    showFormError(asForm(form), new ApiError('No.', { status: 400, fields: { body: 'Expected object' } }))
    expect(form.shown).toEqual([
      ['root.server', message, false],
      ['root.server', 'No.', false],
    ])
  })

  it('shows the error for a wrong current password at that field, although the server names no field', {
    tags: ['SPEC-8.9'],
  }, () => {
    const form = createFakeForm({ current_password: '', new_password: '' })
    const message = 'Your current password is not correct.'
    showFormError(asForm(form), new ApiError(message, { status: 400, code: 'INVALID_CURRENT_PASSWORD' }))
    expect(form.shown).toEqual([['current_password', message, true]])
  })
})
