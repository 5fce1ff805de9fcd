import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccount, request, staff } from '../../test/portal.ts'

const path = '/admin/settings/verification-fee'
let token: string
beforeAll(async () => {
  token = await staff('admin')
})
// Other files pay the fee; it must be theirs again afterwards.
afterAll(async () => {
  await request('PUT', path, { token, body: { fee: 5000 } })
})

describe('the verification fee', () => {
  test('is set by an admin and read by everyone', async () => {
    const set = await request('PUT', path, { token, body: { fee: 5000.25, currency: 'NGN' } })
    expect(set).toMatchObject({
      status: 200,
      body: {
        message: 'Verification fee updated.',
        settings: { verification_fee: 5000.25, currency: 'NGN' },
      },
    })
    expect((await request('GET', path, { token })).body.settings.verification_fee).toBe(5000.25)
    const open = await request('GET', '/verification/settings')
    expect(open.body).toMatchObject({ verification_fee: 5000.25, currency: 'NGN' })
    await request('PUT', path, { token, body: { fee: 5000 } })
  })

  test.each([
    ['a negative fee', { fee: -1 }],
    ['three decimals', { fee: 1.005 }],
    ['text', { fee: '5000' }],
    ['another currency', { fee: 1, currency: 'USD' }],
    ['nothing', {}],
  ])('refuses %s', async (_, body) => {
    expect(await request('PUT', path, { token, body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
  })

  test('cannot be set by a user', async () => {
    const { token: user } = await newAccount()
    expect(await request('PUT', path, { token: user, body: { fee: 1 } })).toMatchObject({ status: 403 })
  })
})
