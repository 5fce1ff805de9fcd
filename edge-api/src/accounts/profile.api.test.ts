import { describe, expect, test } from 'vitest'
import { newAccount, request } from '../../test/portal.ts'

const update = (token: string, body: unknown) => request('PUT', '/auth/profile', { token, body })

describe('the profile', () => {
  test('is shown without secrets', { tags: ['SPEC-3.4'] }, async () => {
    const account = await newAccount()
    const { status, body, headers } = await request('GET', '/auth/profile', { token: account.token })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      user: {
        id: account.id,
        firstname: account.firstname,
        middlename: null,
        lastname: account.lastname,
        email: account.email,
        phone: account.phone,
        address: account.address,
        role: 'user',
        is_verified: true,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        // Registration is version 1, and confirming the address makes it 2.
        version: 2,
      },
    })
  })

  test('can contain any text', { tags: ['SPEC-7.6'] }, async () => {
    const account = await newAccount()
    const fields = {
      firstname: '<b>Adé</b>',
      middlename: "O'Neil",
      lastname: 'Ọlá "x"',
      phone: '0803 555 0100',
      address: '<script>alert(1)</script>, Lagos',
    }
    const { status, body } = await update(account.token, fields)
    expect(status).toBe(200)
    expect(body.message).toBe('Profile updated successfully!')
    expect(body.user).toMatchObject({ ...fields, email: account.email })
    const stored = await request('GET', '/auth/profile', { token: account.token })
    expect(stored.body.user).toEqual(body.user)
    const cleared = await update(account.token, { ...fields, middlename: '' })
    expect(cleared.body.user.middlename).toBeNull()
  })

  test('ignores submitted values for email, role and verification', {
    tags: ['QUALITY-16', 'SPEC-2.27'],
  }, async () => {
    const account = await newAccount()
    const { status, body } = await update(account.token, {
      firstname: 'A',
      lastname: 'B',
      phone: '0803 555 0100',
      address: 'C',
      email: 'other@users.test',
      role: 'super_admin',
      is_verified: false,
      is_enabled: false,
      id: 'other',
      password: 'Another1234',
    })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({
      id: account.id,
      email: account.email,
      role: 'user',
      is_verified: true,
    })
  })

  test('reports each wrong field', async () => {
    const account = await newAccount()
    const { status, body } = await update(account.token, { firstname: ' ', phone: 'abc' })
    expect([status, body.fields]).toEqual([
      400,
      {
        firstname: 'First name is required',
        lastname: 'Last name is required',
        phone: 'Please enter a valid phone number',
        address: 'Address is required',
      },
    ])
  })
})
