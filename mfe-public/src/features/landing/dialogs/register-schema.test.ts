import { describe, expect, it } from 'vitest'
import { registerSchema, toRegistration } from './register-schema.ts'

const completeForm = {
  firstname: 'Ngozi',
  middlename: '',
  lastname: 'Eze',
  email: 'Ngozi@Example.test',
  phone: '0803 123 4567',
  address: 'Example Ltd, 1 Broad Street, , Lagos, Lagos, Nigeria',
  password: 'Correct1horse',
  confirmPassword: 'Correct1horse',
}

/** Returns the message for each field, as the form shows it. */
function messages(change: Partial<typeof completeForm>): Record<string, string> {
  const result = registerSchema.safeParse({ ...completeForm, ...change })
  const issues = result.error?.issues ?? []
  return Object.fromEntries(issues.map(issue => [issue.path.join('.'), issue.message]))
}

describe('register form', () => {
  it('accepts a form without a middle name', () => expect(messages({})).toEqual({}))

  it('reports all blank fields together, with the wording of the specification', {
    tags: ['SPEC-5.2'],
  }, () => {
    const blank = Object.fromEntries(Object.keys(completeForm).map(key => [key, '']))
    expect(messages(blank)).toEqual({
      firstname: 'First name is required',
      lastname: 'Last name is required',
      email: 'Email is required',
      phone: 'Phone number is required',
      address: 'Address is required',
      password: 'Password is required',
      confirmPassword: 'Please confirm your password',
    })
  })

  it.each([
    [{ email: 'ngozi' }, { email: 'Please enter a valid email address' }],
    [{ phone: '12' }, { phone: 'Please enter a valid phone number' }],
    [{ confirmPassword: 'Correct1hors' }, { confirmPassword: 'Passwords do not match' }],
  ])('rejects %o with the message of the specification', (change, expected) =>
    expect(messages(change)).toEqual(expected),
  )

  it('reports a weak password and a mismatch together', () => {
    expect(messages({ password: 'short' })).toEqual({
      password: 'Password must be at least 8 characters long',
      confirmPassword: 'Passwords do not match',
    })
  })

  it('does not send the repeated password', { tags: ['SPEC-3.1'] }, () => {
    const body = toRegistration(registerSchema.parse(completeForm))
    expect(body).not.toHaveProperty('confirmPassword')
    expect(body).toMatchObject({
      email: 'ngozi@example.test',
      middlename: null,
      password: completeForm.password,
    })
  })
})
