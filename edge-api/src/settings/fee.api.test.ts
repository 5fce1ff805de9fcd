import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccount, request, staffToken } from '../../test/portal.ts'

const path = '/admin/settings/verification-fee'
let token: string
beforeAll(async () => {
  token = await staffToken('admin')
})
// Other tests pay the fee, so it is restored afterwards.
afterAll(async () => {
  await request('PUT', path, { token, body: { fee: 5000 } })
})

describe('the verification fee', () => {
  test('is set by an admin and read by everyone', { tags: ['SPEC-1.6', 'STAFF-10'] }, async () => {
    const before = Date.now()
    const set = await request('PUT', path, { token, body: { fee: 5000.25, currency: 'NGN' } })
    expect(set).toMatchObject({
      status: 200,
      body: {
        message: 'Verification fee updated.',
        settings: { verification_fee: 5000.25, currency: 'NGN' },
      },
    })
    const { settings, updated_at } = (await request('GET', path, { token })).body
    expect(settings).toEqual({ verification_fee: 5000.25, currency: 'NGN' })
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(before)
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

  test('has a history that shows who changed it, when, and the old and new values', {
    tags: ['STAFF-11'],
  }, async () => {
    const readHistory = (query = '') => request('GET', `/admin/settings/fee-history${query}`, { token })
    await request('PUT', path, { token, body: { fee: 5000 } })
    const before = (await readHistory()).body
    await request('PUT', path, { token, body: { fee: 6000.5 } })
    await request('PUT', path, { token, body: { fee: 6000.5 } })
    await request('PUT', path, { token, body: { fee: 5000 } })
    const { status, body } = await readHistory()
    expect(status).toBe(200)
    // Setting the current fee is not a change.
    expect(body.pagination).toMatchObject({ total: before.pagination.total + 2, per_page: 20, page: 1 })
    expect(body.changes.slice(0, 2)).toMatchObject([
      { from_fee: 6000.5, to_fee: 5000, currency: 'NGN', user_email: 'admin@demo.test' },
      {
        from_fee: 5000,
        to_fee: 6000.5,
        user_id: expect.any(String),
        changed_at: expect.stringMatching(/Z$/),
      },
    ])
    expect(body.changes.at(-1)).toMatchObject({ from_fee: 4000, to_fee: 4500, user_email: 'super@demo.test' })
    expect((await readHistory('?page=2&per_page=1')).body).toMatchObject({
      changes: [body.changes[1]],
      pagination: { page: 2, per_page: 1, has_prev: true },
    })
    const { token: user } = await newAccount()
    expect(await request('GET', '/admin/settings/fee-history', { token: user })).toMatchObject({
      status: 403,
    })
  })

  test('cannot be set by a user', async () => {
    const { token: user } = await newAccount()
    expect(await request('PUT', path, { token: user, body: { fee: 1 } })).toMatchObject({ status: 403 })
  })
})
