import { ApiError } from '@portal/api/error'
import { describe, expect, it } from 'vitest'
import { showFormError } from './form-errors.ts'

function formWith(values: Record<string, string>) {
  const shown: [name: string, message: string | undefined, focused: boolean][] = []
  return {
    shown,
    getValues: () => values,
    setError: (name: string, error: { message?: string }, options?: { shouldFocus?: boolean }) => {
      shown.push([name, error.message, options?.shouldFocus ?? false])
    },
  }
}

/** Casts the fake, because a literal cannot satisfy react-hook-form's overloads; only these functions are used. */
const asForm = (form: ReturnType<typeof formWith>) => form as unknown as Parameters<typeof showFormError>[0]

describe('showFormError', () => {
  it('shows the server’s field errors and focuses the first of these fields', () => {
    const form = formWith({ course: '', grade: '' })
    const fields = { course: 'Course is required', grade: 'Grade is required' }
    showFormError(asForm(form), new ApiError('Please check.', { status: 400, fields }))
    expect(form.shown).toEqual([
      ['course', 'Course is required', true],
      ['grade', 'Grade is required', false],
    ])
  })

  it('shows the error for the nested field address.city at the form field city', () => {
    const form = formWith({ name: '', city: '' })
    const fields = { 'address.city': 'City is required', 'address.planet': 'Unknown' }
    showFormError(asForm(form), new ApiError('Please check.', { status: 400, fields }))
    expect(form.shown).toEqual([['city', 'City is required', true]])
  })

  it('shows any other failure above the fields', () => {
    const form = formWith({ course: '' })
    const taken = 'A certificate with this number already exists.'
    showFormError(asForm(form), new ApiError(taken, { status: 409 }))
    showFormError(asForm(form), new ApiError('No.', { status: 400, fields: { body: 'Expected object' } }))
    expect(form.shown).toEqual([
      ['root.server', taken, false],
      ['root.server', 'No.', false],
    ])
  })

  it('shows the error for a wrong current password at that field, although the server names no field', {
    tags: ['SPEC-8.9'],
  }, () => {
    const form = formWith({ current_password: '', new_password: '' })
    const wrong = 'Your current password is not correct.'
    showFormError(asForm(form), new ApiError(wrong, { status: 400, code: 'INVALID_CURRENT_PASSWORD' }))
    expect(form.shown).toEqual([['current_password', wrong, true]])
  })
})
