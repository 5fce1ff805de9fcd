import { makeUser } from '@portal/fixtures/factories'
import { describe, expect, test } from 'vitest'
import { newAccount, request, signIn, waitForMailedToken, waitForMails } from '../../test/portal.ts'

const requestReset = (email: string) => request('POST', '/auth/forgot-password', { body: { email } })
const reset = (token: string, password: string) =>
  request('POST', `/auth/reset-password/${token}`, { body: { password } })
const profileStatus = async (token: string) => (await request('GET', '/auth/profile', { token })).status

describe('a forgotten password', () => {
  test('is replaced once with the emailed link, which ends every session', {
    tags: ['QUALITY-7', 'SPEC-7.4'],
  }, async () => {
    const account = await newAccount()
    const otherSession = await signIn(account.email, account.password)
    expect((await requestReset(account.email)).status).toBe(200)
    const token = await waitForMailedToken('reset-password', account.email)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect((await request('GET', `/auth/reset-password/${token}`)).status).toBe(200)

    const weak = await reset(token, 'alllowercase1')
    expect(weak.body.fields).toEqual({ password: 'Password must contain at least one uppercase letter' })
    const successReply = await reset(token, 'Another1234')
    expect([successReply.status, successReply.body.message]).toEqual([
      200,
      'Password reset successful! You can now log in with your new password.',
    ])
    expect([await profileStatus(account.token), await profileStatus(otherSession.token)]).toEqual([401, 401])
    const oldCredentials = { email: account.email, password: account.password }
    expect((await request('POST', '/auth/login', { body: oldCredentials })).status).toBe(401)
    await signIn(account.email, 'Another1234')

    for (const response of [
      await reset(token, 'Third1234'),
      await request('GET', `/auth/reset-password/${token}`),
    ]) {
      expect([response.status, response.body.code]).toEqual([400, 'INVALID_RESET_TOKEN'])
    }
    const [mail] = await waitForMails(account.email, { atLeast: 3 })
    expect(mail?.subject).toBe('Your password was changed')
  })

  test('is replaced once by ten parallel resets with the same link', async () => {
    const account = await newAccount()
    await requestReset(account.email)
    const token = await waitForMailedToken('reset-password', account.email)
    const passwords = Array.from({ length: 10 }, (_, n) => `Another${n}234`)
    const responses = await Promise.all(passwords.map(password => reset(token, password)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const winner = passwords[responses.findIndex(({ status }) => status === 200)] ?? ''
    await signIn(account.email, winner)
  })

  test('is handled with the same response for known and unknown addresses', {
    tags: ['QUALITY-2', 'SPEC-7.4'],
  }, async () => {
    const account = await newAccount()
    const [known, unknown] = [await requestReset(account.email), await requestReset(makeUser().email)]
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    expect((await requestReset('nobody')).body.fields).toEqual({
      email: 'Please enter a valid email address',
    })
    expect((await requestReset('')).body.fields).toEqual({ email: 'Email address is required' })
  })

  test('is not replaced with a guessed link or another kind of link', {
    tags: ['QUALITY-10', 'SPEC-7.4'],
  }, async () => {
    for (const guess of ['x', 'A'.repeat(43), 'A'.repeat(200)]) {
      const { status, body } = await reset(guess, 'Another1234')
      expect([status, body.code]).toEqual([400, 'INVALID_RESET_TOKEN'])
    }
    const account = await newAccount()
    await requestReset(account.email)
    const token = await waitForMailedToken('reset-password', account.email)
    expect((await request('GET', `/auth/verify-email/${token}`)).body.code).toBe('INVALID_VERIFICATION_TOKEN')
  })
})

describe('changing the password', () => {
  const change = (token: string, current_password: string, new_password: string) =>
    request('POST', '/auth/change-password', { token, body: { current_password, new_password } })

  test('requires the current password, ends all other sessions and keeps this one', {
    tags: ['QUALITY-7', 'SPEC-7.7'],
  }, async () => {
    const account = await newAccount()
    const otherSession = await signIn(account.email, account.password)
    const wrong = await change(account.token, 'Wrong1234', 'Another1234')
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_CURRENT_PASSWORD'])
    expect(wrong.body.fields).toEqual({ current_password: 'Your current password is not correct.' })
    expect(await profileStatus(otherSession.token)).toBe(200)

    const successReply = await change(account.token, account.password, 'Another1234')
    expect([successReply.status, successReply.body.message]).toEqual([200, 'Password changed successfully!'])
    expect([await profileStatus(account.token), await profileStatus(otherSession.token)]).toEqual([200, 401])
    await signIn(account.email, 'Another1234')
    const [mail] = await waitForMails(account.email, { atLeast: 2 })
    expect(mail?.subject).toBe('Your password was changed')
  })

  test('invalidates reset links that were emailed before', async () => {
    const account = await newAccount()
    await requestReset(account.email)
    const token = await waitForMailedToken('reset-password', account.email)
    await change(account.token, account.password, 'Another1234')
    expect((await reset(token, 'Third1234')).body.code).toBe('INVALID_RESET_TOKEN')
  })

  test('reports each wrong field', async () => {
    const account = await newAccount()
    expect((await change(account.token, '', '')).body.fields).toEqual({
      current_password: 'Current password is required',
      new_password: 'New password is required',
    })
  })
})
